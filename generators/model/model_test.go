package model_test

import (
	"context"
	"flag"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statuspatch/statuspatcher-gen/generators/load"
	"github.com/statuspatch/statuspatcher-gen/generators/model"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestModel compares the model of a package that has a bit of everything.
func TestModel(t *testing.T) {
	prog, err := load.Load(context.Background(), load.Options{Patterns: []string{"../testdata/rich"}})
	if err != nil {
		t.Fatal(err)
	}
	pkgs := model.Build(prog, model.Options{})
	for _, d := range prog.Diags.Sorted() {
		t.Error(d)
	}
	if len(pkgs) != 1 {
		t.Fatalf("%d packages, want 1", len(pkgs))
	}
	got := dump(pkgs[0])
	golden := filepath.Join("..", "testdata", "rich", "model.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("model (-want +got):\n%s", diff)
	}
}

// dump prints a model for comparison.
func dump(p *model.Package) string {
	var b strings.Builder
	typ := func(t types.Type) string {
		return types.TypeString(t, func(o *types.Package) string {
			if o.Path() == p.Path {
				return ""
			}
			return o.Name()
		})
	}
	for _, r := range p.Roots {
		fmt.Fprintf(&b, "root %s = %s, alias %v, status %s %s (pointer %v), lock %s\n", r.Name, typ(r.Type), r.Alias, r.StatusField, r.Status.Name, r.StatusPointer, r.Lock)
		fmt.Fprintf(&b, "  resource %s.%s, cluster-scoped %v\n", r.Resource, r.APIGroup, r.ClusterScoped)
		if r.ObservedGeneration != nil {
			fmt.Fprintf(&b, "  observedGeneration %s\n", r.ObservedGeneration.Selector())
		}
		for _, l := range r.ConditionLists {
			fmt.Fprintf(&b, "  conditions at %s (%s) of %s\n", l.Path.JSON(), l.Path.Selector(), typ(l.Elem.Type))
		}
		for _, c := range r.Conditions {
			fmt.Fprintf(&b, "  condition %s: %s, %s, %s in %s, declared %v, grouped %v", c.Type, c.Setter(), c.Remover(), c.Getter(), c.List.Path.JSON(), c.Declared, c.Group != nil)
			if c.Reason != nil {
				fmt.Fprintf(&b, ", reasons %s", c.Reason.Name)
			}
			b.WriteByte('\n')
		}
		for _, g := range r.Groups {
			fmt.Fprintf(&b, "  group %s: %s, %s, struct %q\n", g.Name, g.Setter(), g.MarkComputed(), g.StructName)
			for _, m := range g.Members {
				fmt.Fprintf(&b, "    %s: %s, field %s %s, param %q, passive %v, parents %d\n", m.Written(), m.Path.Selector(), m.FieldName, typ(m.Type()), m.Param, m.Passive, len(m.Path.Parents()))
			}
		}
	}
	for _, r := range p.Reasons {
		fmt.Fprintf(&b, "reasons %s of %s: %v\n", r.Name, r.Condition, r.Reasons)
	}
	for _, s := range p.Structs {
		fmt.Fprintf(&b, "struct %s = %s, foreign %v, apimachinery %v\n", s.Name, typ(s.Type), s.Foreign, s.Apimachinery)
		for _, f := range s.Fields {
			fmt.Fprintf(&b, "  %s %q %s: %s%s\n", f.Selector, f.JSONName, typ(f.Type), shape(f.Shape), options(f))
		}
	}
	return b.String()
}

func shape(s *model.Shape) string {
	switch {
	case s.Condition != nil:
		return string(s.Kind) + "(" + s.Struct.Name + ")"
	case s.Struct != nil:
		return string(s.Kind) + "(" + s.Struct.Name + ")"
	case s.Elem != nil:
		return string(s.Kind) + "(" + shape(s.Elem) + ")"
	case s.Kind == model.Scalar:
		return s.Basic().Name()
	}
	return string(s.Kind)
}

func options(f *model.Field) string {
	var out string
	for _, o := range []struct {
		name string
		on   bool
	}{
		{"omitempty", f.OmitEmpty}, {"omitzero", f.OmitZero}, {"string", f.Quoted}, {"IsZero", f.ZeroMethod},
		{"required", f.Required}, {"optional", f.Optional}, {"nullable", f.Nullable},
		{"default " + f.Default, f.Default != ""}, {"list " + string(f.ListType), f.ListType != ""},
		{fmt.Sprint("keys ", f.ListMapKeys), len(f.ListMapKeys) > 0}, {fmt.Sprint("max ", f.MaxLength), f.MaxLength > 0},
	} {
		if o.on {
			out += ", " + o.name
		}
	}
	return out
}
