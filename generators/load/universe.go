package load

import (
	"go/ast"
	"go/constant"
	gotypes "go/types"
	"maps"
	"slices"
	"strings"

	"k8s.io/gengo/v2/types"
)

// Universe returns gengo's view of what Check reached: the declarations of the
// root packages, and the types that they name. gengo's own parser would load
// and check every dependency for it, and gets some types wrong.
func (p *Program) Universe() types.Universe {
	u := &universe{program: p, types: types.Universe{}}
	for _, pkg := range p.Roots {
		if pkg.Types != nil {
			u.add(pkg)
		}
	}
	return u.types
}

type universe struct {
	program *Program
	types   types.Universe
}

func (u *universe) add(pkg *Package) {
	gp := u.types.Package(pkg.Path)
	gp.Name, gp.Dir = pkg.Name, pkg.Dir
	imports := map[string]bool{}
	for _, f := range pkg.Files {
		gp.DocComments = append(gp.DocComments, commentLines(f.AST.Doc)...)
		for spec := range f.used {
			imports[u.program.resolve(pkg, importPath(spec))] = true
		}
	}
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name).(type) {
		case *gotypes.TypeName:
			u.declare(pkg, obj)
		case *gotypes.Const:
			u.constant(pkg, obj)
		}
	}
	u.types.AddImports(pkg.Path, slices.Sorted(maps.Keys(imports))...)
}

// declare enters a type with its comments. An alias gets an entry of its own
// name, of the kind Alias, which gengo's parser leaves out.
func (u *universe) declare(pkg *Package, obj *gotypes.TypeName) {
	t := u.walk(obj.Type())
	if obj.IsAlias() {
		target := t
		t = u.types.Type(types.Name{Package: pkg.Path, Name: obj.Name()})
		t.Kind, t.Underlying, t.GoType = types.Alias, target, obj.Type()
	}
	if d, ok := pkg.TypeDecl(obj.Name()); ok {
		doc, loose := d.comments()
		t.CommentLines, t.SecondClosestCommentLines = commentLines(doc), commentLines(loose)
	}
}

func (u *universe) constant(pkg *Package, obj *gotypes.Const) {
	c := u.types.Constant(types.Name{Package: pkg.Path, Name: obj.Name()})
	c.Kind = types.DeclarationOf
	c.Underlying = u.walk(obj.Type())
	v := obj.Val().String()
	if obj.Val().Kind() == constant.String {
		v = constant.StringVal(obj.Val())
	}
	c.ConstValue = &v
}

// walk enters a type and all that it consists of.
func (u *universe) walk(in gotypes.Type) *types.Type {
	in = gotypes.Unalias(in)
	switch t := in.(type) {
	case *gotypes.Basic:
		return u.basic(t)
	case *gotypes.Named:
		return u.named(t)
	case *gotypes.TypeParam:
		return &types.Type{Name: types.Name{Name: t.Obj().Name()}, Kind: types.TypeParam, GoType: in}
	}
	out := u.types.Type(types.Name{Name: gotypes.TypeString(in, nil)})
	if out.Kind != types.Unknown {
		return out
	}
	u.fill(out, in, in)
	return out
}

func (u *universe) basic(t *gotypes.Basic) *types.Type {
	builtin := u.types.Package("")
	if t.Kind() == gotypes.Int8 && builtin.Types[t.Name()] == nil {
		// gengo takes int8 for a byte unless it is entered before.
		builtin.Types[t.Name()] = &types.Type{Name: types.Name{Name: t.Name()}, Kind: types.Builtin, GoType: t}
	}
	out := builtin.Type(t.Name())
	if out.Kind == types.Unknown {
		out.Kind, out.GoType = types.Unsupported, t
	}
	return out
}

func (u *universe) named(t *gotypes.Named) *types.Type {
	name := types.Name{Name: t.Obj().Name()}
	if args := t.TypeArgs(); args.Len() > 0 {
		name.Name = strings.TrimPrefix(gotypes.TypeString(t, nil), qualifier(t.Obj().Pkg()))
	}
	if pkg := t.Obj().Pkg(); pkg != nil {
		name.Package = pkg.Path()
	}
	out := u.types.Type(name)
	if out.Kind == types.Unknown {
		u.fill(out, t, t.Underlying())
	}
	return out
}

func qualifier(pkg *gotypes.Package) string {
	if pkg == nil {
		return ""
	}
	return pkg.Path() + "."
}

// fill sets what out is; in is the type, under its underlying one.
func (u *universe) fill(out *types.Type, in, under gotypes.Type) {
	out.GoType = in
	_, isNamed := in.(*gotypes.Named)
	switch t := under.(type) {
	case *gotypes.Struct:
		out.Kind = types.Struct
		u.members(out, t)
		return
	case *gotypes.Interface:
		out.Kind = types.Interface
		return
	}
	if isNamed {
		out.Kind = types.Alias
		out.Underlying = u.walk(under)
		return
	}
	switch t := under.(type) {
	case *gotypes.Pointer:
		out.Kind, out.Elem = types.Pointer, u.walk(t.Elem())
	case *gotypes.Slice:
		out.Kind = types.Slice
		out.Elem = u.walk(t.Elem())
	case *gotypes.Array:
		out.Kind, out.Len = types.Array, t.Len()
		out.Elem = u.walk(t.Elem())
	case *gotypes.Map:
		out.Kind = types.Map
		out.Key, out.Elem = u.walk(t.Key()), u.walk(t.Elem())
	case *gotypes.Chan:
		out.Kind, out.Elem = types.Chan, u.walk(t.Elem())
	case *gotypes.Signature:
		out.Kind = types.Func
	default:
		out.Kind = types.Unsupported
	}
}

func (u *universe) members(out *types.Type, s *gotypes.Struct) {
	for i := range s.NumFields() {
		v := s.Field(i)
		m := types.Member{Name: v.Name(), Embedded: v.Anonymous(), Tags: s.Tag(i), Type: u.walk(v.Type())}
		if fd := u.program.Field(v); fd != nil {
			m.CommentLines = commentLines(fd.Field.Doc)
		}
		out.Members = append(out.Members, m)
	}
}

func commentLines(c *ast.CommentGroup) []string {
	text := strings.TrimRight(c.Text(), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
