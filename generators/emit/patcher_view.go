package emit

import (
	"strconv"
	"strings"

	"github.com/statuspatch/statuspatcher-gen/generators/model"
	"github.com/statuspatch/statuspatcher-gen/markers"
)

// patcherView is what the templates of a root type read.
type patcherView struct {
	*model.Root
	TypeVar, VisitStatus string
	SameStatus           string // "" where there is no quick look
	FreezeLines          []string
	LockConst            string // a name of the support package
	Groups               []*groupView
	Conditions           []*conditionView
	AnyCondition         *conditionView // nil where there is no list
	Observed             *observedView  // nil where there is no such field
}

// observedView is the field marked observedGeneration.
type observedView struct {
	AllocateParam string
	Parents       []allocation
	Address, Path string
	Required      bool
}

func (r *renderer) patcher(root *model.Root) *patcherView {
	v := &patcherView{
		Root: root, TypeVar: root.TypeVar(), VisitStatus: root.Status.VisitFunc(),
		SameStatus: r.sameFunc(root.Status), FreezeLines: r.freezeLines(root.Status, ""), LockConst: lockConst(root.Lock),
	}
	for i, g := range root.Groups {
		v.Groups = append(v.Groups, r.group(root, g, i))
	}
	for _, c := range root.Conditions {
		v.Conditions = append(v.Conditions, r.condition(root, c))
	}
	if list := root.DefaultConditionList(); list != nil {
		v.AnyCondition = r.conditionList(root, list)
	}
	v.Observed = r.observed(root)
	return v
}

func lockConst(lock markers.Lock) string {
	switch string(lock) {
	case "fields":
		return "LockFields"
	case "none":
		return "LockNone"
	}
	return "LockObject"
}

func (r *renderer) observed(root *model.Root) *observedView {
	if root.ObservedGeneration == nil {
		return nil
	}
	p, f := *root.ObservedGeneration, root.ObservedGeneration.Last()
	v := &observedView{
		AllocateParam: "_",
		Parents:       r.allocations("s", p),
		Address:       "&" + below("s", p.Selector()),
		Path:          quoted(p.Segments()),
		Required:      f.Required || !f.OmitEmpty && !f.OmitZero,
	}
	if len(v.Parents) > 0 {
		v.AllocateParam = "allocate"
	}
	return v
}

// quoted lists strings as Go writes them.
func quoted(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strconv.Quote(s)
	}
	return strings.Join(out, ", ")
}
