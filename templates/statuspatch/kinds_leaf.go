package statuspatch

import (
	"bytes"
	"reflect"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type scalarRules[T comparable] struct{ leafDefaults[T] }

// Scalar is the kind of strings, numbers and booleans, named or not.
func Scalar[T comparable]() leafKind[T, scalarRules[T]] { return leafKind[T, scalarRules[T]]{} }

func (scalarRules[T]) zero(x *T) bool {
	var zero T
	return *x == zero
}
func (scalarRules[T]) identical(a, b *T) bool                 { return *a == *b }
func (r scalarRules[T]) empty(x *T) bool                      { return r.zero(x) }
func (scalarRules[T]) equal(_ *Visitor, a, b *T) bool         { return *a == *b || sameText(a, b) }
func (scalarRules[T]) encode(to []byte, x *T) ([]byte, error) { return appendJSON(to, x) }

// sameText reports whether a and b are strings that JSON writes alike: it has
// a replacement character for bytes that are no UTF-8.
func sameText(a, b any) bool {
	at, bt := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	return at.Kind() == reflect.String && (!utf8.ValidString(at.String()) || !utf8.ValidString(bt.String())) && sameEncoding(a, b)
}

type timeRules struct{ leafDefaults[metav1.Time] }

// Time is the kind of metav1.Time, which is stored in whole seconds, UTC.
func Time() leafKind[metav1.Time, timeRules] { return leafKind[metav1.Time, timeRules]{} }

func (timeRules) zero(x *metav1.Time) bool         { return x.IsZero() }
func (timeRules) identical(a, b *metav1.Time) bool { return *a == *b }
func (timeRules) isNull(x *metav1.Time) bool       { return x.IsZero() }
func (timeRules) equal(_ *Visitor, a, b *metav1.Time) bool {
	return a.IsZero() == b.IsZero() && (a.IsZero() || a.Unix() == b.Unix())
}
func (timeRules) encode(to []byte, x *metav1.Time) ([]byte, error) { return appendJSON(to, x) }

type microTimeRules struct{ leafDefaults[metav1.MicroTime] }

// MicroTime is the kind of metav1.MicroTime, which is stored in whole microseconds, UTC.
func MicroTime() leafKind[metav1.MicroTime, microTimeRules] {
	return leafKind[metav1.MicroTime, microTimeRules]{}
}

func (microTimeRules) zero(x *metav1.MicroTime) bool         { return x.IsZero() }
func (microTimeRules) identical(a, b *metav1.MicroTime) bool { return *a == *b }
func (microTimeRules) isNull(x *metav1.MicroTime) bool       { return x.IsZero() }
func (microTimeRules) equal(_ *Visitor, a, b *metav1.MicroTime) bool {
	return a.IsZero() == b.IsZero() && (a.IsZero() || a.UnixMicro() == b.UnixMicro())
}
func (microTimeRules) encode(to []byte, x *metav1.MicroTime) ([]byte, error) {
	return appendJSON(to, x)
}

type bytesRules[B ~[]byte] struct{ leafDefaults[B] }

// Bytes is the kind of byte slices, which are base64 in JSON.
func Bytes[B ~[]byte]() leafKind[B, bytesRules[B]] { return leafKind[B, bytesRules[B]]{} }

func (bytesRules[B]) zero(x *B) bool         { return *x == nil }
func (bytesRules[B]) empty(x *B) bool        { return len(*x) == 0 }
func (bytesRules[B]) identical(a, b *B) bool { return *a == nil && *b == nil }
func (bytesRules[B]) isNull(x *B) bool       { return *x == nil }
func (bytesRules[B]) nilAs() presence        { return present }
func (bytesRules[B]) equal(_ *Visitor, a, b *B) bool {
	return (*a == nil) == (*b == nil) && bytes.Equal(*a, *b)
}
func (bytesRules[B]) encode(to []byte, x *B) ([]byte, error) {
	if *x == nil {
		return append(to, `""`...), nil
	}
	return appendJSON(to, x)
}
