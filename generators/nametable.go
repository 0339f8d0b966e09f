package generators

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/statuspatch/statuspatcher-gen/generators/load"
	"github.com/statuspatch/statuspatcher-gen/generators/model"
)

// nameTable knows the package-level names of output packages.
type nameTable struct {
	separate bool
	byDir    map[string]map[string]token.Position
}

func newNameTable(separate bool) *nameTable {
	return &nameTable{
		separate: separate,
		byDir:    map[string]map[string]token.Position{},
	}
}

// taken returns where the output package of p declares name.
func (t *nameTable) taken(p *model.Package, name string) (token.Position, bool) {
	if !t.separate {
		return p.Source.Declared(name)
	}
	names, ok := t.byDir[p.Out.Dir]
	if !ok {
		names = t.read(p.Out.Dir)
		t.byDir[p.Out.Dir] = names
	}
	pos, ok := names[name]
	return pos, ok
}

// read parses the directory's own files. Those that do not parse count as far
// as they do: the compiler will say what is wrong with them.
func (t *nameTable) read(dir string) map[string]token.Position {
	out := map[string]token.Position{}
	fset := token.NewFileSet()
	for _, file := range ownFiles(dir) {
		src, err := os.ReadFile(file)
		if err != nil || load.IsOwnOutput(src) {
			continue
		}
		tree, _ := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
		if tree == nil {
			continue
		}
		for _, d := range tree.Decls {
			for _, id := range declared(d) {
				out[id.Name] = fset.Position(id.Pos())
			}
		}
	}
	return out
}

// ownFiles lists the Go files of a directory that are no tests.
func ownFiles(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go")) // the pattern is well-formed
	var out []string
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") {
			out = append(out, f)
		}
	}
	return out
}

// declared returns the names that d declares at package level.
func declared(d ast.Decl) []*ast.Ident {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		var out []*ast.Ident
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				out = append(out, s.Name)
			case *ast.ValueSpec:
				out = append(out, s.Names...)
			}
		}
		return out
	}
	return nil
}

// existingName returns the package name of the Go files in dir, if any.
func existingName(dir string) string {
	for _, file := range ownFiles(dir) {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
		if err == nil {
			return tree.Name.Name
		}
	}
	return ""
}
