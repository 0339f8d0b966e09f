package emit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/statuspatch/statuspatcher-gen/generators/model"
)

// A package whose folder is called like a parameter or a variable of generated code gets
// another name, so that none hides it.
func TestNamesThatWouldBeHidden(t *testing.T) {
	i := newImports(&model.Package{Out: model.Output{Path: "example.com/api"}}, Options{})
	for name := range locals {
		if got := strings.TrimSuffix(i.Package("example.com/x/"+name), "."); locals[got] {
			t.Errorf("the package %s is called %s", name, got)
		}
	}
}

// locals has all names that generated functions give to parameters and variables.
func TestLocalsAreComplete(t *testing.T) {
	for _, golden := range []string{"constructs", "rich"} {
		file, err := parser.ParseFile(token.NewFileSet(), "../testdata/"+golden+"/patchers.golden", nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		names := 0
		check := func(id *ast.Ident) {
			names++
			if id.Name != "_" && !locals[id.Name] {
				t.Errorf("%s: %s is a local name that a package could have", golden, id.Name)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if strings.HasPrefix(n.Name.Name, "Set") {
					return false // its parameters have the members' names
				}
			case *ast.FuncType:
				for _, field := range n.Params.List {
					for _, id := range field.Names {
						check(id)
					}
				}
			case *ast.AssignStmt:
				for _, left := range n.Lhs {
					if id, ok := left.(*ast.Ident); ok && n.Tok == token.DEFINE {
						check(id)
					}
				}
			}
			return true
		})
		if names == 0 {
			t.Errorf("%s has no local names", golden)
		}
	}
}
