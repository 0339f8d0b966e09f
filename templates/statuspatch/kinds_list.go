package statuspatch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// listRules compare a list. Lists are sent whole.
type listRules[L ~[]E, E any, K kind[E]] struct {
	elem  K
	order order
	key   func(*E) string // for keyed lists
}

// order is what of a list's order counts.
type order uint8

const (
	ordered order = iota
	asSet
	byKey
)

// ListOf is the kind of lists whose order counts.
func ListOf[L ~[]E, E any, K kind[E]](elem K) leafKind[L, listRules[L, E, K]] {
	return leafKind[L, listRules[L, E, K]]{listRules[L, E, K]{elem: elem}}
}

// SetOf is the kind of lists declared as a set: order does not count.
func SetOf[L ~[]E, E any, K kind[E]](elem K) leafKind[L, listRules[L, E, K]] {
	return leafKind[L, listRules[L, E, K]]{listRules[L, E, K]{elem: elem, order: asSet}}
}

// KeyedListOf is the kind of lists declared as a map: key tells the entries
// apart, and their order does not count.
func KeyedListOf[L ~[]E, E any, K kind[E]](key func(*E) string, elem K) leafKind[L, listRules[L, E, K]] {
	return leafKind[L, listRules[L, E, K]]{listRules[L, E, K]{elem: elem, order: byKey, key: key}}
}

// Key makes one key of the values of a keyed list's key fields.
func Key(values ...any) string {
	var b strings.Builder
	for _, v := range values {
		fmt.Fprintf(&b, "%v\x00", v)
	}
	return b.String()
}

func (listRules[L, E, K]) zero(x *L) bool  { return *x == nil }
func (listRules[L, E, K]) empty(x *L) bool { return len(*x) == 0 }
func (r listRules[L, E, K]) identical(a, b *L) bool {
	if len(*a) != len(*b) || (*a == nil) != (*b == nil) {
		return false
	}
	if len(*a) == 0 || &(*a)[0] == &(*b)[0] {
		return true
	}
	for i := range *a {
		if !r.elem.identical(&(*a)[i], &(*b)[i]) {
			return false
		}
	}
	return true
}
func (listRules[L, E, K]) isNull(x *L) bool { return *x == nil }
func (listRules[L, E, K]) nilAs() presence  { return present }

func (r listRules[L, E, K]) encode(to []byte, x *L) ([]byte, error) {
	if *x != nil && isBasic(reflect.TypeOf(*x).Elem().Kind()) {
		return appendJSON(to, x)
	}
	to = append(to, '[')
	for i := range *x {
		if i > 0 {
			to = append(to, ',')
		}
		text, err := r.elem.encode(to, &(*x)[i])
		if err != nil {
			return to, err
		}
		to = text
	}
	return append(to, ']'), nil
}

// isBasic reports whether values of a kind hold no others.
func isBasic(k reflect.Kind) bool {
	switch k {
	case reflect.Array, reflect.Map, reflect.Pointer, reflect.Slice, reflect.Struct:
		return false
	}
	return true
}

func (r listRules[L, E, K]) equal(v *Visitor, a, b *L) bool {
	if len(*a) != len(*b) {
		return false
	}
	if len(*a) == 0 {
		return v.mode == modeDiff || (*a == nil) == (*b == nil)
	}
	if &(*a)[0] == &(*b)[0] || r.sameInOrder(v, *a, *b) {
		return true
	}
	return r.order != ordered && r.sameInAnyOrder(v, *a, *b)
}

func (r listRules[L, E, K]) sameInOrder(v *Visitor, a, b L) bool {
	for i := range a {
		if !r.elem.equal(v, &a[i], &b[i]) {
			return false
		}
	}
	return true
}

// sameInAnyOrder pairs the entries off by their keys, in linear time.
func (r listRules[L, E, K]) sameInAnyOrder(v *Visitor, a, b L) bool {
	rest := make(map[string][]int, len(b))
	for i := range b {
		key := r.keyOf(&b[i])
		rest[key] = append(rest[key], i)
	}
	for i := range a {
		key := r.keyOf(&a[i])
		at := rest[key]
		if len(at) == 0 || !r.elem.equal(v, &a[i], &b[at[0]]) {
			return false
		}
		rest[key] = at[1:]
	}
	return true
}

// keyOf is what tells an entry from the others: in a set its JSON.
func (r listRules[L, E, K]) keyOf(e *E) string {
	if r.key != nil {
		return r.key(e)
	}
	raw, err := json.Marshal(e)
	if err != nil {
		return ""
	}
	return string(raw)
}

// rebase merges by key what both sides changed in a keyed list or a set. An
// entry that both changed is merged key by key in turn.
func (r listRules[L, E, K]) rebase(v *Visitor, base, want, live *L) bool {
	if r.order == ordered {
		return false
	}
	baseAt, wantAt := r.byKey(*base), r.byKey(*want)
	merged := make(L, 0, len(*live)+len(*want))
	done := map[string]bool{}
	for i := range *live {
		l := (*live)[i]
		key := r.keyOf(&l)
		b, inBase := baseAt[key]
		w, inWant := wantAt[key]
		done[key] = true
		switch {
		case inWant && inBase:
			r.elem.rebase(v, b, w, &l)
		case inWant:
			if !r.elem.equal(v, w, &l) {
				v.bothChanged() // both added it
			}
		case inBase: // the caller removed it
			if r.elem.equal(v, b, &l) {
				continue
			}
			v.bothChanged()
		}
		merged = append(merged, l)
	}
	for i := range *want {
		w := (*want)[i]
		key := r.keyOf(&w)
		if done[key] {
			continue
		}
		if b, inBase := baseAt[key]; inBase {
			if r.elem.equal(v, b, &w) {
				continue // another writer removed it
			}
			v.bothChanged()
		}
		merged = append(merged, w)
	}
	*live = merged
	return true
}

func (r listRules[L, E, K]) byKey(l L) map[string]*E {
	at := make(map[string]*E, len(l))
	for i := range l {
		at[r.keyOf(&l[i])] = &l[i]
	}
	return at
}

// holdsNull reports whether a null stands anywhere in raw, which is valid JSON.
func holdsNull(raw []byte) bool {
	if !bytes.Contains(raw, []byte("null")) {
		return false
	}
	inString := false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case !inString && c == 'n':
			return true
		}
	}
	return false
}

// holdsNilEntry reports whether a nil is an entry of a list in x.
func holdsNilEntry(x reflect.Value) bool {
	switch x.Kind() {
	case reflect.Pointer:
		return !x.IsNil() && holdsNilEntry(x.Elem())
	case reflect.Slice, reflect.Array:
		for i := 0; i < x.Len() && !isBasic(x.Type().Elem().Kind()); i++ {
			if isNilEntry(x.Index(i)) || holdsNilEntry(x.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		for _, key := range x.MapKeys() {
			if holdsNilEntry(x.MapIndex(key)) {
				return true
			}
		}
	case reflect.Struct:
		for i := 0; i < x.NumField(); i++ {
			if x.Type().Field(i).IsExported() && holdsNilEntry(x.Field(i)) {
				return true
			}
		}
	}
	return false
}

func isNilEntry(x reflect.Value) bool {
	switch x.Kind() {
	case reflect.Map, reflect.Pointer, reflect.Slice:
		return x.IsNil()
	}
	return false
}

// holdsNullEntry reports whether a null is an entry of a list in raw, which is
// valid JSON.
func holdsNullEntry(raw []byte) bool {
	if !bytes.Contains(raw, []byte("null")) {
		return false
	}
	var around []byte // the brackets that are open
	inString := false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '[' || c == '{':
			around = append(around, c)
		case c == ']' || c == '}':
			around = around[:len(around)-1]
		case c == 'n' && len(around) > 0 && around[len(around)-1] == '[':
			return true
		}
	}
	return false
}
