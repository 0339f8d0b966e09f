package statuspatch

import "reflect"

// skips reports whether a field need not be looked at where it is the same on
// both sides; member is the field in the tree of members.
func (v *Visitor) skips(member *memberNode) bool {
	return !v.adding && !v.requiredZeros && (v.forced == nil || v.inside == nil && member == nil)
}

// diffField records the difference of the field v.field, and of its members:
// member is the field in their tree.
func diffField[T any, K kind[T]](v *Visitor, member *memberNode, base, want *T, k K) {
	around, inside := v.member, v.inside
	v.member = member
	if member.isMember() {
		v.inside = member
	}
	switch flags := v.field.flags; {
	case v.adding:
		addField(v, &v.field, want, k)
	case flags&OmitZero == 0 && !k.isNull(base) && !k.isNull(want) &&
		(flags&OmitEmpty == 0 || !k.empty(base) && !k.empty(want)):
		k.diff(v, base, want, false) // present on both sides
	default:
		diffPresent(v, &v.field, base, want, k)
	}
	v.member, v.inside = around, inside
}

// addField records a field of a container that the base lacks.
func addField[T any, K kind[T]](v *Visitor, f *fieldInfo, want *T, k K) {
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
func diffPresent[T any, K kind[T]](v *Visitor, f *fieldInfo, base, want *T, k K) {
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
func (v *Visitor) guardAbsence(f *fieldInfo) {
	if v.tests && len(v.containers) > 0 && v.member.holds(v.forced) {
		v.record(f.name, opAbsent)
	}
}

func removeField[T any, K kind[T]](v *Visitor, f *fieldInfo, base *T, wp presence, k K) {
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
	k.lose(v, base)
}

// baseJSON is the JSON that a test compares with, nil where there are no tests.
func baseJSON[T any, K kind[T]](v *Visitor, base *T, k K) []byte {
	if !v.tests && k.zero(v, base) {
		return nil // written by others, it may be absent
	}
	return storedJSON(v, base, k)
}

// storedJSON is baseJSON for a value that is certainly stored. A list or a map
// that is nil in a list is stored as null, which written does not say.
func storedJSON[T any, K kind[T]](v *Visitor, base *T, k K) []byte {
	if !v.tests {
		return storedSomehow
	}
	v.nilEntries = v.nilEntries || holdsNilEntry(reflect.ValueOf(base).Elem())
	return written(v, base, k)
}

// markIf notes that the member that is being visited changed.
func (v *Visitor) markIf(changed bool) {
	if changed && v.inside != nil && !v.inside.passive {
		v.changed[v.inside.group] = true
	}
}

// inForced reports whether what is being visited goes out although it did not change.
func (v *Visitor) inForced() bool { return v.inside != nil && v.forced.has(v.inside.group) }

// storedSomehow stands for a base value that is there and will not be tested.
var storedSomehow = []byte{}
