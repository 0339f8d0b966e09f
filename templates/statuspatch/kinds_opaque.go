package statuspatch

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
)

// opaqueKind is the kind of values that are known by their JSON alone. Objects
// are compared and written key by key, since a merge patch would merge them.
type opaqueKind[T any] struct {
	raw  func(*T) []byte    // a quick look at what a value holds; may be nil
	same func(a, b *T) bool // a quick look at whether two have the same JSON; may be nil
}

// Opaque is the kind of values that write their own JSON and have no ==.
func Opaque[T any]() opaqueKind[T] { return opaqueKind[T]{} }

// Comparable is the kind of values that write their own JSON, and the same
// where == holds: quantities, durations, IntOrString.
func Comparable[T comparable]() opaqueKind[T] { return opaqueKind[T]{same: same[T]} }

// Raw is Opaque for values that hold their own JSON, which raw returns, or nil.
func Raw[T any](raw func(*T) []byte) opaqueKind[T] { return opaqueKind[T]{raw: raw} }

func (k opaqueKind[T]) identical(a, b *T) bool {
	switch {
	case k.same != nil:
		return k.same(a, b)
	case k.raw != nil:
		raw := k.raw(a)
		return len(raw) > 0 && bytes.Equal(raw, k.raw(b))
	}
	return false
}
func (k opaqueKind[T]) zero(_ *Visitor, x *T) bool {
	return reflect.ValueOf(x).Elem().IsZero() || k.isNull(x)
}
func (k opaqueKind[T]) empty(x *T) bool { return isEmptyValue(x) }
func (k opaqueKind[T]) isNull(x *T) bool {
	if k.raw != nil && len(k.raw(x)) > 0 {
		return bytes.Equal(k.raw(x), []byte("null"))
	}
	return encodesNull(x)
}
func (k opaqueKind[T]) nilAs() presence                        { return absent }
func (k opaqueKind[T]) composite() bool                        { return false }
func (k opaqueKind[T]) encode(to []byte, x *T) ([]byte, error) { return appendJSON(to, x) }
func (k opaqueKind[T]) equal(_ *Visitor, a, b *T) bool {
	return k.identical(a, b) || sameEncoding(a, b)
}

func (k opaqueKind[T]) diff(v *Visitor, base, want *T, _ bool) {
	f := &v.field
	same := k.equal(v, base, want)
	if same && !v.inForced() && !(v.requiredZeros && f.has(Required) && k.zero(v, want)) {
		return
	}
	v.markIf(!same)
	baseRaw, wantRaw := encodeTree(v, base), encodeTree(v, want)
	var b, w any
	if !readTree(v, baseRaw, &b) || !readTree(v, wantRaw, &w) {
		return
	}
	v.diffTree(f, b, w, baseRaw, wantRaw)
}

func (k opaqueKind[T]) add(v *Visitor, want *T) {
	v.setWhole(&v.field, encodeTree(v, want), nil, false)
}

func (k opaqueKind[T]) clear(*Visitor, *T) bool { return false }
func (k opaqueKind[T]) lose(*Visitor, *T)       {}
func (k opaqueKind[T]) rebase(v *Visitor, base, want, live *T) {
	if !rebaseWhole(v, k, base, want, live) {
		v.bothChanged()
	}
}

// diffTree records the difference of two JSON values: objects key by key.
func (v *Visitor) diffTree(f *fieldInfo, base, want any, baseRaw, wantRaw []byte) {
	b, bok := base.(map[string]any)
	w, wok := want.(map[string]any)
	if !bok || !wok {
		if !v.tests {
			baseRaw = storedSomehow
		}
		v.setWhole(f, wantRaw, baseRaw, false)
		return
	}
	v.enter(f.name, false)
	v.diffObject(b, w)
	v.leave()
}

// diffObject records the difference of two JSON objects.
func (v *Visitor) diffObject(b, w map[string]any) {
	for _, key := range sortedKeys(b, w) {
		bv, inBase := b[key]
		wv, inWant := w[key]
		kf := &fieldInfo{name: key}
		switch {
		case inBase && inWant:
			if v.inForced() || !sameTree(bv, wv) {
				v.diffTree(kf, bv, wv, encodeTree(v, bv), encodeTree(v, wv))
			}
		case inWant:
			v.setWhole(kf, encodeTree(v, wv), nil, false)
		default:
			v.remove(kf, encodeTree(v, bv))
		}
	}
}

func encodeTree(v *Visitor, tree any) []byte {
	raw, err := json.Marshal(tree)
	v.fail(err)
	return raw
}

// readTree decodes JSON.
func readTree(v *Visitor, raw []byte, into *any) bool {
	tree, err := decodeTree(raw)
	v.fail(err)
	*into = tree
	return err == nil
}

// decodeTree decodes JSON with its numbers as the server stores them.
func decodeTree(raw []byte) (any, error) {
	var tree any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err := d.Decode(&tree)
	return storedNumbers(tree), err
}

// storedNumbers replaces the numbers in a tree: whole ones that fit are
// integers on the server, however they are written, and the others floats.
func storedNumbers(tree any) any {
	switch t := tree.(type) {
	case map[string]any:
		for key := range t {
			t[key] = storedNumbers(t[key])
		}
	case []any:
		for i := range t {
			t[i] = storedNumbers(t[i])
		}
	case json.Number:
		if n, err := t.Int64(); err == nil {
			return n
		}
		if f, err := t.Float64(); err == nil {
			if f == math.Trunc(f) && math.Abs(f) < 1<<63 {
				return int64(f)
			}
			return f
		}
	}
	return tree
}

func sameTree(a, b any) bool { return reflect.DeepEqual(a, b) }

// sameTrees reports whether two pieces of JSON mean the same.
func sameTrees(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	at, aerr := decodeTree(a)
	bt, berr := decodeTree(b)
	return aerr == nil && berr == nil && sameTree(at, bt)
}

// sameEncoding reports whether a and b encode to JSON that means the same.
func sameEncoding(a, b any) bool {
	ar, aerr := json.Marshal(a)
	br, berr := json.Marshal(b)
	return aerr == nil && berr == nil && sameTrees(ar, br)
}

func encodesNull(x any) bool {
	raw, err := json.Marshal(x)
	return err == nil && bytes.Equal(raw, []byte("null"))
}

// isEmptyValue is encoding/json's rule for omitempty, for a pointer to any value.
func isEmptyValue(x any) bool {
	switch v := reflect.ValueOf(x).Elem(); v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	default:
		return v.IsZero()
	}
}
