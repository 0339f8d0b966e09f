package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Check type-checks the declarations that starts need, in all packages. Errors
// in them are added to Diags, at the position that the compiler gives.
func (p *Program) Check(starts []Start) {
	p.reachFrom(starts)
	c := &checker{program: p, busy: map[*Package]bool{}}
	for _, root := range p.Roots {
		if root.parsed && len(root.Files) > 0 {
			c.check(root)
		}
	}
}

// checker type-checks packages in the order of their imports.
type checker struct {
	program *Program
	busy    map[*Package]bool
}

// importFrom is the importer of one package.
type importFrom struct {
	*checker
	pkg *Package
}

// Import implements types.Importer. An error of it is shown at the import.
func (i importFrom) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	dep := i.program.packages[i.program.resolve(i.pkg, path)]
	switch {
	case dep == nil:
		return nil, errors.New("the package is not in the build list: run go mod tidy")
	case dep.listed.Error != nil && len(dep.Files) == 0:
		return nil, errors.New(oneLine(dep.listed.Error.Err))
	case i.busy[dep]:
		return nil, fmt.Errorf("import cycle through %s", path)
	}
	return i.check(dep), nil
}

func (c *checker) check(pkg *Package) *types.Package {
	if pkg.Types != nil {
		return pkg.Types
	}
	c.busy[pkg] = true
	defer delete(c.busy, pkg)
	pkg.fields = map[token.Pos]*FieldDecl{}
	conf := types.Config{
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Importer:         importFrom{c, pkg},
		Error:            func(err error) { c.addError(err) },
	}
	// The error is one of those that conf.Error has seen.
	pkg.Types, _ = conf.Check(pkg.Path, c.program.Fset, pkg.reached(), nil)
	return pkg.Types
}

func (c *checker) addError(err error) {
	var te types.Error
	switch {
	case !errors.As(err, &te):
		return
	case strings.Contains(te.Msg, "imported and not used"):
		return // it may be used by what was not reached only
	case strings.HasPrefix(te.Msg, "\t"):
		return // go on about the error before: "other declaration of …"
	}
	c.program.Diags.Addf(te.Pos, "%s", te.Msg)
}

// reached returns the files of the package with the reached declarations only.
func (p *Package) reached() []*ast.File {
	kept := map[ast.Node]reach{}
	for _, ds := range p.decls {
		for _, d := range ds {
			p.keep(kept, d)
		}
	}
	for _, ds := range p.methods {
		for _, d := range ds {
			p.keep(kept, d)
		}
	}
	out := make([]*ast.File, 0, len(p.Files))
	for _, f := range p.Files {
		tree := *f.AST
		tree.Decls = p.prune(f, kept)
		out = append(out, &tree)
	}
	return out
}

func (p *Package) keep(kept map[ast.Node]reach, d *decl) {
	switch {
	case d.reach == notReached:
	case d.fn != nil:
		kept[d.fn] = d.reach
	default:
		kept[d.spec] = d.reach
	}
}

// prune returns the used imports and the kept declarations of f.
func (p *Package) prune(f *File, kept map[ast.Node]reach) []ast.Decl {
	var out []ast.Decl
	for _, d := range f.AST.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok {
			if kept[d] != notReached {
				out = append(out, d)
			}
			continue
		}
		if specs := p.pruneSpecs(f, gen, kept); len(specs) > 0 {
			part := *gen
			part.Specs = specs
			out = append(out, &part)
		}
	}
	return out
}

func (p *Package) pruneSpecs(f *File, gen *ast.GenDecl, kept map[ast.Node]reach) []ast.Spec {
	var out []ast.Spec
	for _, s := range gen.Specs {
		switch s := s.(type) {
		case *ast.ImportSpec:
			if f.used[s] {
				out = append(out, s)
			}
		case *ast.TypeSpec:
			if how := kept[s]; how != notReached {
				out = append(out, p.pruneType(f, s, how))
			}
		default:
			if kept[s] != notReached {
				out = append(out, s)
			}
		}
	}
	return out
}

// pruneType notes the fields of structs, and cuts down a root type's.
func (p *Package) pruneType(f *File, spec *ast.TypeSpec, how reach) *ast.TypeSpec {
	ast.Inspect(spec.Type, func(n ast.Node) bool {
		if st, ok := n.(*ast.StructType); ok {
			p.noteFields(f, st)
		}
		return true
	})
	st, ok := spec.Type.(*ast.StructType)
	if !ok || how != rootOnly {
		return spec
	}
	part := *spec
	part.Type = rootFields(st)
	return &part
}

func (p *Package) noteFields(f *File, st *ast.StructType) {
	for _, field := range st.Fields.List {
		fd := &FieldDecl{File: f, Struct: st, Field: field}
		for _, id := range field.Names {
			p.fields[id.Pos()] = fd
		}
		if id := embeddedName(field.Type); len(field.Names) == 0 && id != nil {
			p.fields[id.Pos()] = fd
		}
	}
}

// embeddedName returns the identifier that names an embedded field.
func embeddedName(t ast.Expr) *ast.Ident {
	switch t := t.(type) {
	case *ast.Ident:
		return t
	case *ast.StarExpr:
		return embeddedName(t.X)
	case *ast.SelectorExpr:
		return t.Sel
	case *ast.IndexExpr:
		return embeddedName(t.X)
	case *ast.IndexListExpr:
		return embeddedName(t.X)
	case *ast.ParenExpr:
		return embeddedName(t.X)
	}
	return nil
}
