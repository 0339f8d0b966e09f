package model

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/statuspatch/statuspatcher-gen/generators/diag"
)

const defaultConditionPath = "conditions"

// resolve follows a dotted JSON path from the status struct. It reports what
// is wrong with the path at pos.
func (b *builder) resolve(r *Root, path string, pos token.Pos) (Path, bool) {
	var p Path
	s := r.Status
	var done []string
	segments := strings.Split(path, ".")
	for i, name := range segments {
		f := s.Field(name)
		if f == nil {
			b.unknownField(s, name, done, pos)
			return Path{}, false
		}
		p = p.with(f)
		done = append(done, name)
		if i == len(segments)-1 {
			break
		}
		if s = f.Shape.inner(); s == nil {
			b.noWayThrough(f, done, pos)
			return Path{}, false
		}
	}
	// A field with an error was reported where it is declared.
	return p, p.Last().Shape.Kind != Invalid
}

func (b *builder) unknownField(s *Struct, name string, done []string, pos token.Pos) {
	known := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		known[i] = f.JSONName
	}
	if i := strings.IndexByte(name, '['); i > 0 {
		list := strings.Join(append(done, name[:i]), ".")
		switch f := s.Field(name[:i]); {
		case f == nil:
		case f.Shape.Kind != Conditions:
			b.listElement(list, pos)
			return
		case !strings.Contains(name, "]"):
			b.diags.Addf(pos, "the bracket in %s is not closed: write %s]", name, name)
			return
		default:
			b.diags.Addf(pos, "%s is no field: a condition is a member of a group as a whole, as in %s[Ready], and its list is named %s", name, list, list)
			return
		}
		name = name[:i]
	}
	where := typeLabel(b.pkg.Types, s.Type)
	if name == "status" && len(done) == 0 {
		b.diags.Addf(pos, "%s has no field with the JSON name %q: paths begin below the status, leave it out", where, name)
		return
	}
	if name == "" {
		b.diags.Addf(pos, "a name in the path is empty: write the JSON names of fields of %s with dots between them", where)
		return
	}
	b.diags.Addf(pos, "%s has no field with the JSON name %q%s", where, name, diag.DidYouMean(name, known))
}

// noWayThrough reports a path that goes on below something that is no struct.
func (b *builder) noWayThrough(f *Field, done []string, pos token.Pos) {
	path := strings.Join(done, ".")
	switch f.Shape.Kind {
	case Invalid:
	case Slice, Conditions:
		b.listElement(path, pos)
	case Map:
		b.diags.Addf(pos, "%s is a map, whose entries cannot be named: name the map as a whole", path)
	default:
		b.diags.Addf(pos, "%s is no struct and has no fields: end the path there", path)
	}
}

func (b *builder) listElement(path string, pos token.Pos) {
	b.diags.Addf(pos, "%s is a list, whose elements cannot be named: name the list as a whole; a condition is written as conditions[Type]", path)
}

// typeLabel names a struct in messages.
func typeLabel(from *types.Package, t types.Type) string {
	if _, ok := types.Unalias(t).(*types.Named); !ok {
		return "the struct"
	}
	return types.TypeString(t, func(p *types.Package) string {
		if p == from {
			return ""
		}
		return p.Name()
	})
}

// conditionList finds the list of conditions at a JSON path.
func (b *builder) conditionList(r *Root, path string, explicit bool, pos token.Pos) *ConditionList {
	var known []string
	for _, l := range r.ConditionLists {
		if l.Path.JSON() == path {
			return l
		}
		known = append(known, l.Path.JSON())
	}
	where := typeLabel(b.pkg.Types, r.Status.Type)
	if explicit {
		p, ok := b.resolve(r, path, pos)
		if ok {
			b.diags.Addf(pos, "%s is no list of conditions: its elements need Type, Status, Reason and Message of a string type and LastTransitionTime metav1.Time%s", p.JSON(), diag.DidYouMean(path, known))
		}
		return nil
	}
	if f := r.Status.Field(path); f != nil {
		if f.Shape.Kind != Invalid {
			b.diags.Addf(pos, "%s of %s is no list of conditions: its elements need Type, Status, Reason and Message of a string type and LastTransitionTime metav1.Time", path, where)
		}
		return nil
	}
	hint := "add a field Conditions []metav1.Condition `json:\"conditions,omitempty\"`"
	if len(known) > 0 {
		hint = "name the list with path=, known are " + strings.Join(known, ", ")
	}
	b.diags.Addf(pos, "%s has no field %q for conditions: %s", where, path, hint)
	return nil
}

// within returns the position of value in the marker's text, or the marker's own.
func (m mark) within(value string) token.Pos {
	const separators = "=,;{} \t\""
	start := strings.IndexByte(m.text, '=')
	for at := max(start, 0); value != ""; at++ {
		i := strings.Index(m.text[at:], value)
		if i < 0 {
			break
		}
		at += i
		end := at + len(value)
		before := at > 0 && strings.IndexByte(separators, m.text[at-1]) >= 0
		if before && (end == len(m.text) || strings.IndexByte(separators, m.text[end]) >= 0) {
			return m.pos + token.Pos(at)
		}
	}
	return m.pos
}

// withinLast is within for the last of several occurrences.
func (m mark) withinLast(value string) token.Pos {
	pos := m.within(value)
	if i := strings.LastIndex(m.text, value); i >= 0 && m.pos+token.Pos(i) > pos {
		return m.pos + token.Pos(i)
	}
	return pos
}
