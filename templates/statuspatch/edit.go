package statuspatch

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Edit is the working copy that one run of a mutate function edits, or in the
// deferred form the caller's object itself.
type Edit[T, S any] struct {
	// Status is what is edited at first.
	Status *S

	t          *Type[T, S]
	caller     *T
	deferred   bool
	generation int64
	// status is where the patch that is edited holds its status.
	status **S
	// object is what Object gave out. A status that is a field by value moves
	// into it: left is the one that was given out before, leftAs what it was.
	object *T
	left   *S
	leftAs *S
	// written are the groups as their setters left them, nil once the call is
	// over; computed are the groups that the caller declared computed.
	written  *writtenGroups
	computed groupSet
}

// writtenGroups are values of groups, written down.
type writtenGroups struct {
	groups []writtenGroup
	values MemberValues
}

// writtenGroup says where the values of a group stand.
type writtenGroup struct{ group, from, to int }

func (w *writtenGroups) has(group int) bool {
	return slices.ContainsFunc(w.groups, func(g writtenGroup) bool { return g.group == group })
}

func (w *writtenGroups) reset() { w.groups, w.values.text = w.groups[:0], w.values.text[:0] }

// Object is the caller's spec and metadata around the status that is edited.
func (e *Edit[T, S]) Object() *T {
	switch {
	case e == nil:
		return nil
	case e.deferred:
		return e.caller
	case e.object != nil:
		return e.object
	}
	if *e.status == nil {
		*e.status = new(S)
	}
	e.object = e.t.copyOf(e.caller)
	e.t.SetStatus(e.object, *e.status)
	if moved := e.t.Status(e.object); moved != *e.status {
		as := **e.status
		e.left, e.leftAs = *e.status, &as
		for _, own := range []*S{moved, e.leftAs} { // an edit of a list in place is then seen in one of them
			e.t.freeze(new(S), own)
		}
		*e.status = moved
	}
	return e.object
}

// edited is the status as mutate left it.
func (e *Edit[T, S]) edited(now *clock) (*S, error) {
	status := *e.status
	if status == nil {
		return nil, errors.New("mutate set the patch's Status to nil: set it to an empty status instead")
	}
	if e.object == nil {
		return status, nil
	}
	inObject := e.t.statusOf(e.object)
	switch {
	case e.left == nil && status == e.Status:
		return inObject, nil // by pointer, perhaps replaced through Object()
	case e.left == nil || status != inObject:
		return status, nil // the caller's own
	}
	// Edits through a pointer that was taken before Object() count as well.
	v := &Visitor{mode: modeRebase, generation: e.generation, clock: now}
	e.t.Visit(v, Values[S]{Base: e.leftAs, Want: e.left, Live: status})
	if v.err != nil {
		return nil, v.err
	}
	if len(v.conflicts) > 0 {
		return nil, fmt.Errorf("mutate edited status.%s through Object() and through a Status taken before it: use one of the two", v.conflicts[0])
	}
	return status, nil
}

// Generation is the metadata.generation that the caller reconciled.
func (e *Edit[T, S]) Generation() int64 {
	if e == nil {
		return 0 // a patch that a test made by hand
	}
	return e.generation
}

// Wrote notes that the setter of a group has written all its members.
func (e *Edit[T, S]) Wrote(status *S, group int) {
	if e == nil || e.written == nil {
		return
	}
	w := e.written
	from := len(w.values.text)
	e.t.Groups[group].Values(&w.values, status)
	w.groups = append(w.groups, writtenGroup{group, from, len(w.values.text)})
}

// Computed notes that this run computed all members of a group.
func (e *Edit[T, S]) Computed(group int) {
	if e == nil {
		return
	}
	if e.computed == nil {
		e.computed = make(groupSet, len(e.t.Groups))
	}
	e.computed[group] = true
}

// mayChange reports whether the group's setter was called, or the group was
// declared computed.
func (e *Edit[T, S]) mayChange(group int) bool {
	return e.computed.has(group) || e.written.has(group)
}

// settle takes a setter's word for a group whose members still have the values
// that it left.
func (e *Edit[T, S]) settle(group int, values []byte) {
	for i := len(e.written.groups) - 1; i >= 0; i-- {
		if g := e.written.groups[i]; g.group == group {
			if bytes.Equal(values, e.written.values.text[g.from:g.to]) {
				e.Computed(group)
			}
			return
		}
	}
}

// checkGroups reports a member that was changed past its setter: on a retry
// such a closure would mix its value with another writer's.
func (e *Edit[T, S]) checkGroups(changed groupSet) error {
	for i := range changed {
		if !changed[i] || e.computed.has(i) {
			continue
		}
		g := &e.t.Groups[i]
		names := make([]string, 0, len(g.Members))
		for _, m := range g.Members {
			names = append(names, memberName(m))
		}
		return fmt.Errorf("a member of the group %s was changed past its setter: call %s with all of them, or %s if this run computed all of them",
			strings.Join(names, ", "), g.Setter, g.Mark)
	}
	return nil
}

// memberName is a member's path as markers write it.
func memberName(path []string) string {
	return strings.ReplaceAll(strings.Join(path, "."), ".[", "[")
}
