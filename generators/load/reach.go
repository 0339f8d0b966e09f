package load

import (
	"go/ast"
	"reflect"
	"strconv"
	"strings"
)

// Start names a declaration of a root package from which to check.
type Start struct {
	Package *Package
	// Name is a root type, or an alias of one. Of its struct only the metadata
	// and the status count.
	Name string
}

// methodsKept are the methods by which a type decides its own JSON.
var methodsKept = []string{"MarshalJSON", "MarshalText", "IsZero"}

// reacher marks the declarations that others need, across packages.
type reacher struct {
	program *Program
	queue   []*decl
	methods map[string]bool // names of methods that are kept
	named   []*decl         // types reached so far
	missing []request       // names in packages that are still to be parsed
}

type request struct {
	pkg   *Package
	name  string
	reach reach
}

// reachFrom marks everything that starts need. Packages are parsed in waves:
// all that the previous wave named, side by side.
func (p *Program) reachFrom(starts []Start) {
	r := &reacher{program: p, methods: map[string]bool{}}
	for _, m := range methodsKept {
		r.methods[m] = true
	}
	for _, s := range starts {
		r.missing = append(r.missing, request{s.Package, s.Name, rootOnly})
	}
	for len(r.missing) > 0 {
		wave := r.missing
		r.missing = nil
		var pkgs []*Package
		for _, q := range wave {
			pkgs = append(pkgs, q.pkg)
		}
		p.parse(pkgs)
		for _, q := range wave {
			r.name(q.pkg, q.name, q.reach)
		}
		r.drain()
	}
}

func (r *reacher) drain() {
	for len(r.queue) > 0 {
		d := r.queue[len(r.queue)-1]
		r.queue = r.queue[:len(r.queue)-1]
		r.decl(d)
	}
}

// name marks the declarations of name in pkg. It reports whether there are any.
func (r *reacher) name(pkg *Package, name string, how reach) bool {
	if !pkg.parsed {
		r.missing = append(r.missing, request{pkg, name, how})
		return true
	}
	for _, d := range pkg.decls[name] {
		r.mark(d, how)
	}
	return len(pkg.decls[name]) > 0
}

func (r *reacher) mark(d *decl, how reach) {
	if d.reach >= how {
		return
	}
	d.reach = how
	r.queue = append(r.queue, d)
}

// decl marks what d needs.
func (r *reacher) decl(d *decl) {
	switch spec := d.spec.(type) {
	case *ast.TypeSpec:
		r.typeSpec(d, spec)
	case *ast.ValueSpec:
		// The implicit repetition of a constant needs its whole block.
		for _, s := range d.gen.Specs {
			for _, id := range s.(*ast.ValueSpec).Names {
				r.name(d.pkg, id.Name, whole)
			}
		}
		if spec.Type != nil {
			r.expr(d, spec.Type, whole)
		}
		for _, v := range spec.Values {
			r.expr(d, v, whole)
		}
	default:
		r.expr(d, d.fn.Type, whole)
		if d.fn.Recv != nil {
			r.expr(d, d.fn.Recv, whole)
		}
	}
}

func (r *reacher) typeSpec(d *decl, spec *ast.TypeSpec) {
	if spec.TypeParams != nil {
		r.expr(d, spec.TypeParams, whole)
	}
	st, isStruct := spec.Type.(*ast.StructType)
	switch {
	case d.reach == rootOnly && isStruct:
		r.expr(d, rootFields(st), whole)
	case d.reach == rootOnly && isName(spec.Type):
		r.expr(d, spec.Type, rootOnly) // the target of an alias
	default:
		r.expr(d, spec.Type, whole)
	}
	r.named = append(r.named, d)
	r.methodsOf(d)
}

// isName tells whether t is a type's plain name.
func isName(t ast.Expr) bool {
	switch t.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return true
	}
	return false
}

// methodsOf marks the methods of a type that are kept.
func (r *reacher) methodsOf(d *decl) {
	for _, m := range d.pkg.methods[d.spec.(*ast.TypeSpec).Name.Name] {
		if r.methods[m.fn.Name.Name] {
			r.mark(m, whole)
		}
	}
}

// expr marks the names in a type or constant expression.
func (r *reacher) expr(d *decl, n ast.Node, how reach) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			r.expr(d, n.Type, how)
			return false
		case *ast.FuncLit:
			r.expr(d, n.Type, how)
			return false
		case *ast.InterfaceType:
			r.iface(n)
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && d.file.imports[id.Name] != nil {
				r.imported(d, d.file.imports[id.Name], n.Sel.Name, how)
				return false
			}
			r.expr(d, n.X, how)
			return false
		case *ast.Ident:
			r.ident(d, n.Name, how)
		}
		return true
	})
}

// iface keeps the methods that an interface names: a constraint may ask for them.
func (r *reacher) iface(n *ast.InterfaceType) {
	grown := false
	for _, m := range n.Methods.List {
		for _, id := range m.Names {
			if !r.methods[id.Name] {
				r.methods[id.Name], grown = true, true
			}
		}
	}
	if grown {
		for _, d := range r.named {
			r.methodsOf(d)
		}
	}
}

func (r *reacher) ident(d *decl, name string, how reach) {
	if r.name(d.pkg, name, how) {
		return
	}
	for _, spec := range d.file.dots {
		r.imported(d, spec, name, how)
	}
}

func (r *reacher) imported(d *decl, spec *ast.ImportSpec, name string, how reach) {
	d.file.used[spec] = true
	if dep := r.program.packages[r.program.resolve(d.pkg, importPath(spec))]; dep != nil {
		r.name(dep, name, how)
	}
}

// rootFields returns the part of a root type's struct that a patcher needs.
// The rest of it, such as the spec, is neither loaded nor checked.
func rootFields(st *ast.StructType) *ast.StructType {
	var keep []*ast.Field
	for _, f := range st.Fields.List {
		if len(f.Names) == 0 || IsStatusField(f) {
			keep = append(keep, f)
		}
	}
	return &ast.StructType{Struct: st.Struct, Fields: &ast.FieldList{
		Opening: st.Fields.Opening, List: keep, Closing: st.Fields.Closing,
	}}
}

// IsStatusField tells whether f is a root type's status: named so in JSON.
func IsStatusField(f *ast.Field) bool {
	return len(f.Names) == 1 && f.Names[0].IsExported() && jsonName(f) == "status"
}

// jsonName returns the name in a field's JSON tag.
func jsonName(f *ast.Field) string {
	if f.Tag == nil {
		return ""
	}
	tag, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return ""
	}
	name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	return name
}
