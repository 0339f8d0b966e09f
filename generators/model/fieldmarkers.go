package model

import (
	"encoding/json"
	"go/types"
	"strconv"
	"strings"

	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/statuspatch/statuspatcher-gen/generators/load"
)

// anyDefault parses the value of +kubebuilder:default, which has a syntax of
// its own beside JSON.
var anyDefault = ctmarkers.Must(ctmarkers.MakeAnyTypeDefinition("kubebuilder:default", ctmarkers.DescribesField, struct {
	Value any
}{}))

// presence is what markers say on whether a field must be there.
type presence int

const (
	unsaid presence = iota
	optional
	required
)

// applyFieldMarkers fills in what the field's markers say, and those of its
// type where it says nothing itself.
func (b *builder) applyFieldMarkers(f *Field, v *types.Var) {
	for _, m := range b.typeMarkers(f.Type) {
		applyListMarker(f, m)
	}
	var own []load.Marker
	if decl := b.prog.Field(v); decl != nil {
		own = decl.FieldMarkers()
	}
	ownList := false
	for _, m := range own {
		name, value, _ := splitMarker(m.Text)
		switch name {
		case "listMapKey", "k8s:listMapKey":
			if !ownList {
				f.ListMapKeys, ownList = nil, true
			}
		case "nullable":
			f.Nullable = true
		case "kubebuilder:default":
			f.Default = kubebuilderDefault(value)
		case "default":
			if json.Valid([]byte(value)) {
				f.Default = value
			}
		case "kubebuilder:validation:MaxLength", "k8s:maxLength":
			// A value that is no number is controller-gen's to report.
			f.MaxLength, _ = strconv.Atoi(value)
		case "kubebuilder:validation:MinLength", "k8s:minLength":
			f.MinLength, _ = strconv.Atoi(value)
		}
		applyListMarker(f, m)
	}
	said := said(own)
	f.Optional = said == optional
	f.Required = said == required || said == unsaid && !f.OmitEmpty && !f.OmitZero && !b.optionalByDefault(v.Pkg())
}

// said mirrors the order of precedence in controller-gen.
func said(ms []load.Marker) presence {
	has := map[string]bool{}
	for _, m := range ms {
		name, _, _ := splitMarker(m.Text)
		has[name] = true
	}
	switch {
	case has["kubebuilder:validation:Optional"]:
		return optional
	case has["kubebuilder:validation:Required"]:
		return required
	case has["optional"], has["k8s:optional"]:
		return optional
	case has["required"], has["k8s:required"]:
		return required
	}
	return unsaid
}

func applyListMarker(f *Field, m load.Marker) {
	name, value, _ := splitMarker(m.Text)
	switch name {
	case "listType", "k8s:listType":
		f.ListType = ListType(value)
	case "listMapKey", "k8s:listMapKey":
		f.ListMapKeys = append(f.ListMapKeys, value)
	}
}

// kubebuilderDefault returns the value of +kubebuilder:default as JSON, or ""
// where controller-gen would not understand it either.
func kubebuilderDefault(value string) string {
	v, err := anyDefault.Parse("+kubebuilder:default=" + value)
	if err != nil {
		return ""
	}
	raw, err := json.Marshal(v.(struct{ Value any }).Value)
	if err != nil {
		return ""
	}
	return string(raw)
}

// splitMarker splits "+name=value", or "+name:=value", as which old markers
// are written.
func splitMarker(text string) (name, value string, hasValue bool) {
	name, value, hasValue = strings.Cut(strings.TrimPrefix(text, "+"), "=")
	name = strings.TrimSuffix(strings.TrimSpace(name), ":")
	return name, strings.TrimSpace(value), hasValue
}

// typeMarkers returns the markers of a named type.
func (b *builder) typeMarkers(t types.Type) []load.Marker {
	var obj *types.TypeName
	switch t := t.(type) {
	case *types.Alias:
		obj = t.Obj()
	case *types.Named:
		obj = t.Obj()
	}
	if obj == nil || obj.Pkg() == nil {
		return nil
	}
	pkg := b.prog.Package(obj.Pkg().Path())
	if pkg == nil {
		return nil
	}
	decl, ok := pkg.TypeDecl(obj.Name())
	if !ok {
		return nil
	}
	return decl.TypeMarkers()
}

// optionalByDefault tells whether fields of the package are optional where
// nothing is said.
func (b *builder) optionalByDefault(tp *types.Package) bool {
	pkg := b.prog.Package(tp.Path())
	if pkg == nil {
		return false
	}
	known, ok := b.optionalPkgs[pkg]
	if !ok {
		for _, m := range pkg.PackageMarkers() {
			name, _, _ := splitMarker(m.Text)
			known = known || name == "kubebuilder:validation:Optional"
		}
		b.optionalPkgs[pkg] = known
	}
	return known
}
