package statuspatch

import (
	"slices"
	"strings"
)

// conditionsKind is the kind of lists of conditions: normalised against the
// base before they are compared, and edited entry by entry in a JSON patch.
type conditionsKind[L ~[]C, C any] struct{ t *ConditionType[C] }

// ConditionsOf is the kind of lists of conditions of the type t.
func ConditionsOf[L ~[]C, C any](t *ConditionType[C]) conditionsKind[L, C] {
	return conditionsKind[L, C]{t}
}

func (k conditionsKind[L, C]) identical(a, b *L) bool {
	return *a == nil && *b == nil || k.t.Same != nil && SameListOf(*a, *b, k.t.Same)
}
func (k conditionsKind[L, C]) zero(_ *Visitor, x *L) bool             { return *x == nil }
func (k conditionsKind[L, C]) empty(x *L) bool                        { return len(*x) == 0 }
func (k conditionsKind[L, C]) isNull(x *L) bool                       { return *x == nil }
func (k conditionsKind[L, C]) nilAs() presence                        { return present }
func (k conditionsKind[L, C]) composite() bool                        { return true }
func (k conditionsKind[L, C]) encode(to []byte, x *L) ([]byte, error) { return k.t.appendList(to, *x) }

func (k conditionsKind[L, C]) equal(v *Visitor, a, b *L) bool {
	return (*a == nil) == (*b == nil) && k.t.untouched(v, *a, *b)
}

func (k conditionsKind[L, C]) diff(v *Visitor, base, want *L, _ bool) {
	f := &v.field
	inBase, room := k.t.index(*base), k.t.room()
	defer k.t.giveBack(room)
	list, edited := k.t.normalise(v, *base, *want, &inBase, room)
	entries := k.entryChanges(v, *base, list, &inBase, edited)
	if len(entries) == 0 {
		return
	}
	v.setConditions(f, k.writtenList(v, list), storedJSON(v, base, k), entries)
}

// writtenList is the JSON of a list.
func (k conditionsKind[L, C]) writtenList(v *Visitor, list L) []byte { return written(v, &list, k) }

// entryChanges lists the conditions that differ, and those that go out for
// their group, and marks the groups whose conditions changed.
func (k conditionsKind[L, C]) entryChanges(v *Visitor, base, want L, inBase *conditionIndex, edited bool) []entryChange {
	inWant := k.t.index(want)
	m := &v.memory
	from := len(m.entries)
	for i := range want {
		conditionType := k.t.typeOf(&want[i])
		if inWant.find(conditionType, i) != i {
			continue // an older duplicate in a list that no one edited
		}
		at := inBase.find(conditionType, i)
		same := at >= 0 && (!edited || k.t.equal(v, &base[at], &want[i]))
		if forced := k.inGroup(v, conditionType, !same); same && !forced {
			continue
		}
		if at < 0 || !same && *k.t.Fields(&base[at]).Status != *k.t.Fields(&want[i]).Status {
			v.flip(conditionType)
		}
		m.entries = append(m.entries, entryChange{
			index: at, typeKey: k.t.typeKey(), typ: conditionType, unchanged: same,
			base: k.entryJSON(v, base, at), want: k.entryJSON(v, want, i),
		})
	}
	for i := range base {
		conditionType := k.t.typeOf(&base[i])
		stays := inWant.find(conditionType, i) >= 0
		if !edited || stays && inBase.find(conditionType, i) == i {
			continue
		}
		if !stays {
			v.flip(conditionType)
		}
		k.inGroup(v, conditionType, !stays) // an older duplicate is no change
		m.entries = append(m.entries, entryChange{index: i, typ: conditionType, base: k.entryJSON(v, base, i)})
	}
	if v.tests {
		k.absentMembers(v, inBase, &inWant)
	}
	return m.entries[from:len(m.entries):len(m.entries)]
}

// absentMembers adds the conditions that go out for their group and are in
// neither list: what is to be tested is that no one added them.
func (k conditionsKind[L, C]) absentMembers(v *Visitor, inBase, inWant *conditionIndex) {
	for _, conditionType := range v.forcedConditions() {
		if inBase.find(conditionType, 0) < 0 && inWant.find(conditionType, 0) < 0 {
			v.memory.entries = append(v.memory.entries, entryChange{index: -1, typ: conditionType, unchanged: true})
		}
	}
}

// inGroup marks the group of a condition if the condition changed, and reports
// whether the group goes out whole.
func (k conditionsKind[L, C]) inGroup(v *Visitor, conditionType string, changed bool) bool {
	node := v.member.condition(conditionType)
	if node == nil {
		return v.inForced()
	}
	if changed {
		v.changed[node.group] = true
	}
	return v.forced.has(node.group)
}

// entryJSON is a condition's JSON, where a JSON patch may need it.
func (k conditionsKind[L, C]) entryJSON(v *Visitor, list L, at int) []byte {
	if !v.tests || at < 0 {
		return nil
	}
	return encodeTree(v, &list[at])
}

func (k conditionsKind[L, C]) add(v *Visitor, want *L) {
	f := &v.field
	room := k.t.room()
	defer k.t.giveBack(room)
	list, _ := k.t.normalise(v, nil, *want, &conditionIndex{}, room)
	k.touchAll(v, list)
	v.setConditions(f, k.writtenList(v, list), nil, nil)
}

// clear removes the conditions one by one, each under a test.
func (k conditionsKind[L, C]) clear(v *Visitor, base *L) bool {
	var none L
	k.diff(v, base, &none, true)
	return true
}

func (k conditionsKind[L, C]) lose(v *Visitor, base *L) { k.touchAll(v, *base) }

// touchAll notes that all conditions of a list come or go.
func (k conditionsKind[L, C]) touchAll(v *Visitor, list L) {
	for i := range list {
		conditionType := k.t.typeOf(&list[i])
		k.inGroup(v, conditionType, true)
		v.flip(conditionType)
	}
}

// rebase lets the caller win on the conditions that he changed, or that are
// members of a group that goes out whole, and leaves the others as they are.
func (k conditionsKind[L, C]) rebase(v *Visitor, base, want, live *L) {
	inBase := k.t.index(*base)
	normal, edited := k.t.normalise(v, *base, *want, &inBase, new([]C))
	if !edited && !v.forced.any() {
		return
	}
	inWant, inNormal := k.t.index(*want), k.t.index(normal)
	onto := append(L(nil), *live...)
	inOnto := k.t.index(onto)
	for i := range normal {
		conditionType := k.t.typeOf(&normal[i])
		if inNormal.find(conditionType, i) != i {
			continue // an older duplicate in a list that no one edited
		}
		var from *C
		if b := inBase.find(conditionType, i); b >= 0 {
			from = &(*base)[b]
		}
		if from != nil && k.t.equal(v, from, &normal[i]) && !k.inGroup(v, conditionType, false) {
			continue
		}
		set := k.t.replayed(from, (*want)[inWant.find(conditionType, i)])
		if at := inOnto.find(conditionType, i); at >= 0 {
			onto[at] = set
		} else {
			onto = append(onto, set)
		}
	}
	for i := range *base {
		if conditionType := k.t.typeOf(&(*base)[i]); inNormal.find(conditionType, i) < 0 {
			RemoveCondition(&onto, k.t, conditionType)
		}
	}
	for _, conditionType := range v.forcedConditions() {
		if inNormal.find(conditionType, 0) < 0 {
			RemoveCondition(&onto, k.t, conditionType)
		}
	}
	*live = onto
}

// flip notes a transition, once for conditions of one type in several lists.
func (v *Visitor) flip(conditionType string) {
	if !slices.Contains(v.flipped, conditionType) {
		v.flipped = append(v.flipped, conditionType)
	}
}

// forcedConditions are the types of the conditions in the list that is being
// visited that go out for their group.
func (v *Visitor) forcedConditions() []string {
	if v.member == nil || !v.forced.any() {
		return nil
	}
	var types []string
	for _, c := range v.member.below {
		if name := c.name; v.forced.has(c.group) && strings.HasPrefix(name, "[") {
			types = append(types, name[1:len(name)-1])
		}
	}
	return types
}
