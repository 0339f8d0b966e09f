// Package load finds and parses API packages, and type-checks the
// declarations that a status patcher refers to.
//
// A general loader checks every package below the roots. Here one go list call
// finds the packages, function bodies are dropped while parsing, and go/types
// sees only declarations that are named, directly or not, by those that the
// caller asks for. What is reached is complete, so that a name which does not
// resolve is an error in the user's code; what is not reached may be broken.
package load

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/statuspatch/statuspatcher-gen/generators/diag"
)

// Options say what to load.
type Options struct {
	// Dir is where the go command runs; "" is the working directory.
	Dir string
	// Patterns are Go package patterns.
	Patterns []string
	// OwnOutput are base names of files that the generator writes, which are not read.
	OwnOutput []string
}

// Program is a set of packages, those that match the patterns and, on demand,
// those that they refer to.
type Program struct {
	Fset *token.FileSet
	// Roots are the packages that match the patterns, by import path.
	Roots []*Package
	// Diags collects the problems in the user's code.
	Diags *diag.List

	packages  map[string]*Package
	ownOutput []string
}

// Load lists the packages that match the patterns and parses them. Problems
// inside files are added to the program's Diags; an error means that there is
// nothing to work on.
func Load(ctx context.Context, opts Options) (*Program, error) {
	pkgs, err := list(ctx, opts.Dir, opts.Patterns)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	p := &Program{
		Fset:      fset,
		Diags:     diag.NewList(fset),
		packages:  make(map[string]*Package, len(pkgs)),
		ownOutput: opts.OwnOutput,
	}
	for _, l := range pkgs {
		pkg := &Package{Path: l.ImportPath, Name: l.Name, Dir: l.Dir, Module: l.Module, listed: l}
		p.packages[l.ImportPath] = pkg
		if !l.DepOnly && !l.inPassing() {
			p.Roots = append(p.Roots, pkg)
		}
	}
	slices.SortFunc(p.Roots, func(a, b *Package) int { return compare(a.Path, b.Path) })
	p.parse(p.Roots)
	return p, p.unusable()
}

// unusable returns the errors of roots that hold no Go file at all.
func (p *Program) unusable() error {
	var errs []error
	for _, r := range p.Roots {
		switch {
		case len(r.Files) > 0 || r.broken || len(r.listed.GoFiles) > 0:
			// Parsed, or reported at a position, or holding only our own output.
		case r.listed.Error != nil:
			errs = append(errs, listProblem(r))
		default:
			errs = append(errs, fmt.Errorf("%s: no Go files for this platform: name a package that holds some", r.Path))
		}
	}
	return errors.Join(errs...)
}

// listProblem says why go list found nothing for a pattern.
func listProblem(r *Package) error {
	said := oneLine(r.listed.Error.Err)
	if strings.Contains(said, "main module") && strings.Contains(said, "does not contain package") {
		return fmt.Errorf("%s: %s: name packages of another module by their import path, such as example.com/project/api/..., and require that module in go.mod", r.Path, said)
	}
	if strings.Contains(said, "does not contain main module") {
		return fmt.Errorf("%w (go list: %s)", errNoModule, said)
	}
	return fmt.Errorf("%s: %s: name a package that exists and holds Go files", r.Path, said)
}

// Package returns the package with the import path, if a root depends on it.
func (p *Program) Package(path string) *Package { return p.packages[path] }
