package emit

import (
	"fmt"
	gotypes "go/types"
	"strconv"
	"strings"

	"github.com/statuspatch/statuspatcher-gen/generators/model"
)

// conditionView is what the templates of a condition, or of any condition in a
// list, read.
type conditionView struct {
	*model.Condition
	PatchType   string
	HasSetter   bool
	Signature   string
	Literal     string
	List        string // the list, in Go
	Missing     string // when a parent of the list is nil
	Allocations []allocation
	Elem        string // what the support code knows of the list's elements
	ElemType    string
}

func (r *renderer) conditionList(root *model.Root, list *model.ConditionList) *conditionView {
	parents := r.allocations("p.Status", list.Path)
	return &conditionView{
		PatchType:   root.PatchType(),
		List:        below("p.Status", list.Path.Selector()),
		Missing:     comparisons(parents, "==", " || "),
		Allocations: parents,
		Elem:        r.conditionTypeExpr(list.Elem),
		ElemType:    r.typeName(list.Elem.Type),
	}
}

func (r *renderer) condition(root *model.Root, c *model.Condition) *conditionView {
	v := r.conditionList(root, c.List)
	v.Condition = c
	v.HasSetter = c.Group == nil
	elem := c.List.Elem
	reasonType, reason := r.typeName(elem.Reason.Type), "reason"
	if c.Reason != nil {
		reason = conversion(reasonType, "reason")
		reasonType = c.Reason.Name
	}
	params := []parameter{{"status", r.typeName(elem.Status.Type)}, {"reason", reasonType}}
	values := []string{
		elem.ConditionType.Selector + ": " + strconv.Quote(c.Type),
		elem.Status.Selector + ": status",
		elem.Reason.Selector + ": " + reason,
	}
	if elem.Severity != nil {
		params = append(params, parameter{"severity", r.typeName(elem.Severity.Type)})
		values = append(values, elem.Severity.Selector+": severity")
	}
	params = append(params, parameter{"message", r.typeName(elem.Message.Type)})
	values = append(values, elem.Message.Selector+": message")
	v.Signature = parameters(params)
	v.Literal = v.ElemType + "{" + strings.Join(values, ", ") + "}"
	return v
}

// conversion converts a value to a type.
func conversion(typeName, value string) string {
	if strings.ContainsAny(typeName, "*[ ") {
		typeName = "(" + typeName + ")"
	}
	return typeName + "(" + value + ")"
}

// conditionTypeExpr is what the support code knows of a type of conditions.
func (r *renderer) conditionTypeExpr(c *model.ConditionElem) string {
	if c.Meta {
		return r.supportName("MetaCondition")
	}
	return c.Struct.ConditionVar()
}

// conditionElem is the condition that a struct is, nil if it is none.
func (r *renderer) conditionElem(s *model.Struct) *model.ConditionElem {
	for _, root := range r.pkg.Roots {
		for _, list := range root.ConditionLists {
			if list.Elem.Struct == s && !list.Elem.Meta {
				return list.Elem
			}
		}
	}
	return nil
}

// conditionTypeView is what the template of a type of conditions reads.
type conditionTypeView struct {
	Var, ElemType, Visit, Rules string
	TypeKey                     string // the JSON name of the type's field where it is not the usual one
	TypeExpr                    string // the type of the condition c
	Same                        string // "" where there is no quick look
	Recursive                   bool   // Visit leads back to Var
	Fields                      []string
}

func (r *renderer) conditionType(c *model.ConditionElem) *conditionTypeView {
	v := &conditionTypeView{
		Var: c.Struct.ConditionVar(), ElemType: r.typeName(c.Type), Visit: c.Struct.VisitFunc(),
		Same:      r.sameFunc(c.Struct),
		TypeExpr:  asString("c."+c.ConditionType.Selector, c.ConditionType.Type),
		Recursive: reaches(c.Struct, c, map[*model.Struct]bool{}),
	}
	if name := c.ConditionType.JSONName; name != "type" {
		v.TypeKey = name
	}
	add := func(name string, f *model.Field) {
		if f != nil {
			v.Fields = append(v.Fields, name+": "+r.addressAsBasic(f))
		}
	}
	add("Type", c.ConditionType)
	add("Status", c.Status)
	add("Reason", c.Reason)
	add("Message", c.Message)
	add("Severity", c.Severity)
	add("ObservedGeneration", c.ObservedGeneration)
	add("LastTransitionTime", c.LastTransitionTime)
	add("LastUpdateTime", c.LastUpdateTime)
	var seen []string
	for _, f := range []*model.Field{c.LastHeartbeatTime, c.LastProbeTime} {
		if f != nil {
			seen = append(seen, "&c."+f.Selector)
		}
	}
	if len(seen) > 0 {
		v.Fields = append(v.Fields, fmt.Sprintf("Seen: [2]*%s.Time{%s}", r.pkgName(metav1Path), strings.Join(seen, ", ")))
	}
	var rules []string
	for _, rule := range []struct {
		name string
		f    *model.Field
	}{{"MaxType", c.ConditionType}, {"MaxReason", c.Reason}, {"MaxMessage", c.Message}} {
		if rule.f.MaxLength > 0 {
			rules = append(rules, fmt.Sprintf("%s: %d", rule.name, rule.f.MaxLength))
		}
	}
	if r := c.Reason; r.OmitEmpty && r.Required || !r.OmitEmpty && r.MinLength > 0 {
		rules = append(rules, "ReasonRequired: true")
	}
	v.Rules = strings.Join(rules, ", ")
	return v
}

// reaches reports whether a struct holds a list of the conditions c, at any depth.
func reaches(s *model.Struct, c *model.ConditionElem, seen map[*model.Struct]bool) bool {
	if seen[s] {
		return false
	}
	seen[s] = true
	for _, f := range s.Fields {
		for shape := f.Shape; shape != nil; shape = shape.Elem {
			switch {
			case shape.Kind == model.Conditions && shape.Condition.Struct == c.Struct:
				return true
			case shape.Struct != nil && reaches(shape.Struct, c, seen):
				return true
			}
		}
	}
	return false
}

// addressAsBasic is the address of a condition's field, as a pointer to the
// basic type below a named one.
func (r *renderer) addressAsBasic(f *model.Field) string {
	address := "&c." + f.Selector
	if _, basic := gotypes.Unalias(f.Type).(*gotypes.Basic); basic {
		return address
	}
	if b, ok := f.Type.Underlying().(*gotypes.Basic); ok {
		return fmt.Sprintf("(*%s)(%s)", b.Name(), address)
	}
	return address
}
