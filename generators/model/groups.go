package model

import (
	"go/token"
	"strings"

	"github.com/statuspatch/statuspatcher-gen/markers"
)

// maxParams is the number of members up to which a setter takes them one by one.
const maxParams = 3

// groups adds the groups that markers declare.
func (b *builder) groups(r *Root, marks []mark) {
	for _, m := range marks {
		if g, ok := m.value.(markers.Group); ok {
			b.group(r, m, g)
		}
	}
}

func (b *builder) group(r *Root, m mark, spec markers.Group) {
	g := &Group{Pos: m.pos, Named: spec.Name != ""}
	complete := true
	for _, f := range spec.Fields {
		if member := b.member(r, g, m, strings.TrimSpace(f)); member != nil {
			g.Members = append(g.Members, member)
		} else {
			complete = false
		}
	}
	switch {
	case spec.Name != "" && !token.IsIdentifier(upperFirst(spec.Name)):
		b.diags.Addf(m.within(spec.Name), "name=%s is no Go identifier: use letters and digits, a letter first", spec.Name)
		complete = false
	case !complete:
	case len(g.Members) < 2 || len(g.Params()) == 0:
		b.diags.Addf(m.pos, "a group needs two members at least: add the fields that %s must not be written without, or remove the marker", g.Members[0].Written())
		complete = false
	case len(g.Params()) > maxParams && spec.Name == "":
		b.diags.Addf(m.pos, "a group of more than %d members needs a name: write +statuspatch:group:name=…,fields=%s", maxParams, strings.Join(spec.Fields, ";"))
		complete = false
	}
	if !complete {
		return
	}
	g.Name = upperFirst(spec.Name)
	if spec.Name == "" {
		g.Name = joinedName(g)
	}
	if len(g.Params()) > maxParams {
		g.StructName = r.Name + g.Name
	}
	nameParams(g)
	for _, member := range g.Members {
		if member.Condition != nil {
			member.Condition.Group = g
		}
	}
	r.Groups = append(r.Groups, g)
}

// joinedName makes the name of a group of its members' names.
func joinedName(g *Group) string {
	names := make([]string, len(g.Members))
	for i, m := range g.Members {
		names[i] = m.FieldName
	}
	return strings.Join(names, "And")
}

// member returns the member that a marker names, or nil if there is a problem,
// which it reports.
func (b *builder) member(r *Root, g *Group, m mark, written string) *Member {
	pos := m.within(written)
	member := b.lookupMember(r, written, pos)
	if member == nil {
		return nil
	}
	for _, other := range g.Members {
		if member.Written() == other.Written() {
			b.diags.Addf(m.withinLast(written), "%s is in the group twice: keep one", written)
			return nil
		}
		if overlap(member, other) {
			b.diags.Addf(pos, "%s and %s are not apart, one being inside the other: keep one", other.Written(), written)
			return nil
		}
	}
	for _, og := range r.Groups {
		for _, other := range og.Members {
			if member.Passive && other.Passive {
				continue // it is filled in wherever it is
			}
			if member.Written() == other.Written() {
				b.diags.Addf(pos, "%s is in two groups, this one and %s: a field can be written whole with one group only", written, og.Name)
				return nil
			}
			if overlap(member, other) {
				b.diags.Addf(pos, "%s and %s of group %s are not apart, one being inside the other: keep one", written, other.Written(), og.Name)
				return nil
			}
		}
	}
	return member
}

// overlap tells whether one member is inside the other.
func overlap(a, b *Member) bool {
	x, y := a.Path.JSON()+".", b.Path.JSON()+"."
	if a.Condition != nil && b.Condition != nil {
		return false
	}
	return strings.HasPrefix(x, y) || strings.HasPrefix(y, x)
}

func (b *builder) lookupMember(r *Root, written string, pos token.Pos) *Member {
	if list, typ, ok := splitCondition(written); ok {
		return b.conditionMember(r, list, typ, pos)
	}
	p, ok := b.resolve(r, written, pos)
	if !ok {
		return nil
	}
	if p.Last().Shape.Kind == Conditions {
		b.diags.Addf(pos, "%s is a list of conditions, which has other writers too: name a condition, as in %s[Ready]", written, written)
		return nil
	}
	passive := r.ObservedGeneration != nil && r.ObservedGeneration.JSON() == p.JSON()
	return &Member{Path: p, Passive: passive, FieldName: p.GoName(), Pos: pos}
}

// splitCondition splits conditions[Ready].
func splitCondition(written string) (list, typ string, ok bool) {
	list, typ, ok = strings.Cut(written, "[")
	if !ok || !strings.HasSuffix(typ, "]") || list == "" {
		return "", "", false
	}
	return list, strings.TrimSuffix(typ, "]"), true
}

// conditionMember returns the member for a condition, which need not have a
// marker of its own.
func (b *builder) conditionMember(r *Root, path, typ string, pos token.Pos) *Member {
	if p := findPath(r, path); p != nil && (p.Last().Shape.Kind != Conditions || isNumber(typ)) {
		b.listElement(path, pos)
		return nil
	}
	list := b.conditionList(r, path, true, pos)
	if list == nil || !b.conditionType(typ, pos) {
		return nil
	}
	for _, c := range r.Conditions {
		if c.Type == typ && c.List == list {
			return &Member{Path: list.Path, Condition: c, FieldName: c.Getter(), Pos: pos}
		}
	}
	goName, ok := b.conditionName(typ, "", pos, pos)
	if !ok {
		return nil
	}
	c := &Condition{Type: typ, GoName: goName, List: list, Pos: pos}
	r.Conditions = append(r.Conditions, c)
	return &Member{Path: list.Path, Condition: c, FieldName: c.Getter(), Pos: pos}
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// findPath is resolve without a report; it knows lists only at its end.
func findPath(r *Root, path string) *Path {
	var p Path
	s := r.Status
	for name := range strings.SplitSeq(path, ".") {
		if s == nil {
			return nil
		}
		f := s.Field(name)
		if f == nil {
			return nil
		}
		p = p.with(f)
		s = f.Shape.inner()
	}
	if k := p.Last().Shape.Kind; k != Slice && k != Conditions && k != Map {
		return nil
	}
	return &p
}
