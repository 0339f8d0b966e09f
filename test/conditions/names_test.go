package conditions_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statuspatch/statuspatcher-gen/generators"
)

// diagnose generates for a type with these markers and returns the problems, as
// LINE:COLUMN: message, the line being counted from the first marker.
func diagnose(t *testing.T, markers ...string) []string {
	t.Helper()
	dir, err := os.MkdirTemp("testdata", "names-") // within this module, for its dependencies
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	const head = `// Package api has conditions.
package api

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Foo is a root type.
// +kubebuilder:subresource:status
`
	source := head + "// " + strings.Join(markers, "\n// ") + `
type Foo struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Status FooStatus ` + "`json:\"status,omitempty\"`" + `
}

// FooStatus is its status.
type FooStatus struct {
	Replicas   int32              ` + "`json:\"replicas,omitempty\"`" + `
	Conditions []metav1.Condition ` + "`json:\"conditions,omitempty\"`" + `
	More       []metav1.Condition ` + "`json:\"more,omitempty\"`" + `
}

// DeepCopyObject is here so that the package compiles.
func (f *Foo) DeepCopyObject() any { return f }

// FooTakenConditionReason is taken.
type FooTakenConditionReason string
`
	if err := os.WriteFile(filepath.Join(dir, "api.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	result, err := generators.Generate(context.Background(), generators.Options{Patterns: []string{"./" + dir}})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range result.Diagnostics {
		out = append(out, strings.ReplaceAll(d.String(), dir+string(filepath.Separator), ""))
	}
	return out
}

// update writes what is found into the golden files.
var update = flag.Bool("update", false, "write the golden files anew")

// Names of conditions that are no identifiers, or clash with what else is generated, are
// errors at the marker that say what to do; name= is what they say. What each row gives
// is in the golden file, from which "fine" is told apart.
func TestNames(t *testing.T) {
	var got strings.Builder
	for _, markers := range [][]string{
		{"+statuspatch:condition=example.com/Synced"},
		{"+statuspatch:condition:type=example.com/Synced,name=Synced,reasons=A;B"},
		{"+statuspatch:condition:type=EtcdCluster.Healthy"},
		{"+statuspatch:condition:type=EtcdCluster.Healthy,name=EtcdHealthy"},
		{"+statuspatch:condition=2-fast"},
		{"+statuspatch:condition:type=Ready,name=not-so"},
		{"+statuspatch:condition=Ready", "+statuspatch:condition:type=Ready,path=more"},
		{"+statuspatch:condition=Ready", "+statuspatch:condition:type=Ready,path=more,name=MoreReady"},
		{"+statuspatch:condition=Ready", "+statuspatch:condition:type=Ready,name=Other"},
		{"+statuspatch:condition=Foo.Bar", "+statuspatch:condition:type=example.com/FooBar,name=FooBar", "+statuspatch:condition:type=FooBar"},
		{"+statuspatch:condition:type=Ready,reasons=A:B;AB"},
		{"+statuspatch:condition:type=Taken,reasons=A"},
		{"+statuspatch:condition=Taken"},
		{"+statuspatch:condition:type=Ready,name=ready", "+statuspatch:group:name=readyCondition,fields=replicas;conditions[Other]"},
		{"+statuspatch:condition=-Ready"},
		{"+statuspatch:condition:type=Ready,reasons=Fine;Not fine;Done:;Fine"},
	} {
		fmt.Fprintln(&got, strings.Join(markers, "\n"))
		problems := diagnose(t, markers...)
		if len(problems) == 0 {
			fmt.Fprintln(&got, "  fine")
		}
		for _, problem := range problems {
			fmt.Fprintln(&got, " ", problem)
		}
	}
	golden := filepath.Join("testdata", "names.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("not as in %s (-want +got); -update writes it anew:\n%s", golden, diff)
	}
}
