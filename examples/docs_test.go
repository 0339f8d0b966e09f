// Package examples_test checks that what the documents show compiles, and does what they say.
package examples_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	toolmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	"github.com/statuspatch/statuspatcher-gen/markers"
)

// documents are the README and all files of docs, by path.
func documents(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, path := range append(paths, "../README.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found[path] = string(text)
	}
	if len(found) < 6 {
		t.Fatalf("%d documents found, want the README and those of docs", len(found))
	}
	return found
}

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// Every Go block of a document stands, indentation aside, in a file that is compiled.
func TestGoBlocksAreCompiledCode(t *testing.T) {
	var sources []string
	for _, pattern := range []string{"snippets_test.go", "controller/*.go", "api/v1alpha1/*_types.go", "../test/peers/migration/*/*.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no sources at %s: %v", pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			sources = append(sources, unindented(string(text)))
		}
	}
	blocks := 0
	for path, text := range documents(t) {
		for _, match := range goBlock.FindAllStringSubmatch(text, -1) {
			blocks++
			if strings.HasPrefix(match[1], "//go:generate ") {
				continue // test/projects runs it
			}
			if !inOne(sources, match[1]) {
				t.Errorf("%s shows code that is compiled nowhere: add it to snippets_test.go, or correct it:\n%s", path, match[1])
			}
		}
	}
	if blocks < 10 {
		t.Errorf("%d Go blocks found, want those of all documents", blocks)
	}
}

// inOne tells whether a block stands in a source: in one piece, or, for lines of markers,
// each by itself.
func inOne(sources []string, block string) bool {
	pieces := []string{unindented(block)}
	if strings.Count(block, "+statuspatch") == strings.Count(block, "\n") {
		pieces = strings.SplitAfter(unindented(block), "\n")
	}
	for _, piece := range pieces {
		found := false
		for _, source := range sources {
			found = found || strings.Contains(source, piece)
		}
		if !found {
			return false
		}
	}
	return true
}

func unindented(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, "\t ")
	}
	return strings.Join(lines, "\n")
}

var marker = regexp.MustCompile(`\+statuspatch[^\s` + "`" + `|]*`)

// Every marker in a document is one that the generator reads.
func TestMarkersAreValid(t *testing.T) {
	seen := 0
	for path, text := range documents(t) {
		for _, found := range marker.FindAllString(text, -1) {
			text := strings.TrimRight(found, ".,;:)")
			if text == "+statuspatch:group" || text == "+statuspatch:condition" || text == "+statuspatch:lock" || strings.Contains(text, "…") {
				continue // its name alone
			}
			seen++
			var err error
			for _, target := range []toolmarkers.TargetType{toolmarkers.DescribesType, toolmarkers.DescribesField, toolmarkers.DescribesPackage} {
				if _, err = markers.Parse(text, target); err == nil {
					break
				}
			}
			if err != nil {
				t.Errorf("%s: %s: %v", path, text, err)
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d markers found, want those of all documents", seen)
	}
}

var link = regexp.MustCompile(`\]\(([^)]+)\)`)

// Every link to a file or a heading of this repository leads somewhere.
func TestLinksLeadSomewhere(t *testing.T) {
	all := documents(t)
	for path, text := range all {
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			target, anchor, _ := strings.Cut(match[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := path
			if target != "" {
				file = filepath.Join(filepath.Dir(path), target)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s: %v", path, match[1], err)
				continue
			}
			if anchor != "" && !hasHeading(all[file], anchor) {
				t.Errorf("%s links to %s, which has no such heading", path, match[1])
			}
		}
	}
}

func hasHeading(text, anchor string) bool {
	for _, line := range strings.Split(text, "\n") {
		heading := strings.TrimLeft(line, "#")
		if heading != line && strings.ReplaceAll(strings.ToLower(strings.TrimSpace(heading)), " ", "-") == anchor {
			return true
		}
	}
	return false
}

type apiReader struct{ client.Reader }

func (r apiReader) GetAPIReader() client.Reader { return r.Reader }

// The snippets are not only compiled: they do what the text around them says.
func TestSnippetsWork(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	pool := &v1alpha1.MachinePool{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "pool", UID: "pool", Generation: 1}}
	region := &v1alpha1.Region{ObjectMeta: metav1.ObjectMeta{Name: "region", UID: "region", Generation: 1}}
	c := fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(pool, region).WithObjects(pool, region).Build()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(c.Get(ctx, client.ObjectKeyFromObject(pool), pool))
	must(c.Get(ctx, client.ObjectKeyFromObject(region), region))

	must(writeCounters(ctx, c, pool))
	if pool.Status.Replicas != 4 || pool.Status.ReadyReplicas != 3 || pool.Status.ObservedGeneration != 1 {
		t.Errorf("counters: %+v", pool.Status)
	}
	result, err := writeWithOptions(ctx, c, apiReader{c}, pool, 5, 5, []string{"a"})
	must(err)
	if !result.Changed || result.Attempts != 1 || pool.Status.Replicas != 5 || len(pool.Status.Zones) != 1 {
		t.Errorf("options: %+v, %+v", result, pool.Status)
	}
	must(writeConditions(ctx, c, pool))
	if len(pool.Status.Conditions) != 2 || pool.Status.Phase != "Scaling" {
		t.Errorf("conditions: %+v", pool.Status)
	}
	before := pool.ResourceVersion
	must(writeConditionByHand(ctx, c, pool))
	if pool.ResourceVersion != before {
		t.Error("the same condition set by hand was written again")
	}
	must(writeDeferred(ctx, c, region, 2))
	if region.Status.Pools != 2 || len(region.Status.Conditions) != 1 || len(region.Finalizers) != 1 {
		t.Errorf("deferred: %+v", region)
	}

	pool.Generation = 2
	must(c.Update(ctx, pool))
	must(writeFailure(ctx, c, pool))
	if pool.Status.ObservedGeneration != 1 || pool.Status.Phase != "Failed" {
		t.Errorf("failure: %+v", pool.Status)
	}
}
