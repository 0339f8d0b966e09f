package model

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"

	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/statuspatch/statuspatcher-gen/generators/load"
	"github.com/statuspatch/statuspatcher-gen/markers"
)

// root returns the model of a root type without what its markers say, or nil
// if it is none.
func (b *builder) root(t *typeInfo) *Root {
	pos := t.decl.Spec.Name.Pos()
	obj := b.pkg.Types.Scope().Lookup(t.name)
	if obj == nil {
		return nil // the declaration itself has an error
	}
	named, st := rootStruct(obj.Type())
	if st == nil {
		if !invalid(obj.Type()) {
			b.diags.Addf(pos, "%s is no struct: mark a root type, which embeds metav1.TypeMeta and metav1.ObjectMeta and has a status field", t.name)
		}
		return nil
	}
	r := &Root{Name: t.name, Type: obj.Type(), Alias: t.alias, Lock: markers.LockObject, Pos: pos}
	if !b.rootNamed(r, named) || !b.metadata(r, st) || !b.status(r, st) {
		return nil
	}
	b.subresource(r, t)
	b.resource(r, t, named)
	return r
}

// rootStruct returns the named type and the struct that t is.
func rootStruct(t types.Type) (*types.Named, *types.Struct) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil, nil
	}
	st, _ := named.Underlying().(*types.Struct)
	return named, st
}

// invalid tells whether t has an error, which was reported by the check.
func invalid(t types.Type) bool {
	b, ok := types.Unalias(t).Underlying().(*types.Basic)
	return ok && b.Kind() == types.Invalid
}

// rootNamed checks that generated code can name the type.
func (b *builder) rootNamed(r *Root, named *types.Named) bool {
	switch {
	case named.TypeParams().Len() > named.TypeArgs().Len():
		b.diags.Addf(r.Pos, "%s is generic: mark an alias of an instance of it", r.Name)
		return false
	case !ast.IsExported(r.Name):
		b.diags.Addf(r.Pos, "%s is not exported: export it, or remove the marker", r.Name)
		return false
	}
	return true
}

// metadata checks that the struct embeds TypeMeta and ObjectMeta.
func (b *builder) metadata(r *Root, st *types.Struct) bool {
	for _, want := range []string{"TypeMeta", "ObjectMeta"} {
		found := false
		for f := range st.Fields() {
			if f.Anonymous() && (typePath(f.Type()) == metaPath+"."+want || invalid(f.Type())) {
				found = true
			}
		}
		if !found {
			b.diags.Addf(r.Pos, "%s does not embed metav1.%s: a root type embeds metav1.TypeMeta and metav1.ObjectMeta", r.Name, want)
			return false
		}
	}
	return true
}

// status fills in the status field and its struct.
func (b *builder) status(r *Root, st *types.Struct) bool {
	v := statusVar(st)
	if v == nil {
		b.diags.Addf(r.Pos, "%s has no status: add a field with the JSON name \"status\", or remove the marker", r.Name)
		return false
	}
	r.StatusField = v.Name()
	t := types.Unalias(v.Type())
	if p, ok := t.(*types.Pointer); ok {
		r.StatusPointer = true
		t = types.Unalias(p.Elem())
	}
	if invalid(t) {
		return false
	}
	pos := b.near(v.Pos(), r.Pos)
	n, ok := t.(*types.Named)
	if !ok {
		b.diags.Addf(pos, "the status of %s is no named struct: declare a type for it", r.Name)
		return false
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		b.diags.Addf(pos, "the status of %s is no struct but %s: declare it as a struct", r.Name, types.TypeString(n.Underlying(), types.RelativeTo(b.pkg.Types)))
		return false
	}
	shape := b.shape(t, use{pos: pos, field: r.Name + "." + r.StatusField})
	if shape.Kind != StructKind {
		if shape.Kind != Invalid {
			b.diags.Addf(pos, "the status of %s has a MarshalJSON or MarshalText of its own, which a patcher cannot look into: remove it", r.Name)
		}
		return false
	}
	r.Status = shape.Struct
	return true
}

// statusVar returns the field with the JSON name "status".
func statusVar(st *types.Struct) *types.Var {
	for i := range st.NumFields() {
		name, _, _ := strings.Cut(reflect.StructTag(st.Tag(i)).Get("json"), ",")
		if name == "status" && st.Field(i).Exported() {
			return st.Field(i)
		}
	}
	return nil
}

// subresource checks that the type says it has a status subresource.
func (b *builder) subresource(r *Root, t *typeInfo) {
	client, noStatus := false, false
	for _, m := range t.hints {
		name, _, _ := splitMarker(m.Text)
		switch name {
		case "kubebuilder:subresource:status":
			return
		case "genclient":
			client = true
		case "genclient:noStatus":
			noStatus = true
		}
	}
	if client && !noStatus {
		return
	}
	what := "the type"
	if t.alias {
		what = "the alias"
	}
	b.diags.Addf(r.Pos, "%s has no status subresource: add +kubebuilder:subresource:status to %s, or opt out with +statuspatch=false", r.Name, what)
}

// resource fills in what RBAC rules name the type by.
func (b *builder) resource(r *Root, t *typeInfo, named *types.Named) {
	hints := slices.Concat(b.typeMarkers(named), t.hints)
	kind := named.Obj().Name()
	r.Resource = plural(strings.ToLower(kind))
	for _, m := range hints {
		name, value, _ := splitMarker(m.Text)
		switch {
		case name == "genclient:nonNamespaced":
			r.ClusterScoped = true
		case strings.HasPrefix(name, "kubebuilder:resource"):
			// +kubebuilder:resource:path=foos,scope=Cluster
			_, first, _ := strings.Cut(strings.TrimPrefix(name, "kubebuilder:resource"), ":")
			r.applyResource(first + "=" + value)
		case strings.HasPrefix(name, "resourceName"):
			r.Resource = value
		}
	}
	r.APIGroup = b.apiGroup(named)
}

// applyResource reads the arguments of +kubebuilder:resource.
func (r *Root) applyResource(args string) {
	for arg := range strings.SplitSeq(args, ",") {
		name, value, _ := strings.Cut(arg, "=")
		value = strings.Trim(strings.TrimSpace(value), `"`)
		switch strings.TrimSpace(name) {
		case "path":
			r.Resource = value
		case "scope":
			r.ClusterScoped = value == "Cluster"
		}
	}
}

// apiGroup returns the API group that the package of the type declares.
func (b *builder) apiGroup(named *types.Named) string {
	pkg := b.prog.Package(named.Obj().Pkg().Path())
	if pkg == nil {
		return ""
	}
	for _, m := range pkg.PackageMarkers() {
		if name, value, ok := splitMarker(m.Text); ok && (name == "groupName" || name == "kubebuilder:groupName") {
			return strings.Trim(value, `"`)
		}
	}
	return pkg.GroupName()
}

// plural forms the plural that resources have by default.
func plural(s string) string {
	switch {
	case strings.HasSuffix(s, "y") && !strings.ContainsAny(s[max(0, len(s)-2):len(s)-1], "aeiou"):
		return strings.TrimSuffix(s, "y") + "ies"
	case hasAnySuffix(s, "s", "x", "z", "ch", "sh"):
		return s + "es"
	}
	return s + "s"
}

func hasAnySuffix(s string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(x string) bool { return strings.HasSuffix(s, x) })
}

// lock applies the lock markers: the type's own goes before its status struct's.
func (b *builder) lock(r *Root, t *typeInfo, marks []mark) {
	var own, status []mark
	for _, m := range marks {
		if _, ok := m.value.(markers.Lock); !ok {
			continue
		}
		if t.marked(m) {
			own = append(own, m)
		} else {
			status = append(status, m)
		}
	}
	for _, set := range [][]mark{status, own} {
		for i, m := range set {
			if i > 0 {
				b.diags.Addf(m.pos, "the lock is given twice: keep one marker")
			}
			r.Lock = m.value.(markers.Lock)
		}
	}
}

// observedGeneration finds the field that is filled with the generation.
func (b *builder) observedGeneration(r *Root, marks []mark) {
	set := func(p Path, at mark) {
		switch {
		case !isInt64(p.Last().Type):
			b.diags.Addf(at.pos, "%s is no int64, as a generation is: mark another field, or change its type", p.JSON())
		case r.ObservedGeneration != nil && r.ObservedGeneration.JSON() != p.JSON():
			b.diags.Addf(at.pos, "%s and %s are both marked as the observedGeneration: keep one", r.ObservedGeneration.JSON(), p.JSON())
		default:
			r.ObservedGeneration = &p
		}
	}
	eachPath(r.Status, func(p Path) {
		for _, m := range b.fieldMarks(p.Last()) {
			set(p, m)
		}
	})
	for _, m := range marks {
		v, ok := m.value.(markers.ObservedGenerationPath)
		if !ok {
			continue
		}
		if p, ok := b.resolve(r, string(v), m.within(string(v))); ok {
			set(p, m)
		}
	}
}

// fieldMarks returns this generator's markers on a field of the API package.
func (b *builder) fieldMarks(f *Field) []mark {
	if !b.inPackage(f.Pos) {
		return nil
	}
	decl := b.pkg.FieldAt(f.Pos)
	if decl == nil {
		return nil
	}
	var out []mark
	for _, m := range decl.FieldMarkers() {
		if !markers.Is(m.Text) {
			continue
		}
		if v, ok := b.scan.parse(load.Marker{Text: m.Text, Pos: m.Pos}, ctmarkers.DescribesField, b.diags); ok {
			out = append(out, mark{value: v, text: m.Text, pos: m.Pos})
		}
	}
	return out
}
