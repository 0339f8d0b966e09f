package generators

import (
	"bytes"
	"context"
	"fmt"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/statuspatch/statuspatcher-gen/generators/diag"
	"github.com/statuspatch/statuspatcher-gen/generators/emit"
	"github.com/statuspatch/statuspatcher-gen/generators/load"
	"github.com/statuspatch/statuspatcher-gen/generators/model"
)

// layout decides which package generated code goes into.
type layout struct {
	opts    Options
	modules []*load.Module
	// out is the output package; nil puts patchers into the API packages.
	out *model.Output
	// support is the package of the support code; nil copies it.
	support *model.Output
}

func newLayout(ctx context.Context, opts Options) (*layout, error) {
	l := &layout{opts: opts}
	if opts.OutputPkg == "" && opts.OutputDir == "" && opts.SupportPackage == "" {
		return l, nil
	}
	var err error
	if l.modules, err = load.MainModules(ctx, opts.Dir); err != nil {
		return nil, err
	}
	// In a workspace one module may be inside another: the inner one goes first.
	slices.SortFunc(l.modules, func(a, b *load.Module) int { return len(b.Path) - len(a.Path) })
	if l.out, err = l.outputPackage(); err != nil {
		return nil, err
	}
	if opts.SupportPackage != "" {
		if l.support, err = l.inMainModule("--support-package", opts.SupportPackage); err != nil {
			return nil, err
		}
		if err := checkName("--support-package", *l.support); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// separate tells whether patchers go outside the API packages.
func (l *layout) separate() bool { return l.out != nil }

// outputPackage works out the output package from its path, its directory, or both.
func (l *layout) outputPackage() (*model.Output, error) {
	var fromDir, fromPkg *model.Output
	var err error
	if l.opts.OutputDir != "" {
		if fromDir, err = l.atDir(l.opts.OutputDir); err != nil {
			return nil, err
		}
	}
	if l.opts.OutputPkg != "" {
		if fromPkg, err = l.inMainModule("--output-pkg", l.opts.OutputPkg); err != nil {
			return nil, err
		}
	}
	if fromDir == nil {
		return fromPkg, nil
	}
	if fromPkg != nil && fromPkg.Path != fromDir.Path {
		return nil, fmt.Errorf("--output-pkg %s and --output-dir %s are different packages, the directory being %s: give one of the two", l.opts.OutputPkg, l.opts.OutputDir, fromDir.Path)
	}
	return fromDir, nil
}

// inMainModule finds the directory of a package in the main module.
func (l *layout) inMainModule(flag, pkg string) (*model.Output, error) {
	if err := module.CheckImportPath(pkg); err != nil {
		return nil, fmt.Errorf("%s %q is no import path: name a package of the main module %s, such as %s/internal/statuspatch", flag, pkg, l.moduleNames(), l.modules[0].Path)
	}
	for _, m := range l.modules {
		if rel, ok := below(pkg, m.Path); ok {
			dir := filepath.Join(m.Dir, filepath.FromSlash(rel))
			return output(pkg, dir), inNested(flag+" "+pkg, m, dir)
		}
	}
	return nil, fmt.Errorf("%s %s is outside the main module %s: name a package whose path begins with the module's", flag, pkg, l.moduleNames())
}

// atDir finds the import path of a directory in the main module.
func (l *layout) atDir(dir string) (*model.Output, error) {
	abs, err := filepath.Abs(filepath.Join(l.base(dir), dir))
	if err != nil {
		return nil, fmt.Errorf("--output-dir %s: %w", dir, err)
	}
	modules := slices.Clone(l.modules)
	slices.SortFunc(modules, func(a, b *load.Module) int { return len(b.Dir) - len(a.Dir) })
	for _, m := range modules {
		rel, ok := inside(abs, m.Dir)
		if !ok {
			rel, ok = inside(realPath(abs), realPath(m.Dir))
		}
		if ok {
			abs = filepath.Join(m.Dir, rel)
			return output(path.Join(m.Path, filepath.ToSlash(rel)), abs), inNested("--output-dir "+dir, m, abs)
		}
	}
	return nil, fmt.Errorf("--output-dir %s is outside the main module %s: name a directory inside it", dir, l.moduleNames())
}

// inside returns the path of name below dir.
func inside(name, dir string) (string, bool) {
	rel, err := filepath.Rel(dir, name)
	return rel, err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// realPath follows links in as much of a path as exists.
func realPath(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	dir := filepath.Dir(name)
	if dir == name {
		return name
	}
	return filepath.Join(realPath(dir), filepath.Base(name))
}

// inNested returns an error if dir, which is below the module's, is in a
// module of its own.
func inNested(what string, m *load.Module, dir string) error {
	for ; dir != m.Dir && len(dir) > len(m.Dir); dir = filepath.Dir(dir) {
		file := filepath.Join(dir, "go.mod")
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			return fmt.Errorf("%s is in the module of %s, not in the main module %s: name a package outside that directory", what, diag.ShortPath(file), m.Path)
		}
	}
	return nil
}

// base is what a relative directory is relative to.
func (l *layout) base(dir string) string {
	if filepath.IsAbs(dir) {
		return ""
	}
	return l.opts.Dir
}

func (l *layout) moduleNames() string {
	var names []string
	for _, m := range l.modules {
		names = append(names, m.Path)
	}
	return strings.Join(names, ", ")
}

// below returns the rest of path below prefix.
func below(path, prefix string) (string, bool) {
	if path == prefix {
		return "", true
	}
	return strings.CutPrefix(path, prefix+"/")
}

// output describes the package at dir: named as its files are, else after its path.
func output(pkg, dir string) *model.Output {
	name := load.PackageName(dir)
	if name == "" {
		name = strings.NewReplacer("-", "", ".", "").Replace(path.Base(pkg))
	}
	return &model.Output{Path: pkg, Name: name, Dir: dir}
}

// place sets the output package of each API package. One that cannot be
// written into is a problem, shown at its first marked type; an error is a
// package that has no name, or that is to hold the support code as well.
func (l *layout) place(pkgs []*model.Package, diags *diag.List) error {
	switch {
	case l.out == nil:
		for _, p := range pkgs {
			l.besideAPI(p, diags)
		}
	case len(pkgs) == 1:
		pkgs[0].Out = *l.out
	default:
		suffixes := uniqueSuffixes(pkgs)
		for i, p := range pkgs {
			p.Out = *output(path.Join(l.out.Path, suffixes[i]), filepath.Join(l.out.Dir, filepath.FromSlash(suffixes[i])))
		}
	}
	return l.checkOutputs(pkgs)
}

// checkOutputs checks the packages that code goes into.
func (l *layout) checkOutputs(pkgs []*model.Package) error {
	for _, p := range pkgs {
		if err := checkName("the output package", p.Out); err != nil {
			return err
		}
		if l.support != nil && l.support.Path == p.Out.Path {
			return fmt.Errorf("--support-package %s is the package of the patchers of %s: name another one, such as %s/statuspatch", l.support.Path, p.Path, l.support.Path)
		}
	}
	return nil
}

// checkName checks that code can be in a package of this name.
func checkName(what string, out model.Output) error {
	if !token.IsIdentifier(out.Name) || out.Name == "_" {
		return fmt.Errorf("%s %s would be named %q, which is no Go identifier: end its path in letters and digits, a letter first", what, out.Path, out.Name)
	}
	return nil
}

// checkNames reports generated names that are taken.
func (l *layout) checkNames(pkgs []*model.Package, names *nameTable, diags *diag.List) {
	supportNames := emit.SupportNames(l.support != nil)
	if l.support != nil {
		taken := names.in(*l.support)
		for _, name := range supportNames {
			if at, ok := taken[name]; ok {
				diags.Add(diag.Diagnostic{Pos: at, Message: fmt.Sprintf("the support code uses the name %s too: name a package of its own with --support-package", name)})
			}
		}
		supportNames = nil
	}
	model.CheckNames(pkgs, model.Names{Taken: names.taken, Support: supportNames}, diags)
}

// besideAPI checks that code can be written into the API package.
func (l *layout) besideAPI(p *model.Package, diags *diag.List) {
	if len(p.Roots) == 0 {
		return // none of its types is right, which was reported
	}
	pos := p.Roots[0].Pos
	switch {
	case p.Module == nil:
		diags.Addf(pos, "package %s is in no module: run in a module that holds it", p.Path)
	case !p.Module.Main:
		diags.Addf(pos, "package %s is in module %s, which is not the main module: write the patchers to a package of your own with --output-pkg", p.Path, p.Module.Path)
	}
}

// uniqueSuffixes returns for each package as few of the last elements of its
// path as tell all of them apart.
func uniqueSuffixes(pkgs []*model.Package) []string {
	for n := 1; ; n++ {
		seen := map[string]bool{}
		out := make([]string, len(pkgs))
		for i, p := range pkgs {
			out[i] = lastElements(p.Path, n)
			seen[out[i]] = true
		}
		if len(seen) == len(pkgs) {
			return out
		}
	}
}

func lastElements(p string, n int) string {
	parts := strings.Split(p, "/")
	return strings.Join(parts[max(0, len(parts)-n):], "/")
}

// stale returns the generated files of earlier runs that have no successor.
func (l *layout) stale(prog *load.Program, pkgs []*model.Package, files []File) []File {
	written := map[string]bool{}
	for _, f := range files {
		written[f.Path] = true
	}
	var out []File
	for _, dir := range l.staleDirs(prog, pkgs) {
		for _, name := range []string{l.opts.OutputFile, supportFile(l.opts.OutputFile)} {
			file := filepath.Join(dir, name)
			if l.support != nil && dir == l.support.Dir && name != l.opts.OutputFile {
				continue // other runs may need it
			}
			if !written[file] && isOwnFile(file) {
				written[file] = true
				out = append(out, File{Path: file, Remove: true})
			}
		}
	}
	return out
}

// staleDirs returns the directories in which this run's packages may have
// output of earlier runs.
func (l *layout) staleDirs(prog *load.Program, pkgs []*model.Package) []string {
	var dirs []string
	for _, p := range pkgs {
		dirs = append(dirs, p.Out.Dir)
	}
	if l.out == nil {
		for _, r := range prog.Roots {
			if r.Module != nil && r.Module.Main {
				dirs = append(dirs, r.Dir)
			}
		}
		return dirs
	}
	if len(pkgs) != 1 {
		dirs = append(dirs, l.out.Dir)
	}
	const deepest = 3
	for _, r := range prog.Roots {
		for n := 1; n <= deepest; n++ {
			dirs = append(dirs, filepath.Join(l.out.Dir, filepath.FromSlash(lastElements(r.Path, n))))
		}
	}
	return dirs
}

// isOwnFile tells whether the file exists and was written by this generator.
func isOwnFile(name string) bool {
	src, err := os.ReadFile(name)
	return err == nil && load.IsOwnOutput(src)
}

// checkFiles reports files by hand that generated ones would replace.
func (l *layout) checkFiles(pkgs []*model.Package, diags *diag.List) {
	var files []string
	for _, p := range pkgs {
		files = append(files, filepath.Join(p.Out.Dir, l.opts.OutputFile))
		if l.support == nil {
			files = append(files, filepath.Join(p.Out.Dir, supportFile(l.opts.OutputFile)))
		}
	}
	if l.support != nil {
		files = append(files, filepath.Join(l.support.Dir, supportFile(l.opts.OutputFile)))
	}
	for _, f := range files {
		if byHand(f) {
			diags.Add(diag.Diagnostic{
				Pos:     token.Position{Filename: f, Line: 1, Column: 1},
				Message: "this file was not generated and would be overwritten: rename it, or give the generated one another name with --output-file",
			})
		}
	}
}

// byHand tells whether the file exists and is nobody's output.
func byHand(name string) bool {
	src, err := os.ReadFile(name)
	return err == nil && len(bytes.TrimSpace(src)) > 0 && !generatedLine.Match(src)
}

// generatedLine is how generated files are known, by the convention of Go.
var generatedLine = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.\r?$`)
