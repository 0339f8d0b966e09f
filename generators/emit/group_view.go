package emit

import (
	"fmt"
	gotypes "go/types"
	"strconv"
	"strings"

	"github.com/statuspatch/statuspatcher-gen/generators/model"
)

// groupView is what the template of a group reads.
type groupView struct {
	*model.Group
	PatchType   string
	Index       int
	MembersText string
	Signature   string
	Params      []paramView
	Blocks      []*setBlock
	MemberPaths string   // JSON paths, as Go writes them
	Values      []string // how each member is written down
	Passive     int
}

// paramView is a parameter, or a field of the struct that is the parameter.
type paramView struct {
	FieldName, ParamType string
}

// setBlock sets members that have the same parents.
type setBlock struct {
	Needed      string // when the parents are made; "" is always
	Allocations []allocation
	Guard       string // when the parents are there; "" is always
	Assignments []string

	wanted []string // when each member needs the parents
}

func (r *renderer) group(root *model.Root, g *model.Group, index int) *groupView {
	v := &groupView{Group: g, PatchType: root.PatchType(), Index: index}
	var written, passive []string
	var params []parameter
	var paths, passivePaths []string
	for _, m := range g.Members {
		written = append(written, m.Written())
		segments := m.Path.Segments()
		if m.Condition != nil {
			segments = append(segments, "["+m.Condition.Type+"]")
		}
		if m.Passive {
			passive = append(passive, m.Written())
			passivePaths = append(passivePaths, "{"+quoted(segments)+"}")
			continue
		}
		paths = append(paths, "{"+quoted(segments)+"}")
		param := paramView{m.FieldName, r.paramType(m)}
		v.Params = append(v.Params, param)
		params = append(params, parameter{m.Param, param.ParamType})
		r.addToBlock(v, m)
		v.Values = append(v.Values, r.memberValue(m))
	}
	for _, b := range v.Blocks {
		b.finish()
	}
	v.MembersText = andList(written)
	v.Passive = len(passive)
	v.MemberPaths = strings.Join(append(paths, passivePaths...), ", ")
	v.Signature = parameters(params)
	if g.UsesStruct() {
		v.Signature = groupParam + " " + g.StructName
	}
	return v
}

// memberValue is the call that writes a member down: that of a zero parent
// where it has none.
func (r *renderer) memberValue(m *model.Member) string {
	holder, at := "s", ""
	for _, parent := range m.Path.Parents() {
		holder = fmt.Sprintf("%s(%s)", r.supportName("OrZero"), below(holder, strings.TrimPrefix(parent.Selector, at)))
		at = parent.Selector + "."
	}
	member := below(holder, strings.TrimPrefix(m.Path.Selector(), at))
	if c := m.Condition; c != nil {
		return fmt.Sprintf("%s(to, %s, %s, %s)", r.supportName("AddCondition"), member,
			r.conditionTypeExpr(c.List.Elem), strconv.Quote(c.Type))
	}
	f := m.Path.Last()
	if plain(f.Shape) || f.Shape.Kind == model.Pointer && plain(f.Shape.Elem) {
		return fmt.Sprintf("to.Add(&%s)", member)
	}
	return fmt.Sprintf("%s(to, &%s, %s)", r.supportName("AddMember"), member, r.kind(f.Shape, f))
}

func plain(s *model.Shape) bool { return s.Kind == model.Scalar }

// groupParam is the parameter of a setter that takes a struct.
const groupParam = "members"

func (r *renderer) paramType(m *model.Member) string {
	if m.Condition != nil {
		return "*" + r.typeName(m.Type())
	}
	return r.typeName(m.Type())
}

// addToBlock adds the assignment of a member to the block of its parents.
func (r *renderer) addToBlock(v *groupView, m *model.Member) {
	parents := r.allocations("p.Status", m.Path)
	var block *setBlock
	for _, b := range v.Blocks {
		if comparisons(b.Allocations, "==", "|") == comparisons(parents, "==", "|") {
			block = b
		}
	}
	if block == nil {
		block = &setBlock{Allocations: parents}
		v.Blocks = append(v.Blocks, block)
	}
	value := m.Param
	if v.UsesStruct() {
		value = groupParam + "." + m.FieldName
	}
	target := below("p.Status", m.Path.Selector())
	if c := m.Condition; c != nil {
		block.wanted = append(block.wanted, value+" != nil")
		block.Assignments = append(block.Assignments, fmt.Sprintf("%s(&%s, %s, %s, %s, p.edit.Generation())",
			r.supportName("SetOrRemoveCondition"), target, r.conditionTypeExpr(c.List.Elem), strconv.Quote(c.Type), value))
		return
	}
	block.wanted = append(block.wanted, r.nonZero(m.Path.Last(), value))
	block.Assignments = append(block.Assignments, target+" = "+value)
}

// finish works out when the block's parents are made, and needed.
func (b *setBlock) finish() {
	if len(b.Allocations) == 0 {
		return
	}
	for _, w := range b.wanted {
		if w == "true" {
			return // parents are always made
		}
	}
	b.Needed = strings.Join(b.wanted, " || ")
	b.Guard = comparisons(b.Allocations, "!=", " && ")
}

// nonZero is when a value needs a place to be stored.
func (r *renderer) nonZero(f *model.Field, value string) string {
	switch f.Shape.Kind {
	case model.Pointer, model.Slice, model.Map, model.Bytes, model.Conditions:
		return value + " != nil"
	case model.Time, model.MicroTime:
		return "!" + value + ".IsZero()"
	case model.Scalar:
		b, ok := f.Type.Underlying().(*gotypes.Basic)
		switch {
		case !ok:
		case b.Info()&gotypes.IsString != 0:
			return value + ` != ""`
		case b.Info()&gotypes.IsBoolean != 0:
			if _, named := gotypes.Unalias(f.Type).(*gotypes.Named); named {
				return "bool(" + value + ")"
			}
			return value
		default:
			return value + " != 0"
		}
	case model.Comparable:
		return fmt.Sprintf("%s != (%s{})", value, r.typeName(f.Type))
	}
	return "true"
}

// parameter is a parameter of a function.
type parameter struct{ name, typeName string }

// parameters writes parameters out, the type once behind neighbours that share it.
func parameters(list []parameter) string {
	var b strings.Builder
	for i, p := range list {
		b.WriteString(p.name)
		if i+1 == len(list) {
			b.WriteString(" " + p.typeName)
			break
		}
		if list[i+1].typeName != p.typeName {
			b.WriteString(" " + p.typeName)
		}
		b.WriteString(", ")
	}
	return b.String()
}

// andList joins names as a sentence does.
func andList(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
