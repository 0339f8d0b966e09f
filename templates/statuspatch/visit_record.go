package statuspatch

import (
	"bytes"
	"encoding/json"
)

func (v *Visitor) record(c change) *change {
	into := v.container(len(v.containers) - 1)
	if into.below == nil {
		into.below = make([]*change, 0, 8)
	}
	kept := v.keep(c)
	into.below = append(into.below, kept)
	return kept
}

// keep gives a change a place; several at a time are made room for.
func (v *Visitor) keep(c change) *change {
	if len(v.changes) == cap(v.changes) {
		v.changes = make([]change, 0, 4)
	}
	v.changes = append(v.changes, c)
	return &v.changes[len(v.changes)-1]
}

// container is an object that is being visited. Its change is made when
// something below it is recorded.
type container struct {
	name   string
	added  bool
	unsure bool
	// fromZero says that it is a struct by value, whose zero fields are no change.
	fromZero bool
	made     *change
}

// container is the change of a container, which is made, with those around it,
// if it is not yet.
func (v *Visitor) container(at int) *change {
	c := &v.containers[at]
	if c.made == nil {
		c.made = v.keep(change{name: c.name, op: opObject, added: c.added, unsure: c.unsure})
		if at == 0 {
			v.root = c.made
		} else {
			around := v.container(at - 1)
			around.below = append(around.below, c.made)
		}
	}
	return c.made
}

// set records a value. base is nil where there is none.
func (v *Visitor) set(f fieldInfo, want, base []byte, unchanged bool) *change {
	if f.has(Quoted) {
		want, base = quote(want), quote(base)
	}
	return v.record(change{name: f.name, op: opSet, want: want, base: base, unchanged: unchanged})
}

// setWhole records a value that may hold nulls, which a merge patch would drop.
func (v *Visitor) setWhole(f fieldInfo, want, base []byte, unchanged bool) {
	v.set(f, want, base, unchanged).storesNull = holdsNull(want)
}

func (v *Visitor) setNull(f fieldInfo, base []byte) {
	c := v.set(f, []byte("null"), base, false)
	c.storesNull = true
}

func (v *Visitor) remove(f fieldInfo, base []byte) {
	if base != nil && f.has(Quoted) {
		base = quote(base)
	}
	v.record(change{name: f.name, op: opRemove, base: base, unchanged: base == nil})
}

// inObject visits what is below a container that is being diffed. Nothing is
// recorded of it where nothing came of it, unless it is added.
func (v *Visitor) inObject(name string, added bool, visit func()) {
	adding := v.adding
	if v.containers == nil {
		v.containers = v.room[:0]
	}
	v.containers, v.adding = append(v.containers, container{name: name, added: added, unsure: v.unsure, fromZero: v.fromZero}), added
	v.unsure, v.fromZero = false, false
	visit()
	last := len(v.containers) - 1
	if added {
		v.container(last)
	}
	v.containers, v.adding = v.containers[:last], adding
}

// scratch visits for the sake of the marks alone.
func (v *Visitor) scratch(visit func()) {
	forced, adding := v.forced, v.adding
	v.containers = append(v.containers, container{made: &change{op: opObject}})
	v.forced, v.adding = nil, false
	visit()
	v.containers = v.containers[:len(v.containers)-1]
	v.forced, v.adding = forced, adding
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
