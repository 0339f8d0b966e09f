package emit

import (
	"fmt"
	gotypes "go/types"
	"io"
	"strconv"
	"strings"
	"text/template"

	"github.com/statuspatch/statuspatcher-gen/generators/model"
	"github.com/statuspatch/statuspatcher-gen/templates"
	"github.com/statuspatch/statuspatcher-gen/templates/names"
)

// Import paths that generated code uses beside those of the API's types.
const (
	clientPath = "sigs.k8s.io/controller-runtime/pkg/client"
	metav1Path = "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// parsed are the templates, whose functions are set for each file.
var parsed = template.Must(template.New("").Funcs(funcs(nil)).ParseFS(templates.FS, "*.go.tmpl"))

// renderer writes the patchers of one output package.
type renderer struct {
	pkg     *model.Package
	imports *Imports
	support *model.Output // nil where the support code is copied in

	guarded map[string]bool // the structs that have a guard
}

// funcs are the functions that templates use. r is nil while they are parsed.
func funcs(r *renderer) template.FuncMap {
	return template.FuncMap{
		"support": r.supportName,
		"type":    r.typeName,
		"pkg":     r.pkgName,
		"client":  func() string { return r.pkgName(clientPath) },
		"quote":   strconv.Quote,
	}
}

// supportName is a name of the support package as the file knows it.
func (r *renderer) supportName(name string) string {
	if r.support == nil {
		return names.Prefixed(name)
	}
	return r.imports.Package(r.support.Path) + name
}

func (r *renderer) typeName(t gotypes.Type) string { return r.imports.Type(t) }

func (r *renderer) pkgName(path string) string {
	return strings.TrimSuffix(r.imports.Package(path), ".")
}

// render writes the body of the patchers' file.
func (r *renderer) render(w io.Writer) error {
	t, err := parsed.Clone()
	if err != nil {
		return err
	}
	t.Funcs(funcs(r))
	for _, reason := range r.pkg.Reasons {
		if err := t.ExecuteTemplate(w, "reasons", reason); err != nil {
			return err
		}
	}
	for _, root := range r.pkg.Roots {
		if err := t.ExecuteTemplate(w, "patcher", r.patcher(root)); err != nil {
			return err
		}
	}
	for _, root := range r.pkg.Roots {
		if err := t.ExecuteTemplate(w, "type", r.patcher(root)); err != nil {
			return err
		}
	}
	for _, s := range r.visited() {
		if err := t.ExecuteTemplate(w, "struct", r.structView(s)); err != nil {
			return err
		}
		if c := r.conditionElem(s); c != nil {
			if err := t.ExecuteTemplate(w, "conditionType", r.conditionType(c)); err != nil {
				return err
			}
		}
	}
	return nil
}

// visited are the structs that get a function of their own: all but
// metav1.Condition, which the support package knows.
func (r *renderer) visited() []*model.Struct {
	var out []*model.Struct
	for _, s := range r.pkg.Structs {
		if gotypes.TypeString(gotypes.Unalias(s.Type), nil) != metav1Path+".Condition" {
			out = append(out, s)
		}
	}
	return out
}

// below is how an expression in Go leads from a status to a field.
func below(base, selector string) string { return fmt.Sprintf("%s.%s", base, selector) }

// allocation makes a parent that is nil.
type allocation struct {
	// Selector is the pointer, Elem the type behind it.
	Selector, Elem string
}

// allocations are the parents of a path, below base.
func (r *renderer) allocations(base string, p model.Path) []allocation {
	var out []allocation
	for _, parent := range p.Parents() {
		out = append(out, allocation{Selector: below(base, parent.Selector), Elem: r.typeName(parent.Elem)})
	}
	return out
}

// comparisons joins a comparison of each parent with nil.
func comparisons(parents []allocation, operator, joint string) string {
	out := make([]string, len(parents))
	for i, p := range parents {
		out[i] = p.Selector + " " + operator + " nil"
	}
	return strings.Join(out, joint)
}
