package statuspatch

import (
	"fmt"
	"strings"
)

// Edit is the working copy that one run of a mutate function edits, or in the
// deferred form the caller's object itself.
type Edit[T, S any] struct {
	// Status is what is edited.
	Status *S

	t          *Type[T, S]
	caller     *T
	work       *T // nil in the deferred form
	whole      bool
	generation int64
	// written are the members of each group as its setter left them; computed
	// are the groups that the caller declared computed.
	written  map[int]string
	computed groupSet
}

// Object is the caller's spec and metadata around the status that is edited.
func (e *Edit[T, S]) Object() *T {
	if e == nil {
		return nil
	}
	if e.work == nil {
		return e.caller
	}
	if !e.whole {
		status := *e.t.statusOf(e.work)
		held := e.t.Status(e.work)
		copied, ok := e.t.Object(e.caller).DeepCopyObject().(any).(*T)
		if !ok {
			return e.work
		}
		*e.work = *copied
		if held != e.t.Status(e.work) {
			e.t.SetStatus(e.work, held) // by pointer
		} else {
			*held = status
		}
		e.whole = true
	}
	return e.work
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
	if e == nil || e.work == nil {
		return
	}
	if e.written == nil {
		e.written = map[int]string{}
	}
	e.written[group] = e.t.memberValues(status, group)
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

// memberValues is a text that tells the values of a group's members.
func (t *Type[T, S]) memberValues(status *S, group int) string {
	forced := make(groupSet, len(t.Groups))
	forced[group] = true
	v := &Visitor{
		only: true, verbatim: true, member: t.members, forced: forced, changed: make(groupSet, len(t.Groups)),
		insistent: true,
	}
	var none S
	root := v.begin()
	v.inObject("", true, func() { t.Visit(v, Values[S]{Base: &none, Want: status}) })
	return string(appendMerge(nil, root))
}

// settle takes the setters' word for the groups whose members still are as
// the setters left them.
func (e *Edit[T, S]) settle() {
	for group, written := range e.written {
		if written == e.t.memberValues(e.Status, group) {
			e.Computed(group)
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
