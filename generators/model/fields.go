package model

import (
	"fmt"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// structOf returns the struct for the type t, whose underlying type is st.
func (b *builder) structOf(t types.Type, st *types.Struct, at use) *Struct {
	key := b.structKey(t, st)
	if s := b.structs[key]; s != nil {
		return s
	}
	s := &Struct{Type: t, Raw: st, Pos: at.pos}
	if n, ok := t.(*types.Named); ok {
		s.Pos = n.Obj().Pos()
		s.Foreign = n.Obj().Pkg() != b.pkg.Types
		s.Apimachinery = Apimachinery(n)
	}
	s.Name = b.structName(t)
	b.structs[key] = s
	b.out.Structs = append(b.out.Structs, s)
	for _, c := range b.jsonFields(s, at) {
		s.Fields = append(s.Fields, b.field(s, c, at))
	}
	return s
}

// Apimachinery tells whether t is one of apimachinery's types, which need no drift guard.
func Apimachinery(t *types.Named) bool {
	return t.Obj().Pkg() != nil && strings.HasPrefix(t.Obj().Pkg().Path(), apimachineryPath)
}

// structKey tells structs apart. Anonymous ones of the same type may have
// different markers, and are told apart by their place.
func (b *builder) structKey(t types.Type, st *types.Struct) string {
	if _, ok := t.(*types.Named); ok {
		return types.TypeString(t, nil)
	}
	if st.NumFields() > 0 {
		return fmt.Sprintf("struct at %d", st.Field(0).Pos())
	}
	return "struct{}"
}

// structName returns an identifier that no other struct of the package has.
func (b *builder) structName(t types.Type) string {
	name := "Anonymous"
	if n, ok := t.(*types.Named); ok {
		name = n.Obj().Name()
		if p := n.Obj().Pkg(); p != b.pkg.Types && p != nil {
			name = packageLabel(p) + name
		}
		for arg := range n.TypeArgs().Types() {
			name += identifier(types.TypeString(arg, func(*types.Package) string { return "" }))
		}
	}
	unique := name
	for i := 2; b.structNames[upperFirst(unique)]; i++ {
		unique = fmt.Sprintf("%s%d", name, i)
	}
	b.structNames[upperFirst(unique)] = true
	return unique
}

var version = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// packageLabel names a package in identifiers: a version alone says too little.
func packageLabel(p *types.Package) string {
	dir, base := path.Split(p.Path())
	if version.MatchString(base) {
		return identifier(path.Base(dir)) + identifier(base)
	}
	return identifier(p.Name())
}

// candidate is a field that encoding/json considers for a name.
type candidate struct {
	v        *types.Var
	owner    *types.Struct // that declares it
	selector []string
	index    []int // of the fields along the selector
	name     string
	tagged   bool
	options  []string
	pos      token.Pos // nearest in the API package
}

// jsonFields returns the fields that encoding/json sees in s, by its rules of
// dominance: the shallowest wins, then a tagged one.
func (b *builder) jsonFields(s *Struct, at use) []candidate {
	var order []string
	byName := map[string][]candidate{}
	depth := map[string]int{}
	level := []candidate{{owner: s.Raw, pos: at.pos}}
	seen := map[*types.Struct]bool{}
	for d := 0; len(level) > 0; d++ {
		var next []candidate
		for _, c := range level {
			if seen[c.owner] {
				continue
			}
			seen[c.owner] = true
			for _, f := range b.directFields(s, c) {
				if f.name == "" {
					next = append(next, f)
					continue
				}
				if _, known := depth[f.name]; !known {
					depth[f.name] = d
					order = append(order, f.name)
				}
				if depth[f.name] == d {
					byName[f.name] = append(byName[f.name], f)
				}
			}
		}
		level = next
	}
	var out []candidate
	for _, name := range order {
		if c, ok := b.dominant(s, byName[name]); ok {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(x, y candidate) int { return slices.Compare(x.index, y.index) })
	return out
}

// directFields returns the fields of one struct. An embedded struct whose
// fields are promoted has no name, and is its own owner.
func (b *builder) directFields(s *Struct, in candidate) []candidate {
	var out []candidate
	for i := range in.owner.NumFields() {
		v := in.owner.Field(i)
		tag := reflect.StructTag(in.owner.Tag(i)).Get("json")
		if malformed(in.owner.Tag(i)) && b.inPackage(v.Pos()) {
			b.diags.Addf(v.Pos(), "the tag of %s is malformed, so that encoding/json does not see what it says: write it as `json:\"name\"`, with a space between tags", describe(s.Name, v.Name()))
			b.skipMarks(v)
			continue
		}
		name, opts, _ := strings.Cut(tag, ",")
		if !validName(name) {
			name = "" // encoding/json then takes the Go name
		}
		elem, embedded := embeddedStruct(v)
		if tag == "-" || !v.Exported() && !embedded {
			continue
		}
		c := candidate{
			v: v, owner: in.owner, name: name, tagged: name != "",
			selector: append(slices.Clone(in.selector), v.Name()),
			index:    append(slices.Clone(in.index), i),
			options:  strings.Split(opts, ","),
			pos:      b.near(v.Pos(), in.pos),
		}
		switch {
		case name != "" && !v.Exported():
			continue
		case name != "":
		case embedded && isPointer(v.Type()):
			b.diags.Addf(c.pos, "%s is an embedded pointer without a JSON name, which a patcher cannot tell from an empty struct: embed the struct itself, or give it a JSON name", describe(s.Name, v.Name()))
			continue
		case embedded:
			c.owner = elem
			s.Embedded = append(s.Embedded, v.Type())
		default:
			c.name = v.Name()
		}
		out = append(out, c)
	}
	return out
}

// validName tells whether encoding/json takes a name from a tag, by the rule of
// its function isValidTag.
func validName(name string) bool {
	for _, c := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return true
}

// malformed tells whether a struct tag speaks of JSON and is not written by the
// convention that package reflect understands.
func malformed(tag string) bool {
	if !strings.Contains(tag, "json") {
		return false
	}
	for tag = strings.TrimLeft(tag, " "); tag != ""; tag = strings.TrimLeft(tag, " ") {
		name, rest, ok := strings.Cut(tag, ":")
		if !ok || name == "" || strings.ContainsAny(name, " \"") || !strings.HasPrefix(rest, `"`) {
			return true
		}
		value, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return true
		}
		tag = rest[len(value):]
	}
	return false
}

// embeddedStruct returns the struct that v embeds, by value or pointer.
func embeddedStruct(v *types.Var) (*types.Struct, bool) {
	if !v.Anonymous() {
		return nil, false
	}
	t := types.Unalias(v.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	return st, ok
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// dominant returns the field that wins a JSON name. Where none does,
// encoding/json drops all of them, which nobody wants.
func (b *builder) dominant(s *Struct, fields []candidate) (candidate, bool) {
	if len(fields) == 1 {
		return fields[0], true
	}
	var tagged []candidate
	for _, f := range fields {
		if f.tagged {
			tagged = append(tagged, f)
		}
	}
	if len(tagged) == 1 {
		return tagged[0], true
	}
	last := fields[len(fields)-1]
	for _, f := range fields {
		b.skipMarks(f.v) // a field that is not encoded has no markers to heed
	}
	b.diags.Addf(last.pos, "%s and %s have the JSON name %q, so that neither is encoded: rename one",
		describe(s.Name, strings.Join(fields[0].selector, ".")), describe(s.Name, strings.Join(last.selector, ".")), last.name)
	return candidate{}, false
}

// skipMarks takes the markers of a field for seen.
func (b *builder) skipMarks(v *types.Var) {
	if decl := b.prog.Field(v); decl != nil {
		for _, m := range decl.FieldMarkers() {
			b.scan.seen[m.Pos] = true
		}
	}
}

// near returns pos if it is in the API package, else the fallback.
func (b *builder) near(pos, fallback token.Pos) token.Pos {
	if b.inPackage(pos) {
		return pos
	}
	return fallback
}

// inPackage tells whether pos is in a file of the API package.
func (b *builder) inPackage(pos token.Pos) bool {
	for _, f := range b.pkg.Files {
		if f.AST.FileStart <= pos && pos < f.AST.FileEnd {
			return true
		}
	}
	return false
}

func (b *builder) field(s *Struct, c candidate, at use) *Field {
	f := &Field{
		Selector: strings.Join(c.selector, "."),
		GoName:   c.v.Name(),
		JSONName: c.name,
		Type:     c.v.Type(),
		Pos:      c.v.Pos(),
	}
	for _, o := range c.options {
		switch o {
		case "omitempty":
			f.OmitEmpty = true
		case "omitzero":
			f.OmitZero = true
		case "string":
			f.Quoted = true
		}
	}
	where := use{pos: c.pos, field: describe(s.Name, f.GoName)}
	if where.pos == token.NoPos {
		where.pos = at.pos
	}
	f.Shape = b.shape(f.Type, where)
	f.ZeroMethod = f.OmitZero && hasMethod(f.Type, "IsZero", "func() bool")
	f.Quoted = f.Quoted && quotable(f.Shape)
	b.applyFieldMarkers(f, c.v)
	return f
}

// quotable tells whether encoding/json heeds the option "string" for a field.
func quotable(s *Shape) bool {
	if s.Kind == Pointer {
		s = s.Elem
	}
	return s.Kind == Scalar
}
