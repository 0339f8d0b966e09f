package statuspatch

import "bytes"

// The functions in this file are quick looks at whether two values are the
// same: true means that they have the same JSON, false means nothing. Generated
// functions join them, so that what did not change costs next to nothing.

func same[T comparable](a, b *T) bool { return *a == *b }

// SamePointer looks at two pointers to values that compare with ==.
func SamePointer[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// SameAt looks at two pointers to structs; same may be nil.
func SameAt[S any](a, b *S, same func(a, b *S) bool) bool {
	return a == b || same != nil && a != nil && b != nil && same(a, b)
}

// SameList looks at two lists of values that compare with ==.
func SameList[E comparable](a, b []E) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// SameListOf looks at two lists of structs.
func SameListOf[S any](a, b []S, same func(a, b *S) bool) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	for i := range a {
		if !same(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

// SameMap looks at two maps to values that compare with ==.
func SameMap[K, E comparable](a, b map[K]E) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	for key, x := range a {
		if y, ok := b[key]; !ok || x != y {
			return false
		}
	}
	return true
}

// SameRaw looks at the JSON that two values hold.
func SameRaw(a, b []byte) bool { return len(a) > 0 && bytes.Equal(a, b) }
