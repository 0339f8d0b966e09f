package statuspatch

import (
	"reflect"
)

// presence is whether and how a value stands in the stored JSON.
type presence uint8

const (
	absent presence = iota
	null
	present
)

// omitted reports whether encoding/json leaves x out.
func omitted[T any, K kind[T]](v *Visitor, f *fieldInfo, x *T, k K) bool {
	return f.has(OmitEmpty) && k.empty(x) || f.has(OmitZero) && leftOutAsZero(v, x, k)
}

// zeroer are the types that say themselves whether a value is zero.
type zeroer interface{ IsZero() bool }

// leftOutAsZero is encoding/json's rule for omitzero: a type's own IsZero decides,
// where it has one. A struct that writes nothing is zero, whatever it holds.
func leftOutAsZero[T any, K kind[T]](v *Visitor, x *T, k K) bool {
	if z, ok := any(x).(zeroer); ok {
		return z.IsZero()
	}
	// x lacks the methods of a pointer or an interface that it points to.
	switch t := reflect.TypeOf(x).Elem(); t.Kind() {
	case reflect.Pointer, reflect.Interface:
		if z, ok := any(*x).(zeroer); ok && t.Implements(reflect.TypeOf((*zeroer)(nil)).Elem()) {
			held := reflect.ValueOf(z)
			return held.Kind() == reflect.Pointer && held.IsNil() || z.IsZero()
		}
	}
	return k.zero(v, x)
}

// sameJSON reports whether encoding/json writes a and b alike.
func sameJSON[T any, K kind[T]](v *Visitor, f *fieldInfo, a, b *T, k K) bool {
	ao, bo := omitted(v, f, a, k), omitted(v, f, b, k)
	if ao || bo {
		return ao == bo || k.isNull(a) && k.isNull(b)
	}
	return k.equal(v, a, b)
}

// wantedPresence is how the wanted value x has to stand in what is stored.
func wantedPresence[T any, K kind[T]](v *Visitor, f *fieldInfo, x *T, k K) presence {
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
func basePresence[T any, K kind[T]](v *Visitor, f *fieldInfo, x *T, k K) presence {
	if k.isNull(x) || omitted(v, f, x, k) && !f.hasDefault && !f.has(Required) {
		return absent
	}
	return present
}

// isDefault reports whether x is what the server would put for nil.
func isDefault[T any, K kind[T]](v *Visitor, f *fieldInfo, x *T, k K) bool {
	raw := written(v, x, k)
	if f.has(Quoted) {
		raw = quote(raw)
	}
	return sameTrees(raw, []byte(f.defaultTo))
}
