package model

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/statuspatch/statuspatcher-gen/generators/diag"
)

// nameParams names the setter's parameters: after the JSON name, or the whole
// path where two members end in the same.
func nameParams(g *Group) {
	taken := map[string]bool{"p": true}
	for _, m := range g.Params() {
		short, long := paramNames(m)
		m.Param = short
		if !usable(short, taken) {
			m.Param = long
		}
		for !usable(m.Param, taken) {
			m.Param += "Value"
		}
		taken[m.Param] = true
	}
}

func paramNames(m *Member) (short, long string) {
	if m.Condition != nil {
		return lowerFirst(m.FieldName), lowerFirst(m.FieldName)
	}
	return lowerFirst(identifier(m.Path.Last().JSONName)), lowerFirst(m.Path.GoName())
}

func usable(name string, taken map[string]bool) bool {
	return token.IsIdentifier(name) && types.Universe.Lookup(name) == nil && !taken[name]
}

// baseName is the name of a named type.
func baseName(t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// lowerFirst lowers the leading capitals: URL becomes url, APIVersion apiVersion.
func lowerFirst(s string) string {
	rs := []rune(s)
	for i, r := range rs {
		if !unicode.IsUpper(r) || i > 0 && i+1 < len(rs) && unicode.IsLower(rs[i+1]) {
			break
		}
		rs[i] = unicode.ToLower(r)
	}
	return string(rs)
}

// identifier drops what no identifier has, and capitalises what follows it.
func identifier(s string) string {
	var b strings.Builder
	up := true
	for _, r := range s {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			up = true
			continue
		}
		if up {
			r = unicode.ToUpper(r)
		}
		up = false
		b.WriteRune(r)
	}
	return b.String()
}

// Names tells which names are in use where code is generated.
type Names struct {
	// Taken returns where the output package declares a name itself.
	Taken func(p *Package, name string) (token.Position, bool)
	// Support are the names that support code uses in the output package.
	Support []string
}

// CheckNames reports generated names that are taken, by other code of the
// output package or by each other.
func CheckNames(pkgs []*Package, names Names, diags *diag.List) {
	for _, p := range pkgs {
		c := &nameCheck{pkg: p, names: names, diags: diags, owner: map[string]string{}}
		for _, r := range p.Roots {
			c.root(r)
		}
		c.support()
		for _, t := range p.Reasons {
			c.reason(t)
		}
		c.unexported()
	}
}

// nameCheck checks the names of one output package.
type nameCheck struct {
	pkg   *Package
	names Names
	diags *diag.List
	owner map[string]string // generated name to what it is for
}

// add claims a package-level name. remedy says how to get another one.
func (c *nameCheck) add(name, owner, remedy string, pos token.Pos) {
	other := c.owner[name]
	switch at, taken := c.names.Taken(c.pkg, name); {
	case other != "":
		c.diags.Addf(pos, "the generated name %s is taken by %s: %s", name, other, remedy)
	case taken:
		c.diags.Addf(pos, "the generated name %s is already declared at %s:%d: %s", name, diag.ShortPath(at.Filename), at.Line, remedy)
	case slices.Contains(c.names.Support, name):
		c.diags.Addf(pos, "the generated name %s is taken by the support code: %s", name, remedy)
	}
	c.owner[name] = owner
}

func (c *nameCheck) root(r *Root) {
	const remedy = "rename one of them, or use --output-pkg"
	owner := "the patcher of " + r.Name
	for _, name := range []string{r.PatchFunc(), r.PatchType(), r.NewPatcherFunc(), r.PatcherType()} {
		c.add(name, owner, remedy, r.Pos)
	}
	for _, g := range r.Groups {
		if g.UsesStruct() {
			c.add(g.StructName, "group "+g.Name+" of "+r.Name, "give the group another name=", g.Pos)
		}
	}
	c.methods(r)
}

// support checks the names of the support code against the package's own.
func (c *nameCheck) support() {
	if len(c.pkg.Roots) == 0 {
		return
	}
	for _, name := range c.names.Support {
		if at, taken := c.names.Taken(c.pkg, name); taken {
			c.diags.Add(diag.Diagnostic{Pos: at, Message: fmt.Sprintf(
				"the support code uses the name %s too: rename yours, or put the support code elsewhere with --support-package", name)})
		}
	}
}

// unexported checks the names that only generated code uses.
func (c *nameCheck) unexported() {
	var generated []string
	for _, r := range c.pkg.Roots {
		generated = append(generated, r.TypeVar())
	}
	for _, s := range c.pkg.Structs {
		generated = append(generated, s.VisitFunc(), s.SameFunc(), s.ConditionVar())
	}
	for _, name := range generated {
		if at, taken := c.names.Taken(c.pkg, name); taken {
			c.diags.Add(diag.Diagnostic{Pos: at, Message: fmt.Sprintf("generated code declares %s too: rename yours", name)})
		}
	}
}

func (c *nameCheck) reason(t *ReasonType) {
	const remedy = "give the condition another name="
	owner := "the reasons of condition " + t.Condition
	c.add(t.Name, owner, remedy, t.Pos)
	for _, r := range t.Reasons {
		c.add(r.Const, owner, remedy, t.Pos)
	}
}

// methods checks the fields and methods of FooStatusPatch, which
// FooStatusPatcher has too.
func (c *nameCheck) methods(r *Root) {
	const builtin = "every patcher's own method"
	owner := map[string]string{
		"Object": builtin, "SetCondition": builtin, "RemoveCondition": builtin,
		"Status": builtin, "Patch": builtin, "Keep": builtin,
	}
	// One clash of a condition or group is enough to report.
	add := func(what string, pos token.Pos, names ...string) {
		for _, name := range names {
			if other := owner[name]; other != "" {
				c.diags.Addf(pos, "the generated method %s for %s is taken by %s: give one of them another name=", name, what, other)
				return
			}
		}
		for _, name := range names {
			owner[name] = what
		}
	}
	for _, cond := range r.Conditions {
		names := []string{cond.Getter()}
		if cond.Group == nil {
			names = append(names, cond.Setter(), cond.Remover())
		}
		add("condition "+cond.Type, cond.Pos, names...)
	}
	for _, g := range r.Groups {
		add("group "+g.Name, g.Pos, g.Setter(), g.MarkComputed())
	}
}
