package emit

import (
	"io"
	"slices"

	"k8s.io/gengo/v2/generator"
	"k8s.io/gengo/v2/namer"
	"k8s.io/gengo/v2/types"

	"github.com/statuspatch/statuspatcher-gen/generators/model"
)

// patchers generates the patchers of a package.
type patchers struct {
	generator.GoGenerator
	pkg     *model.Package
	imports *Imports
	support *model.Output
}

func newPatchers(p *model.Package, opts Options) *patchers {
	return &patchers{
		GoGenerator: generator.GoGenerator{OutputFilename: opts.OutputFile},
		pkg:         p,
		imports:     newImports(p, opts),
		support:     opts.Support,
	}
}

// FileType implements generator.Generator.
func (g *patchers) FileType() string { return memoryFileType }

// Filter implements generator.Generator: the templates go by the model, which
// also knows aliases and instances of generic types.
func (g *patchers) Filter(*generator.Context, *types.Type) bool { return false }

// Namers implements generator.Generator.
func (g *patchers) Namers(*generator.Context) namer.NameSystems {
	return namer.NameSystems{"raw": namer.NewRawNamer(g.pkg.Out.Path, g.imports.tracker)}
}

// Imports implements generator.Generator.
func (g *patchers) Imports(*generator.Context) []string { return g.imports.Lines() }

// Init implements generator.Generator.
func (g *patchers) Init(_ *generator.Context, w io.Writer) error {
	for _, ignore := range lintIgnores(g.pkg) {
		if _, err := io.WriteString(w, "//lint:file-ignore "+ignore+"\n"); err != nil {
			return err
		}
	}
	r := &renderer{pkg: g.pkg, imports: g.imports, support: g.support, guarded: map[string]bool{}}
	return r.render(w)
}

// lintIgnores are the findings of linters that generated code means: what the
// API package does, it repeats.
func lintIgnores(p *model.Package) []string {
	var out []string
	if namesOthersFields(p) {
		out = append(out, "SA1019 deprecated fields are compared as well")
	}
	if slices.ContainsFunc(p.Structs, hasDashKey) {
		out = append(out, "SA5008 a key may be called -")
	}
	return out
}

// hasDashKey tells whether a struct has a field whose JSON key is a dash.
func hasDashKey(s *model.Struct) bool {
	return slices.ContainsFunc(s.Fields, func(f *model.Field) bool { return f.JSONName == "-" })
}

// namesOthersFields tells whether the generated code names fields of structs
// that other packages declare, where linters report the use of a deprecated one.
func namesOthersFields(p *model.Package) bool {
	return p.Out.Path != p.Path || slices.ContainsFunc(p.Structs, func(s *model.Struct) bool { return s.Foreign && !s.Apimachinery })
}
