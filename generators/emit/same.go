package emit

import (
	"fmt"
	"strings"

	"github.com/statuspatch/statuspatcher-gen/generators/model"
)

// sameFunc is the name of the function that takes a quick look at whether two
// structs are the same, "" where there is none.
func (r *renderer) sameFunc(s *model.Struct) string {
	if !quick(s, map[*model.Struct]bool{}) {
		return ""
	}
	return s.SameFunc()
}

func orNil(name string) string {
	if name == "" {
		return "nil"
	}
	return name
}

// quick reports whether a look can tell that two structs are the same: all
// their fields can be seen, or are nil or empty.
func quick(s *model.Struct, on map[*model.Struct]bool) bool {
	if on[s] || len(s.Fields) == 0 {
		return false
	}
	on[s] = true
	defer delete(on, s)
	for _, f := range s.Fields {
		switch f.Shape.Kind {
		case model.Opaque:
			return false
		case model.StructKind:
			if !flat(f.Shape) && !quick(f.Shape.Struct, on) {
				return false
			}
		}
	}
	return true
}

// flat reports whether values are the same exactly where == holds, pointers
// within times and quantities aside.
func flat(s *model.Shape) bool {
	switch s.Kind {
	case model.Scalar, model.Time, model.MicroTime, model.Comparable:
		return true
	case model.StructKind:
		for i := range s.Struct.Raw.NumFields() {
			if f := s.Struct.Raw.Field(i); !f.Exported() {
				return false
			}
		}
		for _, f := range s.Struct.Fields {
			if !flat(f.Shape) {
				return false
			}
		}
		return len(s.Struct.Fields) == s.Struct.Raw.NumFields()
	}
	return false
}

// sameStruct is the expression that looks at two structs, a and b.
func (r *renderer) sameStruct(s *model.Struct) string {
	if flat(&model.Shape{Kind: model.StructKind, Struct: s}) {
		return "*a == *b"
	}
	// What costs least is looked at first.
	var cheap, dear []string
	for _, f := range s.Fields {
		term := r.sameField(f.Shape, "a."+f.Selector, "b."+f.Selector)
		if holdsOthers(f.Shape) {
			dear = append(dear, term)
		} else {
			cheap = append(cheap, term)
		}
	}
	return strings.Join(append(cheap, dear...), " &&\n\t\t")
}

// holdsOthers reports whether a value is a struct, a list or a map, or points to one.
func holdsOthers(s *model.Shape) bool {
	switch s.Kind {
	case model.Pointer:
		return holdsOthers(s.Elem)
	case model.StructKind, model.Slice, model.Conditions, model.Map:
		return true
	}
	return false
}

// sameField is the expression that looks at two values.
func (r *renderer) sameField(s *model.Shape, a, b string) string {
	call := func(name string, more ...string) string {
		return r.supportName(name) + "(" + strings.Join(append([]string{a, b}, more...), ", ") + ")"
	}
	switch s.Kind {
	case model.StructKind:
		if !flat(s) {
			return fmt.Sprintf("%s(&%s, &%s)", s.Struct.SameFunc(), a, b)
		}
	case model.Pointer:
		switch {
		case flat(s.Elem):
			return call("SamePointer")
		case s.Elem.Kind == model.StructKind:
			return call("SameAt", orNil(r.sameFunc(s.Elem.Struct)))
		}
	case model.Bytes:
		return call("SameList")
	case model.RawOpaque:
		return fmt.Sprintf("%s(%s.Raw, %s.Raw)", r.supportName("SameRaw"), a, b)
	case model.Slice, model.Conditions:
		switch {
		case flat(s.Elem):
			return call("SameList")
		case s.Elem.Kind == model.StructKind && r.sameFunc(s.Elem.Struct) != "":
			return call("SameListOf", r.sameFunc(s.Elem.Struct))
		}
		return fmt.Sprintf("len(%s) == 0 && len(%s) == 0 && (%s == nil) == (%s == nil)", a, b, a, b)
	case model.Map:
		if flat(s.Elem) {
			return call("SameMap")
		}
		return fmt.Sprintf("len(%s) == 0 && len(%s) == 0 && (%s == nil) == (%s == nil)", a, b, a, b)
	}
	return a + " == " + b
}
