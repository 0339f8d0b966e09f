// Package emit turns the model into Go files, in memory.
package emit

import (
	"fmt"
	"path/filepath"

	"k8s.io/gengo/v2/generator"
	"k8s.io/gengo/v2/namer"
	"k8s.io/gengo/v2/types"

	"github.com/statuspatch/statuspatcher-gen/generators/model"
	"github.com/statuspatch/statuspatcher-gen/templates"
)

// Options say how files are made.
type Options struct {
	// OutputFile is the base name of the patchers' file, SupportFile that of
	// the support code's.
	OutputFile, SupportFile string
	// Boilerplate is the comment, such as a licence, at the top of each file.
	Boilerplate []byte
	// Support is the package that the support code goes into; nil copies it
	// into each output package.
	Support *model.Output
	// Universe holds the types of the API packages.
	Universe types.Universe
	// Declared tells whether an output package itself declares a name, which
	// no import can then have.
	Declared func(p *model.Package, name string) bool
}

// File is a generated file.
type File struct {
	Path    string
	Content []byte
}

// Files returns the generated files of the packages.
func Files(pkgs []*model.Package, opts Options) ([]File, error) {
	var out []File
	for _, p := range pkgs {
		files, err := packageFiles(p, opts)
		if err != nil {
			return nil, fmt.Errorf("generating %s: %w", p.Out.Path, err)
		}
		out = append(out, files...)
	}
	if opts.Support != nil && len(pkgs) > 0 {
		files, err := supportPackage(opts)
		if err != nil {
			return nil, fmt.Errorf("generating %s: %w", opts.Support.Path, err)
		}
		out = append(out, files...)
	}
	return out, nil
}

// packageFiles returns the files of one output package.
func packageFiles(p *model.Package, opts Options) ([]File, error) {
	gens := []generator.Generator{newPatchers(p, opts)}
	if opts.Support == nil {
		gens = append(gens, newSupport(opts, templates.SupportCopied))
	}
	return execute(p.Out, p.Path, "", gens, opts)
}

// supportPackage returns the file of a support package.
func supportPackage(opts Options) ([]File, error) {
	doc := fmt.Sprintf("// Package %s is what status patchers share: the options of a call, and how a\n// status is compared and written.\n", opts.Support.Name)
	gens := []generator.Generator{newSupport(opts, templates.SupportPackage)}
	return execute(*opts.Support, opts.Support.Path, doc, gens, opts)
}

// execute runs gengo's target for one package. The target's directory is ".",
// since gengo creates it; what is assembled stays in memory.
func execute(out model.Output, input, doc string, gens []generator.Generator, opts Options) ([]File, error) {
	files := &memoryFiles{}
	ctx := &generator.Context{
		Namers:    namer.NameSystems{},
		Universe:  opts.Universe,
		Inputs:    []string{input},
		FileTypes: map[string]generator.FileType{memoryFileType: files},
	}
	target := generator.SimpleTarget{
		PkgName:        out.Name,
		PkgPath:        out.Path,
		PkgDir:         ".",
		HeaderComment:  header(opts.Boilerplate, doc),
		GeneratorsFunc: func(*generator.Context) []generator.Generator { return gens },
	}
	if err := ctx.ExecuteTarget(target); err != nil {
		return nil, err
	}
	for i := range files.files {
		files.files[i].Path = filepath.Join(out.Dir, files.files[i].Path)
	}
	return files.files, nil
}
