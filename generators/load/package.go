package load

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
)

// Package is a parsed package.
type Package struct {
	Path, Name, Dir string
	// Module is nil in the standard library.
	Module *Module
	// Files are the package's files, without the generator's own output.
	Files []*File
	// Types holds the declarations that were reached, after Check.
	Types *types.Package

	listed  *listed
	parsed  bool
	broken  bool // a file did not parse
	decls   map[string][]*decl
	methods map[string][]*decl
	fields  map[token.Pos]*FieldDecl
}

// File is a parsed file, function bodies dropped.
type File struct {
	Path string
	AST  *ast.File

	tokens  *token.File
	imports map[string]*ast.ImportSpec // by local name
	dots    []*ast.ImportSpec
	used    map[*ast.ImportSpec]bool
}

// Broken tells whether a file of the package has a syntax error.
func (p *Package) Broken() bool { return p.broken }

// FieldDecl is a struct field as written: one entry for each of its names.
type FieldDecl struct {
	File   *File
	Struct *ast.StructType
	Field  *ast.Field
}

// decl is a declaration at package level, or a method.
type decl struct {
	pkg  *Package
	file *File
	gen  *ast.GenDecl
	spec ast.Spec      // in gen
	fn   *ast.FuncDecl // if gen is nil

	reach reach
}

// reach says how much of a declaration is needed.
type reach int

const (
	notReached reach = iota
	rootOnly         // a root type: its metadata and its status, nothing else
	whole
)

// TypeDecl is a type declaration as written.
type TypeDecl struct {
	Package *Package
	File    *File
	Gen     *ast.GenDecl
	Spec    *ast.TypeSpec
}

// TypeDecls returns the type declarations of the package in source order.
func (p *Package) TypeDecls() []TypeDecl {
	var out []TypeDecl
	for _, f := range p.Files {
		for _, d := range f.AST.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.TYPE {
				continue
			}
			for _, s := range gen.Specs {
				out = append(out, TypeDecl{Package: p, File: f, Gen: gen, Spec: s.(*ast.TypeSpec)})
			}
		}
	}
	return out
}

// TypeDecl returns the declaration of the type name, if there is one.
func (p *Package) TypeDecl(name string) (TypeDecl, bool) {
	for _, d := range p.decls[name] {
		if spec, ok := d.spec.(*ast.TypeSpec); ok {
			return TypeDecl{Package: p, File: d.file, Gen: d.gen, Spec: spec}, true
		}
	}
	return TypeDecl{}, false
}

// Declared returns where the package declares name, if it does. It knows every
// declaration, also those that Check did not reach.
func (p *Package) Declared(name string) (token.Position, bool) {
	for _, d := range p.decls[name] {
		pos := d.namePos(name)
		return d.file.tokens.Position(pos), true
	}
	return token.Position{}, false
}

// FileNames returns the base names of the package's files.
func (p *Package) FileNames() []string {
	var out []string
	for _, f := range p.Files {
		out = append(out, filepath.Base(f.Path))
	}
	return out
}

// namePos is where the declaration names name.
func (d *decl) namePos(name string) token.Pos {
	switch spec := d.spec.(type) {
	case *ast.TypeSpec:
		return spec.Name.Pos()
	case *ast.ValueSpec:
		for _, id := range spec.Names {
			if id.Name == name {
				return id.Pos()
			}
		}
		return spec.Pos()
	}
	return d.fn.Name.Pos()
}

// Field returns how a struct field was written; nil for one that Check did not reach.
func (p *Program) Field(v *types.Var) *FieldDecl {
	if v.Pkg() == nil {
		return nil
	}
	pkg := p.packages[v.Pkg().Path()]
	if pkg == nil {
		return nil
	}
	return pkg.FieldAt(v.Pos())
}

// FieldAt returns how the struct field declared at pos was written.
func (p *Package) FieldAt(pos token.Pos) *FieldDecl { return p.fields[pos] }

// index fills the tables of declarations by name.
func (p *Package) index() {
	p.decls = map[string][]*decl{}
	p.methods = map[string][]*decl{}
	for _, f := range p.Files {
		for _, d := range f.AST.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				p.indexFunc(&decl{pkg: p, file: f, fn: d})
			case *ast.GenDecl:
				for _, s := range d.Specs {
					p.indexSpec(&decl{pkg: p, file: f, gen: d, spec: s})
				}
			}
		}
	}
}

func (p *Package) indexFunc(d *decl) {
	if d.fn.Recv == nil {
		if name := d.fn.Name.Name; name != "init" && name != "_" {
			p.decls[name] = append(p.decls[name], d)
		}
		return
	}
	if base := receiverBase(d.fn); base != "" {
		p.methods[base] = append(p.methods[base], d)
	}
}

func (p *Package) indexSpec(d *decl) {
	switch s := d.spec.(type) {
	case *ast.TypeSpec:
		p.decls[s.Name.Name] = append(p.decls[s.Name.Name], d)
	case *ast.ValueSpec:
		for _, id := range s.Names {
			if id.Name != "_" {
				p.decls[id.Name] = append(p.decls[id.Name], d)
			}
		}
	}
}

// receiverBase returns the name of the type that fn is a method of.
func receiverBase(fn *ast.FuncDecl) string {
	if len(fn.Recv.List) == 0 {
		return ""
	}
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func compare(a, b string) int { return cmp.Compare(a, b) }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
