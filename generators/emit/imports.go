package emit

import (
	"fmt"
	"go/token"
	gotypes "go/types"
	"path"
	"regexp"
	"strings"

	"k8s.io/gengo/v2/generator"
	"k8s.io/gengo/v2/namer"
	"k8s.io/gengo/v2/types"

	"github.com/statuspatch/statuspatcher-gen/generators/model"
)

// Imports collects the imports of a file: naming a package imports it.
type Imports struct {
	tracker  *namer.DefaultImportTracker
	local    string
	declared func(name string) bool
	names    map[string]string // package names by path, where known
}

func newImports(p *model.Package, opts Options) *Imports {
	i := &Imports{
		tracker: generator.NewImportTrackerForPackage(p.Out.Path),
		local:   p.Out.Path,
		declared: func(name string) bool {
			return opts.Declared != nil && opts.Declared(p, name)
		},
		names: map[string]string{},
	}
	i.tracker.LocalName = func(n types.Name) string { return i.localName(n.Package) }
	i.tracker.PrintImport = i.line
	return i
}

// Package returns the name of the package with the import path in the file,
// with a dot behind it; "" for the file's own package.
func (i *Imports) Package(importPath string) string {
	if importPath == i.local {
		return ""
	}
	i.tracker.AddSymbol(types.Name{Package: importPath})
	return i.tracker.LocalNameOf(importPath) + "."
}

// Type prints a type as it is written in the file. It goes by go/types, since
// gengo's types know neither aliases nor instances of generic types.
func (i *Imports) Type(t gotypes.Type) string {
	return gotypes.TypeString(t, func(p *gotypes.Package) string {
		i.names[p.Path()] = p.Name()
		return strings.TrimSuffix(i.Package(p.Path()), ".")
	})
}

// Lines returns the import lines.
func (i *Imports) Lines() []string { return i.tracker.ImportLines() }

func (i *Imports) line(importPath, name string) string {
	if name == path.Base(importPath) && (i.names[importPath] == "" || i.names[importPath] == name) {
		return fmt.Sprintf("%q", importPath)
	}
	return fmt.Sprintf("%s %q", name, importPath)
}

var version = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// conventional are names that differ from what localName would make.
var conventional = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1":                          "metav1",
	"k8s.io/apimachinery/pkg/api/errors":                            "apierrors",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1":      "apiextensionsv1",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1": "apiextensionsv1beta1",
}

// localName returns a name for the package that nothing else in the output
// package has: by the convention of Kubernetes a version is preceded by what
// it is a version of.
func (i *Imports) localName(importPath string) string {
	name := conventional[importPath]
	dirs := strings.Split(importPath, "/")
	last := len(dirs) - 1
	if name == "" {
		name = clean(dirs[last])
		if version.MatchString(dirs[last]) && last > 0 {
			last--
			name = clean(dirs[last]) + name
		}
	}
	for last--; !i.free(name) && last >= 0; last-- {
		name = clean(dirs[last]) + name
	}
	unique := name
	for n := 2; !i.free(unique); n++ {
		unique = fmt.Sprintf("%s%d", name, n)
	}
	return unique
}

func (i *Imports) free(name string) bool {
	_, taken := i.tracker.PathOf(name)
	return !taken && !locals[name] && token.IsIdentifier(name) && gotypes.Universe.Lookup(name) == nil && !i.declared(name)
}

// locals are the parameters and variables of generated functions, setters'
// parameters for the members of groups aside, which would hide a package.
var locals = map[string]bool{
	"a": true, "b": true, "c": true, "e": true, "o": true, "p": true, "s": true, "v": true, "x": true,
	"allocate": true, "condition": true, "conditionType": true, "ctx": true, "edit": true, "err": true,
	"members": true, "message": true, "mutate": true, "obj": true, "old": true, "opts": true, "patcher": true,
	"reason": true, "severity": true, "status": true, "to": true, "write": true,
}

// clean drops what no identifier has.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r == '_' || r == '~' {
			return -1
		}
		return r
	}, s)
}
