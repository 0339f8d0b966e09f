package emit

import (
	"fmt"

	"github.com/statuspatch/statuspatcher-gen/generators/model"
)

// freezeLines are the calls that keep what a status holds, by value, in lists
// and behind pointers. at leads to the struct: it is "", or ends in a dot.
func (r *renderer) freezeLines(s *model.Struct, at string) []string {
	var out []string
	for _, f := range s.Fields {
		selector := at + f.Selector
		switch {
		case f.Shape.Kind == model.StructKind:
			out = append(out, r.freezeLines(f.Shape.Struct, selector+".")...)
		case isList(f.Shape):
			out = append(out, fmt.Sprintf("%s(&old.%s, &s.%s)", r.supportName("FreezeList"), selector, selector))
		case f.Shape.Kind == model.Pointer && !mergesByKey(f.Shape.Elem):
			out = append(out, fmt.Sprintf("%s(&old.%s, &s.%s)", r.supportName("FreezePointer"), selector, selector))
		}
	}
	return out
}

func isList(s *model.Shape) bool {
	switch s.Kind {
	case model.Slice, model.Conditions, model.Bytes:
		return true
	}
	return false
}

// mergesByKey reports whether values have keys of their own, or point to such.
func mergesByKey(s *model.Shape) bool {
	switch s.Kind {
	case model.Pointer:
		return mergesByKey(s.Elem)
	case model.StructKind, model.Map, model.Conditions:
		return true
	}
	return false
}
