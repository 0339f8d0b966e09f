package statuspatch

import (
	"bytes"
	"encoding/json"
)

// memory is what a visitor records in. It is used again by the next diff.
type memory struct {
	changes    []change
	entries    []entryChange
	containers []container
	text       []byte // JSON of values
	body       []byte // a merge patch
	changed    groupSet
	forced     groupSet
}

// spacious reports whether so much memory was used that it is better let go.
func (m *memory) spacious() bool {
	return cap(m.text) > 1<<16 || cap(m.body) > 1<<16 || cap(m.changes) > 1<<8 || cap(m.entries) > 1<<8
}

// record puts a change below the container that is being visited, in a tree.
func (v *Visitor) record(name string, op operation) *change {
	c := v.newChange(name, op)
	v.container(len(v.containers) - 1).append(c)
	return c
}

// newChange gives a change a place, where it stays.
func (v *Visitor) newChange(name string, op operation) *change {
	m := &v.memory
	n := len(m.changes)
	if n == cap(m.changes) {
		m.changes, n = make([]change, 0, max(8, 2*n)), 0 // more room, beside the old
	}
	m.changes = m.changes[:n+1]
	c := &m.changes[n]
	*c = change{name: name, op: op}
	return c
}

// written is the JSON of a value.
func written[T any, K kind[T]](v *Visitor, x *T, k K) []byte {
	from := len(v.memory.text)
	text, err := k.encode(v.memory.text, x)
	v.fail(err)
	v.memory.text = text
	return text[from:len(text):len(text)]
}

// container is an object that is being visited. Its change is made when
// something below it is recorded.
type container struct {
	name    string
	added   bool
	inAdded bool // the one around it is added
	unsure  bool
	// fromZero says that it is a struct by value, whose zero fields are no change.
	fromZero bool

	made *change // in a tree
	open bool    // in a merge patch
}

// container is the change of a container, which is made, with those around it,
// if it is not yet.
func (v *Visitor) container(at int) *change {
	c := &v.containers[at]
	if c.made == nil {
		c.made = v.newChange(c.name, opObject)
		c.made.added, c.made.unsure = c.added, c.unsure
		if at == 0 {
			v.root = c.made
		} else {
			v.container(at - 1).append(c.made)
		}
	}
	return c.made
}

// set records a value. base is nil where there is none; unchanged says that the
// value is sent for its group or the schema alone.
func (v *Visitor) set(f *fieldInfo, want, base []byte, unchanged bool) {
	if f.has(Quoted) {
		want, base = quote(want), quote(base)
	}
	if v.merging {
		v.merge(f.name, want)
		return
	}
	c := v.record(f.name, opSet)
	c.want, c.base, c.unchanged = want, base, unchanged
}

// setWhole records a value that may hold nulls, which a merge patch would drop.
func (v *Visitor) setWhole(f *fieldInfo, want, base []byte, unchanged bool) {
	v.nulls = v.nulls || len(want) >= len("null") && holdsNull(want)
	v.set(f, want, base, unchanged)
}

func (v *Visitor) setNull(f *fieldInfo, base []byte) {
	v.nulls = true
	v.set(f, []byte("null"), base, false)
}

func (v *Visitor) remove(f *fieldInfo, base []byte) {
	if v.merging {
		v.merge(f.name, []byte("null"))
		return
	}
	if base != nil && f.has(Quoted) {
		base = quote(base)
	}
	c := v.record(f.name, opRemove)
	c.base, c.unchanged = base, base == nil
}

// setConditions records a list of conditions.
func (v *Visitor) setConditions(f *fieldInfo, want, base []byte, entries []entryChange) {
	if v.merging {
		v.merge(f.name, want)
		return
	}
	c := v.record(f.name, opConditions)
	c.want, c.base, c.entries = want, base, entries
}

// enter begins the visit of what is below a container that is being diffed.
// Nothing is recorded of it where nothing comes of it, unless it is added.
func (v *Visitor) enter(name string, added bool) {
	v.containers = append(v.containers, container{
		name: name, added: added, unsure: v.unsure, fromZero: v.fromZero, inAdded: v.adding,
	})
	v.adding, v.unsure, v.fromZero = added, false, false
}

// leave ends the visit of the innermost container.
func (v *Visitor) leave() {
	last := len(v.containers) - 1
	c := &v.containers[last]
	switch {
	case !c.added:
	case v.merging:
		v.open(last)
	default:
		v.container(last)
	}
	if c.open {
		v.memory.body = append(v.memory.body, '}')
	}
	v.adding = c.inAdded
	v.containers = v.containers[:last]
}

// scratch is a visit for the sake of the marks alone, and what it must put back.
type scratch struct {
	forced groupSet
	nulls  bool
	body   int
}

// enterScratch begins a visit of which nothing stays that is recorded.
func (v *Visitor) enterScratch() scratch {
	s := scratch{forced: v.forced, nulls: v.nulls, body: len(v.memory.body)}
	v.forced = nil
	v.enter("", false)
	c := &v.containers[len(v.containers)-1]
	c.made, c.open = &change{op: opObject}, v.merging
	return s
}

func (v *Visitor) leaveScratch(s scratch) {
	v.leave()
	v.forced, v.nulls, v.memory.body = s.forced, s.nulls, v.memory.body[:s.body]
}

// quote wraps the JSON of a value as the option "string" of a json tag does.
func quote(raw []byte) []byte {
	if raw == nil || bytes.Equal(raw, []byte("null")) {
		return raw
	}
	q, err := json.Marshal(string(raw))
	if err != nil {
		return raw
	}
	return q
}
