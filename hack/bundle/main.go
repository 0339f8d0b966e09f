// Bundle makes one file of each form in which the support package is copied
// out: with prefixed identifiers, to go into a user's API package, and as it
// is, to be a package of its own.
//
//	go run ./hack/bundle
//
// run from the root of the repository, writes templates/support_copied.go.txt
// and templates/support_package.go.txt.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/statuspatch/statuspatcher-gen/templates/names"
)

const support = "./templates/statuspatch"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func run() error {
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps,
	}, support)
	if err != nil {
		return err
	}
	if len(loaded) != 1 || len(loaded[0].Errors) > 0 {
		return fmt.Errorf("%s does not compile: %v", support, loaded[0].Errors)
	}
	if err := distinct(loaded[0].Types.Scope().Names()); err != nil {
		return err
	}
	for file, rename := range map[string]func(string) string{
		"support_copied.go.txt":  names.Prefixed,
		"support_package.go.txt": func(name string) string { return name },
	} {
		text, err := bundle(loaded[0], rename)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join("templates", file), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// distinct reports names that prefixing would make one.
func distinct(identifiers []string) error {
	seen := map[string]string{}
	for _, name := range identifiers {
		if other, ok := seen[names.Prefixed(name)]; ok {
			return fmt.Errorf("%s and %s both become %s: rename one", other, name, names.Prefixed(name))
		}
		seen[names.Prefixed(name)] = name
	}
	return nil
}

// bundle joins the package's files, their package clauses and imports aside,
// below one import block.
func bundle(pkg *packages.Package, rename func(string) string) ([]byte, error) {
	imports := map[string]bool{}
	var body bytes.Buffer
	files := append([]*ast.File(nil), pkg.Syntax...)
	name := func(f *ast.File) string { return pkg.Fset.Position(f.Package).Filename }
	sort.Slice(files, func(i, j int) bool { return name(files[i]) < name(files[j]) })
	for _, f := range files {
		if filepath.Base(name(f)) == "doc.go" {
			continue
		}
		for _, i := range f.Imports {
			imports[importLine(i)] = true
		}
		text, err := renamedBody(pkg, f, rename)
		if err != nil {
			return nil, err
		}
		body.Write(text)
		body.WriteByte('\n')
	}
	return format.Source(append(importBlock(imports), body.Bytes()...))
}

func importLine(i *ast.ImportSpec) string {
	if i.Name != nil {
		return i.Name.Name + " " + i.Path.Value
	}
	return i.Path.Value
}

func importBlock(imports map[string]bool) []byte {
	var std, others []string
	for line := range imports {
		if strings.Contains(line, ".") {
			others = append(others, line)
		} else {
			std = append(std, line)
		}
	}
	path := func(line string) string { return line[strings.Index(line, `"`):] }
	sort.Strings(std)
	sort.Slice(others, func(i, j int) bool { return path(others[i]) < path(others[j]) })
	return []byte("import (\n" + strings.Join(std, "\n") + "\n\n" + strings.Join(others, "\n") + "\n)\n")
}

// edit replaces a stretch of source.
type edit struct {
	from, to int
	text     string
}

// renamedBody is what a file declares, with the package's identifiers renamed.
func renamedBody(pkg *packages.Package, f *ast.File, rename func(string) string) ([]byte, error) {
	file := pkg.Fset.File(f.Package)
	source, err := os.ReadFile(file.Name())
	if err != nil {
		return nil, err
	}
	start := file.Offset(f.Name.End())
	for _, i := range f.Decls {
		if d, ok := i.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			start = file.Offset(d.End())
		}
	}
	edits := append(identEdits(pkg, f, rename), commentEdits(pkg, f, rename)...)
	sort.Slice(edits, func(i, j int) bool { return edits[i].from < edits[j].from })
	var out bytes.Buffer
	at := start
	for _, e := range edits {
		if e.from < at {
			continue
		}
		out.Write(source[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.Write(source[at:])
	return out.Bytes(), nil
}

func identEdits(pkg *packages.Package, f *ast.File, rename func(string) string) []edit {
	file := pkg.Fset.File(f.Package)
	var edits []edit
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		obj := pkg.TypesInfo.ObjectOf(id)
		if v, ok := obj.(*types.Var); ok && v.Embedded() {
			if named, ok := v.Type().(*types.Named); ok {
				obj = named.Obj() // an embedded field has its type's name
			}
		}
		if obj != nil && obj.Parent() == pkg.Types.Scope() {
			from := file.Offset(id.Pos())
			edits = append(edits, edit{from, from + len(id.Name), rename(id.Name)})
		}
		return true
	})
	return edits
}

// mentions are the names that comments use in the middle of a sentence.
var mentions = regexp.MustCompile(`\b(With[A-Z]\w*|Lock(?:Object|Fields|None))\b`)

// commentEdits rename a declaration's name where its comment begins with it,
// and the names that cannot be taken for words anywhere.
func commentEdits(pkg *packages.Package, f *ast.File, rename func(string) string) []edit {
	file := pkg.Fset.File(f.Package)
	first := regexp.MustCompile(`^//\s*(\w+)`)
	var edits []edit
	for _, group := range f.Comments {
		for i, c := range group.List {
			at := file.Offset(c.Pos())
			if m := first.FindStringSubmatchIndex(c.Text); i == 0 && m != nil {
				name := c.Text[m[2]:m[3]]
				if pkg.Types.Scope().Lookup(name) != nil && !mentions.MatchString(name) {
					edits = append(edits, edit{at + m[2], at + m[3], rename(name)})
				}
			}
			for _, m := range mentions.FindAllStringIndex(c.Text, -1) {
				if name := c.Text[m[0]:m[1]]; pkg.Types.Scope().Lookup(name) != nil {
					edits = append(edits, edit{at + m[0], at + m[1], rename(name)})
				}
			}
		}
	}
	return edits
}
