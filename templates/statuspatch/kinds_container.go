package statuspatch

import (
	"reflect"
	"sort"
)

// pointerKind is the kind of pointers.
type pointerKind[T any, K kind[T]] struct{ elem K }

// PointerTo is the kind of pointers to a value of the kind elem.
func PointerTo[T any, K kind[T]](elem K) pointerKind[T, K] { return pointerKind[T, K]{elem} }

func (k pointerKind[T, K]) identical(a, b **T) bool {
	return *a == *b || *a != nil && *b != nil && k.elem.identical(*a, *b)
}
func (k pointerKind[T, K]) zero(_ *Visitor, x **T) bool { return k.isNull(x) }
func (k pointerKind[T, K]) empty(x **T) bool            { return *x == nil }
func (k pointerKind[T, K]) isNull(x **T) bool           { return *x == nil || k.elem.isNull(*x) }
func (k pointerKind[T, K]) nilAs() presence             { return absent }
func (k pointerKind[T, K]) composite() bool             { return k.elem.composite() }
func (k pointerKind[T, K]) equal(v *Visitor, a, b **T) bool {
	if *a == *b || *a == nil || *b == nil {
		return *a == *b
	}
	return k.elem.equal(v, *a, *b)
}
func (k pointerKind[T, K]) encode(to []byte, x **T) ([]byte, error) {
	if *x == nil {
		return append(to, "null"...), nil
	}
	return k.elem.encode(to, *x)
}

func (k pointerKind[T, K]) diff(v *Visitor, base, want **T, _ bool) {
	if *base != *want || v.inForced() || v.forced.any() || v.requiredZeros {
		k.elem.diff(v, *base, *want, true)
	}
}

func (k pointerKind[T, K]) add(v *Visitor, want **T) {
	v.fromZero = false
	k.elem.add(v, *want)
}
func (k pointerKind[T, K]) clear(v *Visitor, base **T) bool { return false }
func (k pointerKind[T, K]) lose(v *Visitor, base **T)       { k.elem.lose(v, *base) }
func (k pointerKind[T, K]) rebase(v *Visitor, base, want, live **T) {
	inGroup := v.member.holds(v.forced)
	switch {
	case *want == nil && *live != nil && k.elem.composite() && inGroup:
		// The members below go away with it; what others put beside them stays.
		from, none := *base, new(T)
		if from == nil {
			from = none
		}
		if k.elem.rebase(v, from, none, *live); from != none && k.elem.zero(v, *live) {
			*live = nil
		}
	case *want != nil && k.elem.composite() && (*live != nil || inGroup):
		from, onto := *base, *live
		if from == nil {
			from = new(T)
		}
		if onto == nil {
			onto = new(T)
		}
		k.elem.rebase(v, from, *want, onto)
		if *live != nil || !k.elem.zero(v, onto) {
			*live = onto
		}
	case !rebaseWhole(v, k, base, want, live):
		v.bothChanged()
	}
}

// structKind is the kind of structs that are visited field by field.
type structKind[S any] struct {
	visit func(*Visitor, Values[S])
	same  func(a, b *S) bool
}

// StructOf is the kind of structs whose fields visit goes through. same, which
// may be nil, is a quick look at whether two are the same: false means nothing.
func StructOf[S any](visit func(*Visitor, Values[S]), same func(a, b *S) bool) structKind[S] {
	return structKind[S]{visit, same}
}

func (k structKind[S]) identical(a, b *S) bool { return a == b || k.same != nil && k.same(a, b) }

func (k structKind[S]) zero(v *Visitor, x *S) bool {
	mode, differs := v.mode, v.differs
	v.mode, v.differs = modeZero, false
	k.visit(v, pair(x, x))
	zero := !v.differs
	v.mode, v.differs = mode, differs
	return zero
}

func (k structKind[S]) empty(*S) bool   { return false }
func (k structKind[S]) isNull(*S) bool  { return false }
func (k structKind[S]) nilAs() presence { return absent }
func (k structKind[S]) composite() bool { return true }
func (k structKind[S]) encode(to []byte, x *S) ([]byte, error) {
	v := &Visitor{mode: modeEncode, text: append(to, '{')}
	k.visit(v, pair(x, x))
	return append(v.text, '}'), v.err
}

func (k structKind[S]) equal(v *Visitor, a, b *S) bool {
	if k.identical(a, b) {
		return true
	}
	mode, differs := v.mode, v.differs
	v.mode, v.differs = modeEqual, false
	k.visit(v, pair(a, b))
	same := !v.differs
	v.mode, v.differs = mode, differs
	return same
}

func (k structKind[S]) diff(v *Visitor, base, want *S, sure bool) {
	f := &v.field
	if !sure && v.zeroStructs != zeroIsPresent && (!f.has(Required) || v.requiredZeros) && k.zero(v, base) {
		// By value and zero: the server may have no such object, unless it asks
		// for one, and did not miss it.
		if !k.zero(v, want) || f.has(Required) {
			v.unsure, v.fromZero = v.zeroStructs == zeroIsAbsent, true
			k.add(v, want)
		} else {
			v.guardAbsence(f)
		}
		return
	}
	v.enter(f.name, false)
	k.visit(v, pair(base, want))
	v.leave()
}

func (k structKind[S]) add(v *Visitor, want *S) {
	var none S
	v.enter(v.field.name, true)
	k.visit(v, pair(&none, want))
	v.leave()
}

func (k structKind[S]) clear(*Visitor, *S) bool { return false }

func (k structKind[S]) lose(v *Visitor, base *S) {
	var none S
	s := v.enterScratch()
	k.visit(v, pair(base, &none))
	v.leaveScratch(s)
}

func (k structKind[S]) rebase(v *Visitor, base, want, live *S) {
	k.visit(v, Values[S]{Base: base, Want: want, Live: live})
}

// mapKind is the kind of maps, which are compared and written key by key.
type mapKind[M ~map[N]E, N ~string, E any, K kind[E]] struct{ elem K }

// MapOf is the kind of maps to values of the kind elem.
func MapOf[M ~map[N]E, N ~string, E any, K kind[E]](elem K) mapKind[M, N, E, K] {
	return mapKind[M, N, E, K]{elem}
}

func (k mapKind[M, N, E, K]) identical(a, b *M) bool     { return *a == nil && *b == nil }
func (k mapKind[M, N, E, K]) zero(_ *Visitor, x *M) bool { return *x == nil }
func (k mapKind[M, N, E, K]) empty(x *M) bool            { return len(*x) == 0 }
func (k mapKind[M, N, E, K]) isNull(x *M) bool           { return *x == nil }
func (k mapKind[M, N, E, K]) nilAs() presence            { return present }
func (k mapKind[M, N, E, K]) composite() bool            { return true }

func (k mapKind[M, N, E, K]) encode(to []byte, x *M) ([]byte, error) {
	to = append(to, '{')
	var failed error
	for _, key := range sortedKeys(*x) {
		if value, stored := k.at(*x, key); stored {
			text, err := k.elem.encode(appendKey(to, string(key)), &value)
			if err != nil {
				failed = err
			}
			to = text
		}
	}
	return append(to, '}'), failed
}

func (k mapKind[M, N, E, K]) equal(v *Visitor, a, b *M) bool {
	if v.mode != modeDiff && (*a == nil) != (*b == nil) {
		return false
	}
	if len(*a) == 0 && len(*b) == 0 || v.identity && reflect.ValueOf(*a).Pointer() == reflect.ValueOf(*b).Pointer() {
		return true
	}
	for key := range *a {
		if !k.sameKey(v, key, *a, *b) {
			return false
		}
	}
	for key := range *b {
		if _, in := (*a)[key]; !in && !k.sameKey(v, key, *a, *b) {
			return false
		}
	}
	return true
}

// at is the value of a key, and whether it is stored: the server drops nulls.
func (k mapKind[M, N, E, K]) at(m M, key N) (value E, stored bool) {
	value, in := m[key]
	return value, in && !k.elem.isNull(&value)
}

func (k mapKind[M, N, E, K]) sameKey(v *Visitor, key N, a, b M) bool {
	av, ina := a[key]
	bv, inb := b[key]
	if ina && inb && k.elem.identical(&av, &bv) {
		return true
	}
	ina, inb = ina && !k.elem.isNull(&av), inb && !k.elem.isNull(&bv)
	return ina == inb && (!ina || k.elem.equal(v, &av, &bv))
}

func (k mapKind[M, N, E, K]) diff(v *Visitor, base, want *M, _ bool) {
	f := &v.field
	keys := k.changedKeys(v, *base, *want)
	if len(keys) == 0 && !v.inForced() {
		return
	}
	v.markIf(len(keys) > 0)
	if v.inForced() {
		keys = sortedKeys(*base, *want)
	}
	v.enter(f.name, false)
	for _, key := range keys {
		k.diffKey(v, key, *base, *want)
	}
	v.leave()
}

// diffKey records what differs below one key of the map.
func (k mapKind[M, N, E, K]) diffKey(v *Visitor, key N, base, want M) {
	b, inBase := k.at(base, key)
	w, inWant := k.at(want, key)
	v.field = fieldInfo{name: string(key)}
	switch {
	case inBase && inWant:
		k.elem.diff(v, &b, &w, true)
	case inWant:
		k.elem.add(v, &w)
	case inBase:
		v.remove(&v.field, storedJSON(v, &b, k.elem)) // zero or not: a key that was read is there
		k.elem.lose(v, &b)
	}
}

func (k mapKind[M, N, E, K]) changedKeys(v *Visitor, base, want M) []N {
	var keys []N
	for key := range want {
		if !k.sameKey(v, key, base, want) {
			keys = append(keys, key)
		}
	}
	for key := range base {
		if _, in := want[key]; !in && !k.sameKey(v, key, base, want) {
			keys = append(keys, key)
		}
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	return keys
}

func (k mapKind[M, N, E, K]) add(v *Visitor, want *M) {
	v.enter(v.field.name, true)
	for _, key := range sortedKeys(*want) {
		w := (*want)[key]
		if k.elem.isNull(&w) {
			continue
		}
		v.field = fieldInfo{name: string(key)}
		k.elem.add(v, &w)
	}
	v.leave()
}

// clear removes the keys one by one, since others may have added theirs.
func (k mapKind[M, N, E, K]) clear(v *Visitor, base *M) bool {
	var none M
	k.diff(v, base, &none, true)
	return true
}

func (k mapKind[M, N, E, K]) lose(v *Visitor, base *M) {
	for _, key := range sortedKeys(*base) {
		if b, stored := k.at(*base, key); stored {
			k.elem.lose(v, &b)
		}
	}
}

func (k mapKind[M, N, E, K]) rebase(v *Visitor, base, want, live *M) {
	if len(*want) == 0 && !k.equal(v, base, want) && k.equal(v, base, live) {
		*live = *want
		return
	}
	merged := make(M, len(*live)+len(*want))
	for key, l := range *live {
		merged[key] = l
	}
	for _, key := range sortedKeys(*base, *want) {
		b, inBase := (*base)[key]
		w, inWant := (*want)[key]
		l, inLive := (*live)[key]
		v.path = append(v.path, string(key))
		switch {
		case inBase == inWant && (!inBase || k.elem.equal(v, &b, &w)): // not the caller's change
		case inWant == inLive && (!inWant || k.elem.equal(v, &w, &l)): // already so
		case inBase == inLive && (!inBase || k.elem.equal(v, &b, &l)): // no one else's
			if inWant {
				merged[key] = w
			} else {
				delete(merged, key)
			}
		case inWant && inLive && k.elem.composite():
			k.elem.rebase(v, &b, &w, &l)
			merged[key] = l
		default:
			v.bothChanged()
		}
		v.path = v.path[:len(v.path)-1]
	}
	if *live != nil || len(merged) > 0 {
		*live = merged
	}
}

// sortedKeys are the keys of some maps, each once.
func sortedKeys[M ~map[N]E, N ~string, E any](maps ...M) []N {
	var keys []N
	seen := map[N]bool{}
	for _, m := range maps {
		for key := range m {
			if !seen[key] {
				seen[key] = true
				keys = append(keys, key)
			}
		}
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	return keys
}
