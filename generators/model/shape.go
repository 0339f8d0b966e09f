package model

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
)

// Kind is how values of a type are compared and encoded.
type Kind string

// The kinds of shapes.
const (
	// Invalid is a type that has an error, which was reported.
	Invalid Kind = "Invalid"
	// Scalar is a string, a number or a bool, possibly of a named type.
	Scalar Kind = "Scalar"
	// Pointer has an Elem.
	Pointer Kind = "Pointer"
	// Slice has an Elem.
	Slice Kind = "Slice"
	// Map has string keys and an Elem.
	Map Kind = "Map"
	// StructKind has a Struct.
	StructKind Kind = "Struct"
	// Bytes is a []byte, a base64 string in JSON.
	Bytes Kind = "Bytes"
	// Time is metav1.Time.
	Time Kind = "Time"
	// MicroTime is metav1.MicroTime.
	MicroTime Kind = "MicroTime"
	// Comparable is a type with its own JSON whose equal (==) values have equal
	// JSON; unequal ones may have.
	Comparable Kind = "Comparable"
	// Opaque is a type with its own JSON that is not comparable.
	Opaque Kind = "Opaque"
	// RawOpaque is an Opaque with its JSON in a field Raw.
	RawOpaque Kind = "RawOpaque"
	// Conditions is a list of conditions.
	Conditions Kind = "Conditions"
)

// Shape says how values of a type are compared and encoded.
type Shape struct {
	Kind Kind
	// Type is the type, as declared.
	Type types.Type
	// Elem is what a pointer, slice or map holds.
	Elem *Shape
	// Key is the type of a map's keys, of kind string.
	Key types.Type
	// Struct is the struct of a StructKind, and of the elements of Conditions.
	Struct *Struct
	// Condition is the element of Conditions.
	Condition *ConditionElem

	// wrong tells that the type, or what it holds directly, is Invalid.
	wrong bool
}

// Basic returns the basic type below a scalar, else nil.
func (s *Shape) Basic() *types.Basic {
	b, _ := s.Type.Underlying().(*types.Basic)
	return b
}

// IsString tells whether the shape is a scalar of kind string.
func (s *Shape) IsString() bool { return s.has(types.IsString) }

// IsBool tells whether the shape is a bool.
func (s *Shape) IsBool() bool { return s.has(types.IsBoolean) }

// IsInteger tells whether the shape is an integer, signed or not.
func (s *Shape) IsInteger() bool { return s.has(types.IsInteger) }

// IsUnsigned tells whether the shape is an unsigned integer.
func (s *Shape) IsUnsigned() bool { return s.has(types.IsUnsigned) }

// IsFloat tells whether the shape is a floating-point number.
func (s *Shape) IsFloat() bool { return s.has(types.IsFloat) }

func (s *Shape) has(info types.BasicInfo) bool {
	return s.Kind == Scalar && s.Basic().Info()&info != 0
}

const (
	metaPath          = "k8s.io/apimachinery/pkg/apis/meta/v1"
	runtimePath       = "k8s.io/apimachinery/pkg/runtime"
	apiextensionsPath = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apimachineryPath  = "k8s.io/apimachinery/"
)

// use is where a type is used: the place that a problem with it is shown at.
type use struct {
	// pos is the nearest field in the API package.
	pos token.Pos
	// field names the field itself: "FooStatus.Bar".
	field string
}

// shape returns the shape of t.
func (b *builder) shape(t types.Type, at use) *Shape {
	if known := b.shapes.At(t); known != nil {
		// The same type through an alias is printed under its own name.
		s := *known.(*Shape)
		s.Type = t
		return b.settled(known.(*Shape), &s)
	}
	s := &Shape{Type: t}
	b.shapes.Set(t, s)
	b.fill(s, at)
	if s.wrong = s.Kind == Invalid || s.Elem != nil && s.Elem.wrong; s.wrong {
		b.shapes.Delete(t) // each use of it is a problem of its own
	}
	return s
}

// settled returns the copy of a known shape, or, while that is still being
// filled because the type is recursive, the shape itself.
func (b *builder) settled(known, renamed *Shape) *Shape {
	if known.Kind == "" {
		return known
	}
	if renamed.Kind == Slice {
		b.slices = append(b.slices, renamed)
	}
	return renamed
}

func (b *builder) fill(s *Shape, at use) {
	t := types.Unalias(s.Type)
	if !b.nameable(t, at) {
		s.Kind = Invalid
		return
	}
	if p, ok := t.(*types.Pointer); ok {
		s.Elem = b.shape(p.Elem(), at)
		s.Kind = Pointer
		return
	}
	switch typePath(t) {
	case metaPath + ".Time":
		s.Kind = Time
		return
	case metaPath + ".MicroTime":
		s.Kind = MicroTime
		return
	}
	if marshals(t) {
		s.Kind = ownJSON(t)
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		s.Kind = b.basic(u, t, at)
	case *types.Slice:
		b.fillSlice(s, u, at)
	case *types.Array:
		s.Kind = Opaque
		if _, ok := u.Elem().Underlying().(*types.Basic); ok && !marshals(u.Elem()) {
			s.Kind = Comparable
		}
	case *types.Map:
		b.fillMap(s, u, at)
	case *types.Struct:
		s.Struct = b.structOf(t, u, at)
		s.Kind = StructKind
	default:
		s.Kind = b.unsupported(t, at, "")
	}
}

func (b *builder) basic(u *types.Basic, t types.Type, at use) Kind {
	switch {
	case u.Kind() == types.Invalid:
		return Invalid
	case u.Info()&(types.IsString|types.IsBoolean|types.IsInteger|types.IsFloat) == 0, u.Kind() == types.Uintptr:
		return b.unsupported(t, at, "")
	}
	return Scalar
}

func (b *builder) fillSlice(s *Shape, u *types.Slice, at use) {
	if e, ok := u.Elem().Underlying().(*types.Basic); ok && e.Kind() == types.Uint8 && !marshals(u.Elem()) {
		s.Kind = Bytes
		return
	}
	s.Elem = b.shape(u.Elem(), at)
	s.Kind = Slice
	b.slices = append(b.slices, s)
}

// findConditions turns slices of conditions into Conditions. It runs when all
// structs are complete, since a struct may hold a slice of itself.
func (b *builder) findConditions() {
	for _, s := range b.slices {
		if elem := conditionElem(s.Elem); elem != nil {
			s.Kind, s.Struct, s.Condition = Conditions, elem.Struct, elem
		}
	}
	b.slices = nil
}

func (b *builder) fillMap(s *Shape, u *types.Map, at use) {
	k, ok := u.Key().Underlying().(*types.Basic)
	switch {
	case ok && k.Kind() == types.Invalid:
		s.Kind = Invalid
	case !ok || k.Info()&types.IsString == 0:
		s.Kind = b.unsupported(s.Type, at, " (its keys are no strings)")
	case !b.nameable(u.Key(), at):
		s.Kind = Invalid
	default:
		s.Key = u.Key()
		s.Elem = b.shape(u.Elem(), at)
		s.Kind = Map
	}
}

// unsupported reports a type that no status can have.
func (b *builder) unsupported(t types.Type, at use, why string) Kind {
	b.diags.Addf(at.pos, "%s has type %s%s, which no status patcher can compare: use a string, a number, a bool, a struct, a list, a map with string keys, or a type with its own MarshalJSON",
		at.field, types.TypeString(t, types.RelativeTo(b.pkg.Types)), why)
	return Invalid
}

// nameable reports a type that generated code cannot name.
func (b *builder) nameable(t types.Type, at use) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Exported() || n.Obj().Pkg() == nil {
		return true
	}
	if n.Obj().Pkg() == b.pkg.Types && !b.opts.Separate {
		return true
	}
	b.diags.Addf(at.pos, "%s has type %s, which generated code in another package cannot name: export the type",
		at.field, types.TypeString(n, nil))
	return false
}

// typePath returns "path.Name" of a named type, else "".
func typePath(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// ownJSON classifies a type that has its own JSON.
func ownJSON(t types.Type) Kind {
	switch typePath(t) {
	case runtimePath + ".RawExtension", apiextensionsPath + ".JSON":
		return RawOpaque
	}
	if strictlyComparable(t) {
		return Comparable
	}
	return Opaque
}

// strictlyComparable tells whether == never panics on values of t.
func strictlyComparable(t types.Type) bool {
	if !types.Comparable(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return false
	case *types.Array:
		return strictlyComparable(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !strictlyComparable(f.Type()) {
				return false
			}
		}
	}
	return true
}

// marshals tells whether t, or a pointer to it, has its own JSON.
func marshals(t types.Type) bool {
	return hasMethod(t, "MarshalJSON", "func() ([]byte, error)") || hasMethod(t, "MarshalText", "func() ([]byte, error)")
}

// hasMethod tells whether t, or a pointer to it, has the method with the signature.
func hasMethod(t types.Type, name, signature string) bool {
	if _, ok := t.Underlying().(*types.Interface); ok {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	fn, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	sig := fn.Signature()
	bare := types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), sig.Variadic())
	return bare.String() == signature
}

// unnamed returns the variables without their names.
func unnamed(vars *types.Tuple) *types.Tuple {
	out := make([]*types.Var, 0, vars.Len())
	for v := range vars.Variables() {
		out = append(out, types.NewVar(token.NoPos, nil, "", v.Type()))
	}
	return types.NewTuple(out...)
}

// describe names a struct's field in messages.
func describe(structName, goName string) string {
	return fmt.Sprintf("%s.%s", strings.TrimPrefix(structName, "."), goName)
}
