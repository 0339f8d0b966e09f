package statuspatch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Values are the statuses, or the structs within them, that one visit looks at
// side by side. Live is set where a visit rebases.
type Values[S any] struct {
	Base, Want, Live *S
}

// mode is what a visit does at each field.
type mode uint8

const (
	modeDiff    mode = iota // record what differs between Base and Want
	modeEqual               // see whether Base and Want have the same JSON
	modeZero                // see whether Want is zero
	modeFreeze              // make Want, a shallow copy, safe from edits of the original, in Base's room
	modeRebase              // carry what differs between Base and Want over to Live
	modeFlipped             // collect the conditions whose status differs
	modeMembers             // write down the members of a group in Want
	modeEncode              // write Want's JSON
)

// Visitor goes through the fields of a status. Generated functions call it
// with one line for each field.
type Visitor struct {
	mode mode
	err  error

	// modeEqual and modeZero: the answer, and the first field that gave it.
	differs  bool
	where    string
	identity bool // values behind the same pointer need no look

	// modeDiff
	field         fieldInfo   // the field that is being visited
	containers    []container // the containers that it is in, the innermost last
	room          [6]container
	root          *change     // what was recorded of the outermost
	changes       []change    // room for what is recorded
	marks         [8]bool     // room for changed
	member        *memberNode // the same container in the tree of members
	inside        *memberNode // the member that is being visited, nil outside
	changed       groupSet    // groups of which a member changed
	forced        groupSet    // groups to be sent whole
	adding        bool        // the container is absent in the base
	tests         bool        // base values are needed
	keepUnknown   bool        // maps are cleared key by key
	requiredZeros bool        // required fields are sent although they are zero
	zeroStructs   zeroStructs // what is taken for true of structs that are zero in the base
	unsure        bool        // the next container may be there
	fromZero      bool        // the next container is a struct by value that was zero

	// modeRebase: where the visit is, and what both sides changed.
	path      []string
	conflicts []string

	// modeFlipped
	flipped []string

	// modeMembers and modeEncode: what was written.
	group int
	text  []byte

	// For conditions.
	generation int64
	clock      *clock
}

func (v *Visitor) fail(err error) {
	if v.err == nil && err != nil {
		v.err = err
	}
}

// Flags say how a field's zero, nil and empty values are written.
type Flags uint8

const (
	// OmitEmpty and OmitZero are the options of the field's json tag.
	OmitEmpty Flags = 1 << iota
	OmitZero
	// Quoted is the json tag's option "string".
	Quoted
	// Required is whether the schema asks for the field.
	Required
	// Nullable is whether the schema lets null be stored.
	Nullable
)

// fieldInfo is what the schema knows of a field.
type fieldInfo struct {
	name       string
	flags      Flags
	hasDefault bool
	defaultTo  string // JSON
}

func (f fieldInfo) has(flag Flags) bool { return f.flags&flag != 0 }

// presence is whether and how a value stands in the stored JSON.
type presence uint8

const (
	absent presence = iota
	null
	present
)

// kind knows one kind of value: how it compares, and how a difference is
// written. Its methods take the values by pointer; none is nil.
type kind[T any] interface {
	// zero reports whether x is Go's zero value, empty whether encoding/json
	// takes it for empty, and isNull whether it encodes as null.
	zero(v *Visitor, x *T) bool
	empty(x *T) bool
	isNull(x *T) bool
	// nilAs is how the server is told of a nil in a required field that is not nullable.
	nilAs() presence
	// identical reports whether a look at a and b shows that they have the same
	// JSON; false means nothing.
	identical(a, b *T) bool
	// equal reports whether a and b have the same JSON, neither being left out.
	equal(v *Visitor, a, b *T) bool
	// encode is the value's JSON, as the server is to store it: without the nulls
	// that it drops, with the zeros that it misses or has a default for.
	encode(x *T) ([]byte, error)
	// diff and add work on the field v.field. diff records what differs; sure says that the base value is certainly stored.
	diff(v *Visitor, base, want *T, sure bool)
	// add records the whole of want, which the base lacks.
	add(v *Visitor, want *T)
	// clear records the removal of base key by key, if it has keys that others may write.
	clear(v *Visitor, base *T) bool
	// lose tells the visitor which members go away with base.
	lose(v *Visitor, base *T)
	// freeze copies what an edit of the original's top level would reach, into
	// the room of an old copy.
	freeze(v *Visitor, old, x *T)
	// rebase sets in live what differs between base and want.
	rebase(v *Visitor, base, want, live *T)
	// composite reports whether values merge key by key rather than whole.
	composite() bool
	// descend goes on below in the modes that only look: modeFlipped and modeMembers.
	descend(v *Visitor, base, want *T)
}

// Field visits one field of a struct: get gives its address, and k knows its
// kind of value.
func Field[S, T any, K kind[T]](v *Visitor, s Values[S], name string, flags Flags, get func(*S) *T, k K) {
	visitField(v, s, fieldInfo{name: name, flags: flags}, get, k)
}

// DefaultedField is Field for one that the server gives a default, which is
// JSON.
func DefaultedField[S, T any, K kind[T]](v *Visitor, s Values[S], name string, flags Flags, defaultTo string, get func(*S) *T, k K) {
	visitField(v, s, fieldInfo{name: name, flags: flags, hasDefault: true, defaultTo: defaultTo}, get, k)
}

func visitField[S, T any, K kind[T]](v *Visitor, s Values[S], f fieldInfo, get func(*S) *T, k K) {
	switch v.mode {
	case modeDiff:
		if !v.adding && !v.insists(f.name) && k.identical(get(s.Base), get(s.Want)) {
			return
		}
		diffField(v, f, get(s.Base), get(s.Want), k)
	case modeEqual:
		if !v.differs && !k.identical(get(s.Base), get(s.Want)) && !sameJSON(v, f, get(s.Base), get(s.Want), k) {
			v.differs = true
			v.where = joinPath(f.name, v.where)
		}
	case modeZero:
		if x := get(s.Want); !v.differs && !omitted(v, f, x, k) {
			v.differs = !k.zero(v, x)
		}
	case modeFreeze:
		k.freeze(v, get(s.Base), get(s.Want))
	case modeRebase:
		rebaseField(v, f, get(s.Base), get(s.Want), get(s.Live), k)
	case modeFlipped:
		k.descend(v, get(s.Base), get(s.Want))
	case modeMembers:
		membersField(v, f, get(s.Want), k)
	case modeEncode:
		encodeField(v, f, get(s.Want), k)
	}
}

// encodeField writes a field of a struct that is sent, or tested for, whole.
func encodeField[T any, K kind[T]](v *Visitor, f fieldInfo, x *T, k K) {
	raw, err := []byte("null"), error(nil)
	switch wantedPresence(v, f, x, k) {
	case absent:
		return
	case present:
		raw, err = k.encode(x)
	}
	v.fail(err)
	if f.has(Quoted) {
		raw = quote(raw)
	}
	v.appendKey(f.name, raw)
}

// appendKey writes a key of an object that was begun, and its value.
func (v *Visitor) appendKey(name string, value []byte) {
	if len(v.text) > 1 {
		v.text = append(v.text, ',')
	}
	v.text = append(append(appendString(v.text, name), ':'), value...)
}

func joinPath(name, below string) string {
	if below == "" {
		return name
	}
	return name + "." + below
}

// omitted reports whether encoding/json leaves x out.
func omitted[T any, K kind[T]](v *Visitor, f fieldInfo, x *T, k K) bool {
	return f.has(OmitEmpty) && k.empty(x) || f.has(OmitZero) && leftOutAsZero(v, x, k)
}

// leftOutAsZero is encoding/json's rule for omitzero: a type's own IsZero decides,
// where it has one. A struct that writes nothing is zero, whatever it holds.
func leftOutAsZero[T any, K kind[T]](v *Visitor, x *T, k K) bool {
	if z, ok := any(*x).(interface{ IsZero() bool }); ok {
		held := reflect.ValueOf(x).Elem()
		return held.Kind() == reflect.Pointer && held.IsNil() || z.IsZero()
	}
	if z, ok := any(x).(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return k.zero(v, x)
}

// sameJSON reports whether encoding/json writes a and b alike.
func sameJSON[T any, K kind[T]](v *Visitor, f fieldInfo, a, b *T, k K) bool {
	ao, bo := omitted(v, f, a, k), omitted(v, f, b, k)
	if ao || bo {
		return ao == bo || k.isNull(a) && k.isNull(b)
	}
	return k.equal(v, a, b)
}

// wantedPresence is how the wanted value x has to stand in what is stored.
func wantedPresence[T any, K kind[T]](v *Visitor, f fieldInfo, x *T, k K) presence {
	switch {
	case k.isNull(x):
		switch {
		case omitted(v, f, x, k):
			return absent
		case f.has(Nullable):
			return null
		case !f.has(Required):
			return absent
		default:
			return k.nilAs()
		}
	case omitted(v, f, x, k):
		// Left out, the server would put its default here, or miss the field.
		if f.hasDefault || f.has(Required) {
			return present
		}
		return absent
	}
	return present
}

// basePresence is how the base value x stands in what is stored, as far as Go
// can tell: where it is nil, nothing is known to be there.
func basePresence[T any, K kind[T]](v *Visitor, f fieldInfo, x *T, k K) presence {
	if k.isNull(x) || omitted(v, f, x, k) && !f.hasDefault && !f.has(Required) {
		return absent
	}
	return present
}

// diffField records the difference of one field, and of its members.
func diffField[T any, K kind[T]](v *Visitor, f fieldInfo, base, want *T, k K) {
	member, inside := v.member, v.inside
	v.member = member.child(f.name)
	if v.member.isMember() {
		v.inside = v.member
	}
	v.field = f
	if v.adding {
		addField(v, f, want, k)
	} else {
		diffPresent(v, f, base, want, k)
	}
	v.member, v.inside = member, inside
}

// addField records a field of a container that the base lacks.
func addField[T any, K kind[T]](v *Visitor, f fieldInfo, want *T, k K) {
	switch wantedPresence(v, f, want, k) {
	case present:
		fromZero := v.containers[len(v.containers)-1].fromZero
		if fromZero && !f.has(Required) && !f.hasDefault && !v.member.holds(v.forced) && !v.inForced() && k.zero(v, want) {
			return // as it was, and the server does not ask for it
		}
		v.fromZero = fromZero
		k.add(v, want)
		v.fromZero = false
		v.markIf(!k.zero(v, want))
	case null:
		v.setNull(f, nil)
	default:
		if v.inForced() {
			v.remove(f, nil) // the server may have one
		}
	}
}

// diffPresent records a field by where it is present: in the base, in what is
// wanted, or in both.
func diffPresent[T any, K kind[T]](v *Visitor, f fieldInfo, base, want *T, k K) {
	bp, wp := basePresence(v, f, base, k), wantedPresence(v, f, want, k)
	if f.hasDefault && wp == absent && bp == present && k.isNull(want) && isDefault(v, f, base, k) {
		want, wp = base, present
	}
	if wp == present && k.nilAs() == present && !k.isNull(base) {
		bp = present // empty and not nil was read: the server has it
	}
	switch {
	case bp == present && wp == present:
		k.diff(v, base, want, false)
	case bp == present:
		removeField(v, f, base, wp, k)
	case k.isNull(base) && k.isNull(want) && !v.inForced() && !(v.requiredZeros && f.has(Required)):
		// Nil stands for whatever is there, unless members of a group are below.
		v.guardAbsence(f)
	case wp == present:
		k.add(v, want)
		v.markIf(!k.isNull(base) || !k.isNull(want))
	case wp == null:
		v.setNull(f, nil)
	case v.inForced():
		v.remove(f, nil)
	default:
		v.guardAbsence(f)
	}
}

// guardAbsence has it tested that a container is absent, as it is in the base,
// where members of a group that goes out are below: another writer's are then
// not mixed with the others of the group.
func (v *Visitor) guardAbsence(f fieldInfo) {
	if v.tests && v.member.holds(v.forced) {
		v.record(change{name: f.name, op: opAbsent})
	}
}

func removeField[T any, K kind[T]](v *Visitor, f fieldInfo, base *T, wp presence, k K) {
	v.markIf(true)
	if v.keepUnknown && wp == absent && !f.hasDefault && k.clear(v, base) {
		return
	}
	raw := baseJSON(v, base, k)
	if wp == null {
		v.setNull(f, raw)
	} else {
		v.remove(f, raw)
	}
	if v.member != nil && len(v.member.below) > 0 {
		k.lose(v, base)
	}
}

// baseJSON is the JSON that a test compares with, nil where there are no tests.
func baseJSON[T any, K kind[T]](v *Visitor, base *T, k K) []byte {
	if !v.tests {
		if k.zero(v, base) {
			return nil // written by others, it may be absent
		}
		return storedSomehow
	}
	raw, err := k.encode(base)
	v.fail(err)
	return raw
}

// isDefault reports whether x is what the server would put for nil.
func isDefault[T any, K kind[T]](v *Visitor, f fieldInfo, x *T, k K) bool {
	raw, err := k.encode(x)
	v.fail(err)
	if f.has(Quoted) {
		raw = quote(raw)
	}
	return sameTrees(raw, []byte(f.defaultTo))
}

// membersField writes down what of a field is a member of the visitor's group.
func membersField[T any, K kind[T]](v *Visitor, f fieldInfo, x *T, k K) {
	node := v.member.child(f.name)
	switch {
	case node == nil:
	case node.isMember():
		if node.group == v.group && !node.passive {
			text, ok := appendScalar(v.text, x)
			if !ok {
				raw, err := k.encode(x)
				v.fail(err)
				text = append(v.text, raw...)
			}
			v.text = append(text, ',')
		}
	default:
		member := v.member
		v.member = node
		k.descend(v, x, x)
		v.member = member
	}
}

// markIf notes that the member that is being visited changed.
func (v *Visitor) markIf(changed bool) {
	if changed && v.inside != nil && !v.inside.passive {
		v.changed[v.inside.group] = true
	}
}

// inForced reports whether what is being visited goes out although it did not change.
func (v *Visitor) inForced() bool { return v.inside != nil && v.forced.has(v.inside.group) }

// insists reports whether a field may go out although it is the same.
func (v *Visitor) insists(name string) bool {
	return v.requiredZeros || v.forced != nil && (v.inside != nil || v.member.child(name) != nil)
}

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

// rebaseField carries the caller's change of one field over to what is live.
func rebaseField[T any, K kind[T]](v *Visitor, f fieldInfo, base, want, live *T, k K) {
	member, inside := v.member, v.inside
	v.member = member.child(f.name)
	if v.member.isMember() {
		v.inside = v.member
	}
	v.path = append(v.path, f.name)
	switch {
	case v.inForced() && v.inside.passive:
	case v.inForced():
		*live = *want
	case sameJSON(v, f, base, want, k) && !(v.forced.any() && v.member != nil):
	default:
		k.rebase(v, base, want, live)
	}
	v.path = v.path[:len(v.path)-1]
	v.member, v.inside = member, inside
}

// bothChanged notes a conflict where the visit is.
func (v *Visitor) bothChanged() { v.conflicts = append(v.conflicts, strings.Join(v.path, ".")) }

// conflictsError is what a caller of a deferred patch gets if he and another
// writer changed the same field.
func (v *Visitor) conflictsError() error {
	if len(v.conflicts) == 0 {
		return nil
	}
	return fmt.Errorf("status.%s was changed by another writer too", strings.Join(v.conflicts, ", status."))
}

// storedSomehow stands for a base value that is there and will not be tested.
var storedSomehow = []byte{}
