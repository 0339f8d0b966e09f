package model

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/statuspatch/statuspatcher-gen/generators/diag"
	"github.com/statuspatch/statuspatcher-gen/generators/load"
	"github.com/statuspatch/statuspatcher-gen/markers"
)

// mark is a marker of this generator.
type mark struct {
	value any
	text  string
	pos   token.Pos
}

// typeInfo is what a type's source tells before anything is type-checked.
type typeInfo struct {
	name  string
	decl  load.TypeDecl
	alias bool
	// elsewhere tells whether the struct is another type's: the type is an
	// alias of that, or defined by its name.
	elsewhere bool
	marks     []mark
	// hints are the type's markers of other tools.
	hints []load.Marker
	// status is the name of the status type, if it is one of the same package;
	// statusField is the field, nil if there is none.
	status      string
	statusField *ast.Field
	// metadata tells whether the struct embeds something called ObjectMeta.
	metadata bool
}

// scan is what the markers of a package say, before anything is type-checked.
type scan struct {
	pkg   *load.Package
	types map[string]*typeInfo
	order []*typeInfo
	// roots are the types that get a patcher.
	roots []*typeInfo
	// seen are the markers that were understood, or reported.
	seen map[token.Pos]bool
	all  []mark
}

// scanPackage reads the package's markers and picks the root types.
func scanPackage(pkg *load.Package, diags *diag.List) *scan {
	s := &scan{pkg: pkg, types: map[string]*typeInfo{}, seen: map[token.Pos]bool{}}
	if !s.anyMarkers() {
		return s
	}
	everyRoot := s.packageMark(diags)
	for _, d := range pkg.TypeDecls() {
		t := s.typeInfo(d, diags)
		s.types[t.name] = t
		s.order = append(s.order, t)
	}
	for _, t := range s.order {
		candidate := t.statusField != nil && t.metadata || t.elsewhere && len(t.marks) > 0
		if candidate && s.wanted(t, everyRoot.IsValid()) {
			s.roots = append(s.roots, t)
		}
	}
	s.reportNoRoots(everyRoot, diags)
	return s
}

// anyMarkers tells whether the package has a marker of this generator at all;
// most have not.
func (s *scan) anyMarkers() bool {
	for _, m := range s.pkg.AllMarkers() {
		if markers.Is(m.Text) {
			s.all = append(s.all, mark{text: m.Text, pos: m.Pos})
		}
	}
	return len(s.all) > 0
}

// packageMark returns where +statuspatch=package is, if anywhere.
func (s *scan) packageMark(diags *diag.List) token.Pos {
	at := token.NoPos
	for _, m := range s.pkg.PackageMarkers() {
		if !markers.Is(m.Text) {
			continue
		}
		v, ok := s.parse(m, ctmarkers.DescribesPackage, diags)
		switch {
		case !ok:
		case v != any(markers.PatchPackage):
			diags.Addf(m.Pos, "%s stands on no type: write it above a root type, or +statuspatch=package for all root types of the package", m.Text)
		default:
			at = m.Pos
		}
	}
	return at
}

// parse parses a marker and reports what is wrong with it.
func (s *scan) parse(m load.Marker, target ctmarkers.TargetType, diags *diag.List) (any, bool) {
	s.seen[m.Pos] = true
	v, err := markers.Parse(m.Text, target)
	if err == nil {
		return v, true
	}
	pos := m.Pos
	var e *markers.Error
	if errors.As(err, &e) {
		pos += token.Pos(e.Offset)
	}
	diags.Addf(pos, "%s", err)
	return nil, false
}

func (s *scan) typeInfo(d load.TypeDecl, diags *diag.List) *typeInfo {
	t := &typeInfo{name: d.Spec.Name.Name, decl: d, alias: d.Spec.Assign.IsValid()}
	t.elsewhere = t.alias || typeName(d.Spec.Type) != ""
	for _, m := range d.TypeMarkers() {
		if !markers.Is(m.Text) {
			t.hints = append(t.hints, m)
			continue
		}
		v, ok := s.parse(m, ctmarkers.DescribesType, diags)
		if !ok {
			// What the marker implies holds although it has a mistake.
			t.marks = append(t.marks, mark{text: m.Text, pos: m.Pos})
			continue
		}
		if v == any(markers.PatchPackage) {
			diags.Addf(m.Pos, "+statuspatch=package belongs above the package clause in doc.go: for one type write +statuspatch")
			continue
		}
		t.marks = append(t.marks, mark{value: v, text: m.Text, pos: m.Pos})
	}
	if st, ok := d.Spec.Type.(*ast.StructType); ok {
		for _, f := range st.Fields.List {
			t.addField(f)
		}
	}
	return t
}

func (t *typeInfo) addField(f *ast.Field) {
	if len(f.Names) == 0 {
		t.metadata = t.metadata || typeName(f.Type) == "ObjectMeta"
		return
	}
	if load.IsStatusField(f) {
		t.statusField = f
		t.status = localName(f.Type)
	}
}

// typeName is the last part of a type's name.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// localName is the name of a type of the same package, or a pointer to it.
func localName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return localName(e.X)
	}
	return ""
}

// statusInfo returns the status struct's source, through local aliases and
// definitions by another name.
func (s *scan) statusInfo(t *typeInfo) *typeInfo {
	return s.types[t.status]
}

// wanted tells whether t gets a patcher: its own markers decide, then its
// status struct's, then the package's.
func (s *scan) wanted(t *typeInfo, everyRoot bool) bool {
	if on, said := decision(t.marks); said {
		return on
	}
	if st := s.statusInfo(t); st != nil && !t.alias {
		if on, said := decision(st.marks); said {
			return on
		}
		if s.fieldsMarked(st) {
			return true
		}
	}
	return everyRoot && !t.alias && ast.IsExported(t.name)
}

// decision tells what markers say on whether there is to be a patcher.
func decision(marks []mark) (on, said bool) {
	for _, m := range marks {
		if m.value == any(markers.PatchOff) {
			return false, true
		}
	}
	return len(marks) > 0, len(marks) > 0
}

// fieldsMarked tells whether a field of the struct has a marker.
func (s *scan) fieldsMarked(t *typeInfo) bool {
	st, ok := t.decl.Spec.Type.(*ast.StructType)
	if !ok {
		return false
	}
	for _, f := range st.Fields.List {
		fd := load.FieldDecl{File: t.decl.File, Struct: st, Field: f}
		if slices.ContainsFunc(fd.FieldMarkers(), func(m load.Marker) bool { return markers.Is(m.Text) }) {
			return true
		}
	}
	return false
}

// marksOf returns the markers that hold for a root type: its status struct's
// and its own.
func (s *scan) marksOf(t *typeInfo) []mark {
	var out []mark
	if st := s.statusInfo(t); st != nil && !t.alias {
		out = append(out, st.marks...)
	}
	return append(out, t.marks...)
}

// marked tells whether m is one of the type's own markers.
func (t *typeInfo) marked(m mark) bool {
	return slices.ContainsFunc(t.marks, func(own mark) bool { return own.pos == m.pos })
}

// reportNoRoots reports marked types that are neither root types nor the
// status of one.
func (s *scan) reportNoRoots(everyRoot token.Pos, diags *diag.List) {
	used := map[string]bool{}
	roots := 0
	for _, t := range s.order {
		if t.statusField != nil && t.metadata {
			used[t.status] = true
			roots++
		}
	}
	if everyRoot.IsValid() && roots == 0 {
		diags.Addf(everyRoot, "package %s has no root type with a status: remove +statuspatch=package, or add a field with the JSON name \"status\" to a root type", s.pkg.Name)
	}
	for _, t := range s.order {
		on, _ := decision(t.marks)
		if t.elsewhere || !on || used[t.name] || t.statusField != nil && t.metadata {
			continue
		}
		diags.Addf(t.marks[0].pos, "%s", noRoot(t))
	}
}

// noRoot says what a marked type lacks to be a root type.
func noRoot(t *typeInfo) string {
	_, isStruct := t.decl.Spec.Type.(*ast.StructType)
	switch {
	case !isStruct:
		return fmt.Sprintf("%s is no struct: mark a root type, which embeds metav1.TypeMeta and metav1.ObjectMeta and has a status field", t.name)
	case t.metadata:
		return fmt.Sprintf("%s has no status: add a field with the JSON name \"status\", or remove the marker", t.name)
	case t.statusField != nil:
		return fmt.Sprintf("%s has a status but no metadata: embed metav1.TypeMeta and metav1.ObjectMeta, or remove the marker", t.name)
	}
	return fmt.Sprintf("%s is neither a root type nor the status of one in this package: move the marker to a struct that embeds metav1.TypeMeta and metav1.ObjectMeta and has a status field", t.name)
}

// reportUnused reports the markers that stand where no one looks for them.
func (s *scan) reportUnused(diags *diag.List) {
	for _, m := range s.all {
		if s.seen[m.pos] {
			continue
		}
		if _, err := markers.Parse(m.text, ctmarkers.DescribesField); err != nil {
			if _, ok := s.parse(load.Marker{Text: m.text, Pos: m.pos}, ctmarkers.DescribesType, diags); !ok {
				continue
			}
		}
		name, _, _ := strings.Cut(m.text, "=")
		diags.Addf(m.pos, "%s has no effect here: write it above a root type or its status struct, and +statuspatch:observedGeneration above a field of the status", name)
	}
}
