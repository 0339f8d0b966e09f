package projects

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statuspatch/statuspatcher-gen/internal/testmodule"
)

// withNestedModule makes the api directory of the project a module of its own,
// which needs apimachinery and nothing else.
func withNestedModule(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := testmodule.New(t, files)
	goMod := testmodule.Read(t, dir, "go.mod")
	testmodule.Write(t, dir, "api/go.mod", apimachineryOnly(t, goMod))
	testmodule.Write(t, dir, "api/go.sum", testmodule.Read(t, dir, "go.sum"))
	testmodule.Write(t, dir, "go.mod", goMod+"\nrequire example.com/m/api v0.0.0\n\nreplace example.com/m/api => ./api\n")
	mustRun(t, filepath.Join(dir, "api"), "go", "build", "./...") // completes its go.mod
	return dir
}

// apimachineryOnly is a go.mod for the API module, with the version that the
// root module has.
func apimachineryOnly(t *testing.T, goMod string) string {
	t.Helper()
	for line := range strings.Lines(goMod) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == "k8s.io/apimachinery" {
			return "module example.com/m/api\n\ngo 1.26.0\n\nrequire k8s.io/apimachinery " + f[1] + "\n"
		}
	}
	t.Fatal("go.mod has no k8s.io/apimachinery")
	return ""
}

// TestNestedAPIModule has the layout of projects whose API is a module without
// controller-runtime: the patchers go into the root module, and the API module
// stays as it is.
func TestNestedAPIModule(t *testing.T) {
	const out = "example.com/m/internal/statuspatch"
	dir := withNestedModule(t, withController(t, archive(t, "api.txtar"), copied(out)))
	before := snapshot(t, filepath.Join(dir, "api"))
	if strings.Contains(before["go.mod"], "controller-runtime") {
		t.Fatalf("the API module needs controller-runtime to begin with:\n%s", before["go.mod"])
	}

	mustRun(t, dir, tool, "--output-pkg", out, "example.com/m/api/...")
	checkProject(t, dir)
	if diff := cmp.Diff(before, snapshot(t, filepath.Join(dir, "api"))); diff != "" {
		t.Errorf("the API module has changed (-before +after):\n%s", diff)
	}
	mustRun(t, filepath.Join(dir, "api"), "go", "build", "-mod=readonly", "./...")

	// Without --output-pkg the code would go into a module that is not the main one.
	res, err := command(dir, tool, "example.com/m/api/apps/v1").CombinedOutput()
	if err == nil || !strings.Contains(string(res), "api/apps/v1/types.go:25:6: package example.com/m/api/apps/v1 is in module example.com/m/api, which is not the main module: write the patchers to a package of your own with --output-pkg") {
		t.Errorf("without --output-pkg: %v\n%s", err, res)
	}
	// Nor can the output go below the nested module's directory.
	res, err = command(dir, tool, "--output-pkg", "example.com/m/api/patch", "example.com/m/api/apps/v1").CombinedOutput()
	if err == nil || !strings.Contains(string(res), "--output-pkg example.com/m/api/patch is in the module of api/go.mod") {
		t.Errorf("output in the nested module: %v\n%s", err, res)
	}
	if _, err := os.Stat(filepath.Join(dir, "api", "patch")); err == nil {
		t.Error("the output directory was made all the same")
	}
}

// TestUnownedTypes generates for aliases of types of other modules, two in one
// file, in their package and beside it.
func TestUnownedTypes(t *testing.T) {
	for _, tt := range []struct {
		name, patches string
		args          []string
	}{
		{"in the package of the aliases", "example.com/m/alias", nil},
		{"beside it", "example.com/m/patch", []string{"--output-pkg", "example.com/m/patch"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := archive(t, "alias.txtar")
			maps.Copy(files, map[string]string{"use/use_test.go": rendered(t, "alias_test.go.tmpl", tt.patches)})
			dir := testmodule.New(t, files)
			mustRun(t, dir, tool, append(tt.args, "./alias")...)
			checkProject(t, dir)
		})
	}
}
