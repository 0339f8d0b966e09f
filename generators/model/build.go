package model

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/statuspatch/statuspatcher-gen/generators/diag"
	"github.com/statuspatch/statuspatcher-gen/generators/load"
)

// Options say how the packages will be generated.
type Options struct {
	// Separate tells whether patchers go outside the API package, where
	// unexported names are out of reach.
	Separate bool
}

// Build checks the marked types of the program's root packages, and returns
// the packages that have any. Problems are added to prog.Diags; the result is
// complete only if there are none.
func Build(prog *load.Program, opts Options) []*Package {
	var scans []*scan
	var starts []load.Start
	for _, pkg := range prog.Roots {
		s := scanPackage(pkg, prog.Diags)
		scans = append(scans, s)
		for _, t := range s.roots {
			starts = append(starts, load.Start{Package: pkg, Name: t.name})
		}
	}
	prog.Check(starts)
	var out []*Package
	for _, s := range scans {
		if s.pkg.Broken() {
			continue // what is missing in it may be in the part that did not parse
		}
		b := newBuilder(prog, s, opts)
		b.build()
		if len(s.roots) > 0 {
			out = append(out, b.out)
		}
	}
	return out
}

// builder makes the model of one package.
type builder struct {
	prog  *load.Program
	pkg   *load.Package
	scan  *scan
	opts  Options
	diags *diag.List
	out   *Package

	shapes       typeutil.Map // of *Shape
	slices       []*Shape     // not yet told from lists of conditions
	structs      map[string]*Struct
	structNames  map[string]bool
	optionalPkgs map[*load.Package]bool
	reasons      map[reasonKey]*ReasonType
}

func newBuilder(prog *load.Program, s *scan, opts Options) *builder {
	return &builder{
		prog:  prog,
		pkg:   s.pkg,
		scan:  s,
		opts:  opts,
		diags: prog.Diags,
		out: &Package{
			Path: s.pkg.Path, Name: s.pkg.Name, Dir: s.pkg.Dir,
			Module: s.pkg.Module, Source: s.pkg,
			Out: Output{Path: s.pkg.Path, Name: s.pkg.Name, Dir: s.pkg.Dir},
		},
		structs:      map[string]*Struct{},
		structNames:  map[string]bool{},
		optionalPkgs: map[*load.Package]bool{},
		reasons:      map[reasonKey]*ReasonType{},
	}
}

func (b *builder) build() {
	slices.SortFunc(b.scan.roots, func(x, y *typeInfo) int { return cmp.Compare(x.name, y.name) })
	roots := map[*typeInfo]*Root{}
	for _, t := range b.scan.roots {
		if r := b.root(t); r != nil {
			roots[t] = r
			b.out.Roots = append(b.out.Roots, r)
		}
	}
	b.findConditions()
	for _, t := range b.scan.roots {
		if r := roots[t]; r != nil {
			b.fillRoot(r, t)
		}
	}
	slices.SortFunc(b.out.Reasons, func(x, y *ReasonType) int { return cmp.Compare(x.Name, y.Name) })
	b.scan.reportUnused(b.diags)
}

// fillRoot adds to r what its markers say.
func (b *builder) fillRoot(r *Root, t *typeInfo) {
	r.ConditionLists = conditionLists(r.Status)
	marks := b.scan.marksOf(t)
	b.observedGeneration(r, marks)
	b.lock(r, t, marks)
	b.conditions(r, marks)
	b.groups(r, marks)
}

// conditionLists returns the lists of conditions that are reached through
// structs, level by level.
func conditionLists(status *Struct) []*ConditionList {
	var out []*ConditionList
	eachPath(status, func(p Path) {
		if f := p.Last(); f.Shape.Kind == Conditions {
			out = append(out, &ConditionList{Path: p, Elem: f.Shape.Condition})
		}
	})
	return out
}

// eachPath calls visit for every field that is reached through structs and
// pointers to structs, level by level. A recursive struct is entered once.
func eachPath(root *Struct, visit func(Path)) {
	type entry struct {
		s    *Struct
		path Path
		on   []*Struct
	}
	level := []entry{{s: root, on: []*Struct{root}}}
	for len(level) > 0 {
		var next []entry
		for _, e := range level {
			for _, f := range e.s.Fields {
				p := e.path.with(f)
				visit(p)
				if inner := f.Shape.inner(); inner != nil && !slices.Contains(e.on, inner) {
					on := append(slices.Clone(e.on), inner)
					next = append(next, entry{inner, p, on})
				}
			}
		}
		level = next
	}
}

// with returns the path to a field of the struct that p leads to.
func (p Path) with(f *Field) Path {
	return Path{Fields: append(slices.Clone(p.Fields), f)}
}

// inner returns the struct that a struct or a pointer to one is, else nil.
func (s *Shape) inner() *Struct {
	switch {
	case s.Kind == StructKind:
		return s.Struct
	case s.Kind == Pointer && s.Elem.Kind == StructKind:
		return s.Elem.Struct
	}
	return nil
}
