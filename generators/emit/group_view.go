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
	MemberPaths string // JSON paths, as Go writes them
	Passive     int
}

// paramView is a parameter, or a field of the struct that is the parameter.
type paramView struct {
	FieldName, ParamType string
}

// setBlock sets members that have the same parents.
type setBlock struct {
	Allocations []allocation
	Guard       string
	Assignments []string

	parents []allocation
	wanted  []string // conditions under which parents are needed
}

func (r *renderer) group(root *model.Root, g *model.Group, index int) *groupView {
	v := &groupView{Group: g, PatchType: root.PatchType(), Index: index}
	var written, passive, params []string
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
		params = append(params, m.Param+" "+param.ParamType)
		r.addToBlock(v, m)
	}
	for _, b := range v.Blocks {
		b.finish()
	}
	v.MembersText = andList(written)
	v.Passive = len(passive)
	v.MemberPaths = strings.Join(append(paths, passivePaths...), ", ")
	v.Signature = strings.Join(params, ", ")
	if g.UsesStruct() {
		v.Signature = groupParam + " " + g.StructName
	}
	return v
}

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
		if comparisons(b.parents, "==", "|") == comparisons(parents, "==", "|") {
			block = b
		}
	}
	if block == nil {
		block = &setBlock{parents: parents}
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
	if len(b.parents) == 0 {
		return
	}
	needed := strings.Join(b.wanted, " || ")
	for _, w := range b.wanted {
		if w == "true" {
			needed = ""
		}
	}
	for _, p := range b.parents {
		p.Condition = p.Selector + " == nil"
		switch {
		case needed == "":
		case len(b.wanted) == 1:
			p.Condition += " && " + needed
		default:
			p.Condition += " && (" + needed + ")"
		}
		b.Allocations = append(b.Allocations, p)
	}
	if needed != "" {
		b.Guard = comparisons(b.parents, "!=", " && ")
	}
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

// andList joins names as a sentence does.
func andList(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
