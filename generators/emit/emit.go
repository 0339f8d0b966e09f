// Package emit turns the model into Go files, in memory.
package emit

import (
	"fmt"
	"path/filepath"

	"k8s.io/gengo/v2/generator"
	"k8s.io/gengo/v2/namer"
	"k8s.io/gengo/v2/types"

	"github.com/statuspatch/statuspatcher-gen/generators/model"
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
	return out, nil
}

// packageFiles runs the target of one output package. The target's directory
// is ".", since gengo creates it; what is assembled stays in memory.
func packageFiles(p *model.Package, opts Options) ([]File, error) {
	files := &memoryFiles{}
	ctx := &generator.Context{
		Namers:    namer.NameSystems{},
		Universe:  opts.Universe,
		Inputs:    []string{p.Path},
		FileTypes: map[string]generator.FileType{memoryFileType: files},
	}
	target := generator.SimpleTarget{
		PkgName:       p.Out.Name,
		PkgPath:       p.Out.Path,
		PkgDir:        ".",
		HeaderComment: header(opts.Boilerplate),
		GeneratorsFunc: func(*generator.Context) []generator.Generator {
			gens := []generator.Generator{newPatchers(p, opts)}
			if opts.Support == nil {
				gens = append(gens, newSupport(opts))
			}
			return gens
		},
	}
	if err := ctx.ExecuteTarget(target); err != nil {
		return nil, err
	}
	for i := range files.files {
		files.files[i].Path = filepath.Join(p.Out.Dir, files.files[i].Path)
	}
	return files.files, nil
}
