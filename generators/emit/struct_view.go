package emit

import (
	"fmt"
	gotypes "go/types"
	"strconv"
	"strings"

	"github.com/statuspatch/statuspatcher-gen/generators/model"
)

// structView is what the template of a struct reads.
type structView struct {
	Visit, TypeName string
	Fields          []string
	Same, SameExpr  string // the quick look; "" where there is none
	Guards          []guardView
}

// guardView is what the guard of a struct reads.
type guardView struct {
	TypeName string
	Fields   []string // as declared
}

func (r *renderer) structView(s *model.Struct) *structView {
	v := &structView{Visit: s.VisitFunc(), TypeName: r.typeName(s.Type), Same: r.sameFunc(s)}
	if v.Same != "" {
		v.SameExpr = r.sameStruct(s)
	}
	for _, f := range s.Fields {
		v.Fields = append(v.Fields, r.fieldLine(f))
	}
	v.Guards = r.guards(s)
	return v
}

// guards are those of the struct and of the structs whose fields it embeds. A
// struct without a name is guarded by the one that it is in, and one that the
// file cannot write out is not.
func (r *renderer) guards(s *model.Struct) []guardView {
	var out []guardView
	for _, t := range append([]gotypes.Type{s.Type}, s.Embedded...) {
		named, ok := gotypes.Unalias(t).(*gotypes.Named)
		if !ok || model.Apimachinery(named) || r.guarded[named.String()] {
			continue
		}
		raw, ok := named.Underlying().(*gotypes.Struct)
		if !ok || !r.nameable(raw) {
			continue
		}
		r.guarded[named.String()] = true
		out = append(out, guardView{r.typeName(t), r.guard(raw)})
	}
	return out
}

// fieldLine is the call that visits a field.
func (r *renderer) fieldLine(f *model.Field) string {
	args := []string{"v", strconv.Quote(f.JSONName), r.flags(f)}
	function := "Field"
	if f.Default != "" {
		function = "DefaultedField"
		args = append(args, strconv.Quote(f.Default))
	}
	for _, side := range []string{"Base", "Want", "Live"} {
		args = append(args, "&s."+side+"."+f.Selector)
	}
	return r.supportName(function) + "(" + strings.Join(append(args, r.kind(f.Shape, f)), ", ") + ")"
}

// flags are the field's flags, as Go writes them.
func (r *renderer) flags(f *model.Field) string {
	var out []string
	for _, flag := range []struct {
		set  bool
		name string
	}{
		{f.OmitEmpty, "OmitEmpty"}, {f.OmitZero, "OmitZero"}, {f.Quoted, "Quoted"},
		{f.Required, "Required"}, {f.Nullable, "Nullable"},
	} {
		if flag.set {
			out = append(out, r.supportName(flag.name))
		}
	}
	if len(out) == 0 {
		return "0"
	}
	return strings.Join(out, "|")
}

// kind is the expression for a kind of value. f is the field whose value it
// is, nil below one.
func (r *renderer) kind(s *model.Shape, f *model.Field) string {
	name := r.typeName(s.Type)
	switch s.Kind {
	case model.Scalar:
		return fmt.Sprintf("%s[%s]()", r.supportName("Scalar"), name)
	case model.Comparable:
		return fmt.Sprintf("%s[%s]()", r.supportName("Comparable"), name)
	case model.Time:
		return r.supportName("Time") + "()"
	case model.MicroTime:
		return r.supportName("MicroTime") + "()"
	case model.Bytes:
		return fmt.Sprintf("%s[%s]()", r.supportName("Bytes"), name)
	case model.Opaque:
		return fmt.Sprintf("%s[%s]()", r.supportName("Opaque"), name)
	case model.RawOpaque:
		return fmt.Sprintf("%s(func(x *%s) []byte { return x.Raw })", r.supportName("Raw"), name)
	case model.Pointer:
		return fmt.Sprintf("%s(%s)", r.supportName("PointerTo"), r.kind(s.Elem, nil))
	case model.Map:
		return fmt.Sprintf("%s[%s](%s)", r.supportName("MapOf"), name, r.kind(s.Elem, nil))
	case model.StructKind:
		return fmt.Sprintf("%s(%s, %s)", r.supportName("StructOf"), s.Struct.VisitFunc(), orNil(r.sameFunc(s.Struct)))
	case model.Conditions:
		return fmt.Sprintf("%s[%s](%s)", r.supportName("ConditionsOf"), name, r.conditionTypeExpr(s.Condition))
	}
	return r.list(s, f, name)
}

// list is the expression for a list, by how the schema says that it merges.
func (r *renderer) list(s *model.Shape, f *model.Field, name string) string {
	elem := r.kind(s.Elem, nil)
	if f != nil && f.ListType == model.ListSet {
		return fmt.Sprintf("%s[%s](%s)", r.supportName("SetOf"), name, elem)
	}
	if f != nil && f.ListType == model.ListMap {
		if key := r.listKey(s.Elem, f.ListMapKeys); key != "" {
			return fmt.Sprintf("%s[%s](%s, %s)", r.supportName("KeyedListOf"), name, key, elem)
		}
	}
	return fmt.Sprintf("%s[%s](%s)", r.supportName("ListOf"), name, elem)
}

// listKey is a function that tells the entries of a keyed list apart, "" if
// the keys are not known.
func (r *renderer) listKey(elem *model.Shape, keys []string) string {
	if elem.Kind != model.StructKind || len(keys) == 0 {
		return ""
	}
	var values []string
	for _, key := range keys {
		f := elem.Struct.Field(key)
		if f == nil {
			return ""
		}
		values = append(values, "e."+f.Selector)
	}
	value := fmt.Sprintf("%s(%s)", r.supportName("Key"), strings.Join(values, ", "))
	if f := elem.Struct.Field(keys[0]); len(keys) == 1 && f.Shape.IsString() {
		value = asString(values[0], f.Type)
	}
	return fmt.Sprintf("func(e *%s) string { return %s }", r.typeName(elem.Type), value)
}

// asString is a value of a string type t, as a string.
func asString(value string, t gotypes.Type) string {
	if _, basic := gotypes.Unalias(t).(*gotypes.Basic); basic {
		return value
	}
	return "string(" + value + ")"
}

// nameable reports whether the file can write the struct's type out.
func (r *renderer) nameable(s *gotypes.Struct) bool {
	for i := range s.NumFields() {
		f := s.Field(i)
		if !f.Exported() && f.Pkg().Path() != r.pkg.Out.Path || !r.reachable(f.Type()) {
			return false
		}
	}
	return true
}

// reachable reports whether the file can name a type.
func (r *renderer) reachable(t gotypes.Type) bool {
	switch t := t.(type) {
	case *gotypes.Named:
		return r.exported(t.Obj())
	case *gotypes.Alias:
		return r.exported(t.Obj())
	case *gotypes.Pointer:
		return r.reachable(t.Elem())
	case *gotypes.Slice:
		return r.reachable(t.Elem())
	case *gotypes.Array:
		return r.reachable(t.Elem())
	case *gotypes.Map:
		return r.reachable(t.Key()) && r.reachable(t.Elem())
	}
	return true
}

func (r *renderer) exported(o *gotypes.TypeName) bool {
	return o.Exported() || o.Pkg() == nil || o.Pkg().Path() == r.pkg.Out.Path
}

// guard are the struct's fields as it declares them.
func (r *renderer) guard(s *gotypes.Struct) []string {
	var out []string
	for i := range s.NumFields() {
		f := s.Field(i)
		line := f.Name() + " " + r.typeName(f.Type())
		if f.Embedded() {
			line = r.typeName(f.Type())
		}
		if tag := s.Tag(i); tag != "" {
			line += " " + tagLiteral(tag)
		}
		out = append(out, line)
	}
	return out
}

func tagLiteral(tag string) string {
	if strings.ContainsAny(tag, "`\n\r") {
		return strconv.Quote(tag)
	}
	return "`" + tag + "`"
}
