package emit

import (
	"go/parser"
	"go/token"
	"io"
	"path"
	"strings"

	"k8s.io/gengo/v2/generator"

	"github.com/statuspatch/statuspatcher-gen/generators/load"
	"github.com/statuspatch/statuspatcher-gen/templates"
)

// support generates the code that the patchers of a package share.
type support struct {
	generator.GoGenerator
	text []byte
}

func newSupport(opts Options, text []byte) *support {
	return &support{generator.GoGenerator{OutputFilename: opts.SupportFile}, text}
}

// Init implements generator.Generator.
func (g *support) Init(_ *generator.Context, w io.Writer) error {
	_, err := w.Write(g.text)
	return err
}

// FileType implements generator.Generator.
func (g *support) FileType() string { return memoryFileType }

// SupportNames returns the package-level names that a file of support code
// takes in its package: what it declares, and the names of its imports, which
// nothing in the package may be declared as. It is copied into the package of
// the patchers, or, with own, makes a package of its own.
func SupportNames(own bool) []string {
	text := templates.SupportCopied
	if own {
		text = templates.SupportPackage
	}
	src := append([]byte("package p\n"), text...)
	// The text is embedded and was formatted; a test sees to it that it parses.
	tree, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var out []string
	for _, spec := range tree.Imports {
		if spec.Name != nil {
			out = append(out, spec.Name.Name)
		} else {
			out = append(out, path.Base(strings.Trim(spec.Path.Value, `"`)))
		}
	}
	for _, d := range tree.Decls {
		for _, id := range load.DeclaredNames(d) {
			out = append(out, id.Name)
		}
	}
	return out
}
