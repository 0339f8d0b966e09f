package model

import (
	"go/token"
	"regexp"
	"strings"

	"github.com/statuspatch/statuspatcher-gen/markers"
)

// The patterns and lengths that the server checks in metav1.Condition.
var (
	reasonPattern = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`)
	typePattern   = regexp.MustCompile(`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`)
)

const (
	maxReason = 1024
	maxType   = 316
)

// conditions adds the conditions that markers declare.
func (b *builder) conditions(r *Root, marks []mark) {
	for _, m := range marks {
		if c, ok := m.value.(markers.Condition); ok {
			b.condition(r, m, c)
		}
	}
}

func (b *builder) condition(r *Root, m mark, c markers.Condition) {
	path := c.Path
	if path == "" {
		path = defaultConditionPath
	}
	at := m.pos
	if c.Path != "" {
		at = m.within(c.Path)
	}
	list := b.conditionList(r, path, c.Path != "", at)
	goName, nameOK := b.conditionName(c.Type, c.Name, m.within(c.Type), m.within(c.Name))
	if !b.conditionType(c.Type, m.within(c.Type)) || list == nil || !nameOK {
		return
	}
	for _, other := range r.Conditions {
		if other.Type == c.Type && other.List == list {
			b.diags.Addf(m.withinLast(c.Type), "condition %s is declared twice: keep one marker", c.Type)
			return
		}
	}
	cond := &Condition{Type: c.Type, GoName: goName, List: list, Declared: true, Pos: m.pos}
	if len(c.Reasons) > 0 {
		cond.Reason = b.reasonType(r, cond, c.Reasons, m)
	}
	r.Conditions = append(r.Conditions, cond)
}

// conditionType checks the type as the server will.
func (b *builder) conditionType(typ string, pos token.Pos) bool {
	if len(typ) > maxType || !typePattern.MatchString(typ) {
		b.diags.Addf(pos, "%q is no condition type: use letters, digits, '-', '_' and '.', with a domain and a slash before it at most, such as Ready or example.com/Synced", typ)
		return false
	}
	return true
}

// conditionName returns the Go name of a condition.
func (b *builder) conditionName(typ, name string, typePos, namePos token.Pos) (string, bool) {
	if name != "" {
		if !token.IsIdentifier(upperFirst(name)) {
			b.diags.Addf(namePos, "name=%s is no Go identifier: use letters and digits, a letter first", name)
			return "", false
		}
		return upperFirst(name), true
	}
	if !token.IsIdentifier(upperFirst(typ)) {
		if typePattern.MatchString(typ) {
			b.diags.Addf(typePos, "condition type %s is no Go identifier: give the condition a Go name, as in +statuspatch:condition:type=%s,name=%s", typ, typ, suggestName(typ))
		}
		// A type that is wrong as such is reported once, as that.
		return "", false
	}
	return upperFirst(typ), true
}

// suggestName makes a Go name of the last part of a condition's type.
func suggestName(typ string) string {
	name := identifier(typ[strings.LastIndexByte(typ, '/')+1:])
	if !token.IsIdentifier(name) {
		return "Name"
	}
	return name
}

// reasonKey is what root types share a reason type by.
type reasonKey struct {
	status            *Struct
	condition, goName string
}

// reasonType returns the type of a condition's reasons. Root types that share
// a status struct share it; reasons that either declares are in it.
func (b *builder) reasonType(r *Root, c *Condition, reasons []string, m mark) *ReasonType {
	name := strings.TrimSuffix(baseName(r.Status.Type), "Status") + c.GoName + "ConditionReason"
	key := reasonKey{r.Status, c.Type, c.GoName}
	t := b.reasons[key]
	if t == nil {
		t = &ReasonType{Name: name, Condition: c.Type, Pos: m.pos}
		b.reasons[key] = t
		b.out.Reasons = append(b.out.Reasons, t)
	}
	seen := map[string]bool{}
	for _, reason := range reasons {
		switch {
		case len(reason) > maxReason || !reasonPattern.MatchString(reason):
			b.diags.Addf(m.within(reason), "%q is no reason: use a word in CamelCase, of letters, digits and '_', such as AllReady", reason)
			continue
		case seen[reason]:
			b.diags.Addf(m.withinLast(reason), "reason %s is given twice: keep one", reason)
			continue
		}
		seen[reason] = true
		if other := t.add(reason); other != "" {
			b.diags.Addf(m.withinLast(reason), "reasons %s and %s would be the same constant: keep one, or write it otherwise", other, reason)
		}
	}
	return t
}

// add adds a reason that t has not yet. It returns another one whose constant
// would have the same name, if there is one.
func (t *ReasonType) add(reason string) (other string) {
	add := Reason{Const: t.Name + identifier(reason), Value: reason}
	for _, r := range t.Reasons {
		switch {
		case r.Value == add.Value:
			return ""
		case r.Const == add.Const:
			return r.Value
		}
	}
	t.Reasons = append(t.Reasons, add)
	return ""
}
