package load

import (
	"go/ast"
	"go/token"
	"strconv"
)

// GroupName returns the API group that the package's source gives by the
// usual conventions, for packages without a +groupName: a constant GroupName,
// or the Group of a GroupVersion. It is "" where neither is plain to see.
func (p *Package) GroupName() string {
	if v := p.value("GroupName"); v != nil {
		return stringLiteral(v)
	}
	for _, name := range []string{"GroupVersion", "SchemeGroupVersion"} {
		lit, ok := p.value(name).(*ast.CompositeLit)
		if !ok {
			continue
		}
		for _, e := range lit.Elts {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Group" {
				return stringLiteral(kv.Value)
			}
		}
	}
	return ""
}

// value returns what the constant or variable is declared as, or nil.
func (p *Package) value(name string) ast.Expr {
	for _, d := range p.decls[name] {
		spec, ok := d.spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, id := range spec.Names {
			if id.Name == name && i < len(spec.Values) {
				return spec.Values[i]
			}
		}
	}
	return nil
}

func stringLiteral(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return s
}
