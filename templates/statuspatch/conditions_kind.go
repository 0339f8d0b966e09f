package statuspatch

import "encoding/json"

// conditionsKind is the kind of lists of conditions: normalised against the
// base before they are compared, and edited entry by entry in a JSON patch.
type conditionsKind[L ~[]C, C any] struct{ t *ConditionType[C] }

// ConditionsOf is the kind of lists of conditions of the type t.
func ConditionsOf[L ~[]C, C any](t *ConditionType[C]) conditionsKind[L, C] {
	return conditionsKind[L, C]{t}
}

func (k conditionsKind[L, C]) zero(_ *Visitor, x *L) bool  { return *x == nil }
func (k conditionsKind[L, C]) empty(x *L) bool             { return len(*x) == 0 }
func (k conditionsKind[L, C]) isNull(x *L) bool            { return *x == nil }
func (k conditionsKind[L, C]) nilAs() presence             { return present }
func (k conditionsKind[L, C]) composite() bool             { return true }
func (k conditionsKind[L, C]) encode(x *L) ([]byte, error) { return k.t.encodeList(*x) }
func (k conditionsKind[L, C]) freeze(_ *Visitor, x *L)     { *x = append(L(nil), *x...) }

func (k conditionsKind[L, C]) equal(v *Visitor, a, b *L) bool {
	return (*a == nil) == (*b == nil) && k.t.untouched(v, *a, *b)
}

func (k conditionsKind[L, C]) diff(v *Visitor, base, want *L, _ bool) {
	f := v.field
	if !v.verbatim {
		*want = k.t.normalise(v, *base, *want)
	}
	entries := k.entryChanges(v, *base, *want)
	if len(entries) == 0 {
		return
	}
	raw, err := k.t.encodeList(*want)
	v.fail(err)
	c := v.record(&change{name: f.name, op: opConditions, want: raw, base: storedSomehow, entries: entries})
	if v.tests {
		c.base = baseJSON(v, base, k)
	}
}

// entryChanges lists the conditions that differ, and those that go out for
// their group, and marks the groups whose conditions changed.
func (k conditionsKind[L, C]) entryChanges(v *Visitor, base, want L) []entryChange {
	var entries []entryChange
	for i := range want {
		conditionType := k.t.typeOf(&want[i])
		at := k.t.find(base, conditionType)
		same := at >= 0 && (&base[at] == &want[i] || k.t.equal(v, &base[at], &want[i]))
		if !same || k.inGroup(v, conditionType, !same) {
			if !same {
				k.inGroup(v, conditionType, true)
			}
			entries = append(entries, entryChange{
				index: at, typ: conditionType, unchanged: same,
				base: k.entryJSON(v, base, at), want: k.entryJSON(v, want, i),
			})
		}
	}
	for i := range base {
		conditionType := k.t.typeOf(&base[i])
		if k.t.find(want, conditionType) < 0 {
			k.inGroup(v, conditionType, true)
			entries = append(entries, entryChange{index: i, typ: conditionType, base: k.entryJSON(v, base, i)})
		}
	}
	return entries
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
	raw, err := json.Marshal(&list[at])
	v.fail(err)
	return raw
}

func (k conditionsKind[L, C]) add(v *Visitor, want *L) {
	f := v.field
	if !v.verbatim {
		*want = k.t.normalise(v, nil, *want)
	}
	list := *want
	if v.only {
		if list = k.members(v, *want); len(list) == 0 {
			return
		}
	}
	raw, err := k.t.encodeList(list)
	v.fail(err)
	for i := range list {
		k.inGroup(v, k.t.typeOf(&list[i]), true)
	}
	v.record(&change{name: f.name, op: opConditions, want: raw})
}

// members are the conditions in a list that go out for their group.
func (k conditionsKind[L, C]) members(v *Visitor, list L) L {
	var in L
	for i := range list {
		if k.inGroup(v, k.t.typeOf(&list[i]), false) {
			in = append(in, list[i])
		}
	}
	return in
}

// clear removes the conditions one by one, each under a test.
func (k conditionsKind[L, C]) clear(v *Visitor, base *L) bool {
	var none L
	k.diff(v, base, &none, true)
	return true
}

func (k conditionsKind[L, C]) lose(v *Visitor, base *L) {
	for i := range *base {
		k.inGroup(v, k.t.typeOf(&(*base)[i]), true)
	}
}

// rebase lets the caller win on the conditions that he changed, or that are
// members of a group that goes out whole, and leaves the others as they are.
func (k conditionsKind[L, C]) rebase(v *Visitor, base, want, live *L) {
	edited := L(k.t.normalise(v, *base, *want))
	onto := append(L(nil), *live...)
	for i := range edited {
		conditionType := k.t.typeOf(&edited[i])
		b := k.t.find(*base, conditionType)
		if b >= 0 && k.t.equal(v, &(*base)[b], &edited[i]) && !k.inGroup(v, conditionType, false) {
			continue
		}
		if at := k.t.find(onto, conditionType); at >= 0 {
			onto[at] = edited[i]
		} else {
			onto = append(onto, edited[i])
		}
	}
	for i := range *base {
		if conditionType := k.t.typeOf(&(*base)[i]); k.t.find(edited, conditionType) < 0 {
			RemoveCondition(&onto, k.t, conditionType)
		}
	}
	*live = onto
}

func (k conditionsKind[L, C]) flips(v *Visitor, base, want *L) {
	for i := range *want {
		c := k.t.Fields(&(*want)[i])
		at := k.t.find(*base, *c.Type)
		if at < 0 || *k.t.Fields(&(*base)[at]).Status != *c.Status {
			v.flipped = append(v.flipped, *c.Type)
		}
	}
	for i := range *base {
		if conditionType := k.t.typeOf(&(*base)[i]); k.t.find(*want, conditionType) < 0 {
			v.flipped = append(v.flipped, conditionType)
		}
	}
}
