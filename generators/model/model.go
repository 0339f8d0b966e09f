// Package model turns loaded API packages into what is to be generated for
// them: plain data, checked, for templates to read.
//
// Every problem is added to the program's diagnostics and building goes on, so
// that one run reports all of them.
package model

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/statuspatch/statuspatcher-gen/generators/load"
	"github.com/statuspatch/statuspatcher-gen/markers"
)

// Package is an API package with types to generate patchers for.
type Package struct {
	Path, Name, Dir string
	// Module is the module of the API package.
	Module *load.Module
	// Source is the loaded package.
	Source *load.Package
	// Out is the package that the patchers go into.
	Out Output
	// Roots are the types with a patcher, by name.
	Roots []*Root
	// Structs are the structs that are compared field by field: the status
	// structs and all that they hold, in the order in which they are reached.
	Structs []*Struct
	// Reasons are the reason types, by name.
	Reasons []*ReasonType
}

// Output says where generated code goes.
type Output struct {
	Path, Name, Dir string
}

// Root is a type that gets a patcher.
type Root struct {
	// Name is the type's name in its package, or the alias's.
	Name string
	// Type is the type; an alias is kept as such.
	Type types.Type
	// Alias tells whether the type belongs to another package.
	Alias bool
	// StatusField is the Go name of the status field.
	StatusField string
	// StatusPointer tells whether that field is a pointer.
	StatusPointer bool
	// Status is the status struct.
	Status *Struct
	// Lock is the default lock.
	Lock markers.Lock
	// Groups are the atomic groups, in the order of their markers.
	Groups []*Group
	// Conditions are the declared conditions and those that are in groups, in
	// the order of their markers.
	Conditions []*Condition
	// ConditionLists are all lists of conditions that are reached through
	// structs, the shallowest first.
	ConditionLists []*ConditionList
	// ObservedGeneration leads to the field that is filled with the
	// generation; nil if there is none.
	ObservedGeneration *Path
	// APIGroup is the type's API group, as far as its package declares it.
	APIGroup string
	// Resource is the plural name of the resource.
	Resource string
	// ClusterScoped tells whether objects have no namespace.
	ClusterScoped bool
	// Pos is where the type is declared.
	Pos token.Pos
}

// DefaultConditionList returns the list that SetCondition writes: the one at
// `conditions`, else the shallowest; nil if there is none.
func (r *Root) DefaultConditionList() *ConditionList {
	for _, l := range r.ConditionLists {
		if l.Path.JSON() == defaultConditionPath {
			return l
		}
	}
	if len(r.ConditionLists) > 0 {
		return r.ConditionLists[0]
	}
	return nil
}

// The names that are generated for a root type.

// PatchFunc is the name of the closure form.
func (r *Root) PatchFunc() string { return "Patch" + r.Name + "Status" }

// PatchType is the name of what a closure edits.
func (r *Root) PatchType() string { return r.Name + "StatusPatch" }

// NewPatcherFunc is the name of the constructor of the deferred form.
func (r *Root) NewPatcherFunc() string { return "New" + r.Name + "StatusPatcher" }

// PatcherType is the name of the deferred form.
func (r *Root) PatcherType() string { return r.Name + "StatusPatcher" }

// TypeVar is the name of the variable that describes the type.
func (r *Root) TypeVar() string { return "statusPatchTypeOf" + r.Name }

// Struct is a struct that is compared field by field.
type Struct struct {
	// Name is a Go identifier that is unique among the package's structs, also
	// with its first letter in upper case.
	Name string
	// Type is the struct's type; not a named one for an anonymous struct.
	Type types.Type
	// Foreign tells whether it is declared outside the API package.
	Foreign bool
	// Apimachinery tells whether it is one of apimachinery's, which need no drift guard.
	Apimachinery bool
	// Fields are its JSON fields, embedded structs flattened, in JSON's order.
	Fields []*Field
	// Embedded are the types of the structs whose fields are among them.
	Embedded []types.Type
	// Raw is the struct as declared: all fields with their tags.
	Raw *types.Struct
	// Pos is where it is declared.
	Pos token.Pos
}

// VisitFunc is the name of the function that goes through the fields.
func (s *Struct) VisitFunc() string { return "statusPatchFieldsOf" + upperFirst(s.Name) }

// SameFunc is the name of the function that takes a quick look at whether two
// values are the same.
func (s *Struct) SameFunc() string { return "statusPatchSameOf" + upperFirst(s.Name) }

// ConditionVar is the name of the variable that describes the struct as a condition.
func (s *Struct) ConditionVar() string { return "statusPatchConditionsOf" + upperFirst(s.Name) }

// Field returns the field with the JSON name, or nil.
func (s *Struct) Field(jsonName string) *Field {
	for _, f := range s.Fields {
		if f.JSONName == jsonName {
			return f
		}
	}
	return nil
}

// ListType says how a list merges.
type ListType string

// The list types; the zero value is an undeclared one, which is atomic.
const (
	ListAtomic ListType = "atomic"
	ListSet    ListType = "set"
	ListMap    ListType = "map"
)

// Field is a JSON field of a struct.
type Field struct {
	// Selector leads from the struct to the field: `Replicas`, or
	// `Inline.Replicas` through an embedded struct.
	Selector string
	// GoName is the last name in Selector.
	GoName string
	// JSONName is the field's key.
	JSONName string
	// Type is the field's type, as declared.
	Type types.Type
	// Shape says how values of the type are compared.
	Shape *Shape
	// OmitEmpty, OmitZero and Quoted are the options of the JSON tag.
	OmitEmpty, OmitZero, Quoted bool
	// ZeroMethod tells whether omitzero asks the type's own IsZero.
	ZeroMethod bool
	// Required tells whether the server refuses an object without the field.
	Required bool
	// Optional tells whether the field is explicitly marked as optional.
	Optional bool
	// Nullable tells whether the server stores a null.
	Nullable bool
	// Default is the server-side default as JSON; "" if there is none.
	Default string
	// ListType and ListMapKeys say how a list merges.
	ListType    ListType
	ListMapKeys []string
	// MaxLength is the greatest number of characters, MinLength the least; 0 if
	// there is no limit.
	MaxLength, MinLength int
	// Pos is where the field is declared.
	Pos token.Pos
}

// Path leads from a status struct to a field, through structs and pointers to
// structs only.
type Path struct {
	Fields []*Field
}

// Last is the field that the path leads to.
func (p Path) Last() *Field { return p.Fields[len(p.Fields)-1] }

// Segments are the JSON names along the path.
func (p Path) Segments() []string {
	out := make([]string, len(p.Fields))
	for i, f := range p.Fields {
		out[i] = f.JSONName
	}
	return out
}

// JSON is the path with dots, as it is written in markers.
func (p Path) JSON() string { return strings.Join(p.Segments(), ".") }

// Pointer is the path as a JSON pointer.
func (p Path) Pointer() string {
	var b strings.Builder
	for _, s := range p.Segments() {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(s))
	}
	return b.String()
}

// Selector is the Go expression that leads from the struct to the field.
func (p Path) Selector() string {
	out := make([]string, len(p.Fields))
	for i, f := range p.Fields {
		out[i] = f.Selector
	}
	return strings.Join(out, ".")
}

// GoName is the names of the Go fields along the path, joined.
func (p Path) GoName() string {
	var b strings.Builder
	for _, f := range p.Fields {
		b.WriteString(f.GoName)
	}
	return b.String()
}

// Parent is a struct on the way to a field that may be absent: a pointer.
type Parent struct {
	// Selector leads from the status struct to the pointer.
	Selector string
	// Elem is the type that it points to.
	Elem types.Type
}

// Parents are the pointers on the way to the field, the outermost first.
func (p Path) Parents() []Parent {
	var out []Parent
	for i, f := range p.Fields[:len(p.Fields)-1] {
		if f.Shape.Kind == Pointer {
			out = append(out, Parent{Path{p.Fields[:i+1]}.Selector(), f.Shape.Elem.Type})
		}
	}
	return out
}

// Group is an atomic group.
type Group struct {
	// Name is made of the members' names, or given.
	Name string
	// Named tells whether the marker gives the name.
	Named bool
	// Members are the members in the order of the marker.
	Members []*Member
	// StructName is the type of the setter's only parameter; "" if the setter
	// has a parameter for each member.
	StructName string
	// Pos is where the marker is.
	Pos token.Pos
}

// UsesStruct tells whether the setter takes a struct.
func (g *Group) UsesStruct() bool { return g.StructName != "" }

// Setter is the name of the method that sets the group.
func (g *Group) Setter() string { return "Set" + g.Name }

// MarkComputed is the name of the method that declares the group computed.
func (g *Group) MarkComputed() string { return "Mark" + g.Name + "Computed" }

// Params are the members that the setter takes.
func (g *Group) Params() []*Member {
	var out []*Member
	for _, m := range g.Members {
		if !m.Passive {
			out = append(out, m)
		}
	}
	return out
}

// Member is a field or a condition in a group.
type Member struct {
	// Path leads to the field, or to the list that the condition is in.
	Path Path
	// Condition is the condition; nil for a field.
	Condition *Condition
	// Passive tells whether the member is the observedGeneration field, which
	// is filled in.
	Passive bool
	// Param is the setter's parameter; FieldName the field of its struct.
	Param, FieldName string
	// Pos is where the marker names the member.
	Pos token.Pos
}

// Type is the type of the setter's parameter; for a condition, whose parameter
// is a pointer, the list's element type.
func (m *Member) Type() types.Type {
	if m.Condition != nil {
		return m.Condition.List.Elem.Type
	}
	return m.Path.Last().Type
}

// Written is the member as markers write it.
func (m *Member) Written() string {
	if m.Condition != nil {
		return m.Path.JSON() + "[" + m.Condition.Type + "]"
	}
	return m.Path.JSON()
}

// Condition is a condition of a root type.
type Condition struct {
	Type string
	// GoName is the type, or the name that the marker gives.
	GoName string
	// Reason is the type of its reasons; nil if any string is one.
	Reason *ReasonType
	// List is the list that the condition is in.
	List *ConditionList
	// Group is the group that the condition is a member of, or nil. Such a
	// condition has no setter of its own.
	Group *Group
	// Declared tells whether it has a marker of its own.
	Declared bool
	// Pos is where the marker is.
	Pos token.Pos
}

// Setter, Remover and Getter are the names of the condition's methods.
func (c *Condition) Setter() string { return "Set" + c.GoName + "Condition" }

// Remover is the name of the method that removes the condition.
func (c *Condition) Remover() string { return "Remove" + c.GoName + "Condition" }

// Getter is the name of the method that returns the condition.
func (c *Condition) Getter() string { return c.GoName + "Condition" }

// ReasonType is the type of a condition's reasons.
type ReasonType struct {
	Name string
	// Condition is the condition's type.
	Condition string
	Reasons   []Reason
	Pos       token.Pos
}

// Reason is a reason with its constant.
type Reason struct {
	// Const is the constant's name, Value its value.
	Const, Value string
}

// ConditionList is a list of conditions in a status.
type ConditionList struct {
	Path Path
	Elem *ConditionElem
}

// ConditionElem is the struct that a list of conditions consists of.
type ConditionElem struct {
	// Type is the struct's type, Struct its fields.
	Type   types.Type
	Struct *Struct
	// ConditionType, Status, Reason, Message and Severity are the fields of these
	// names; Severity is nil where there is none.
	ConditionType, Status, Reason, Message, Severity *Field
	// LastTransitionTime is when the status flipped last.
	LastTransitionTime *Field
	// ObservedGeneration, LastUpdateTime, LastHeartbeatTime and LastProbeTime
	// are nil where there are none.
	ObservedGeneration, LastUpdateTime, LastHeartbeatTime, LastProbeTime *Field
	// Meta tells whether it is metav1.Condition.
	Meta bool
}
