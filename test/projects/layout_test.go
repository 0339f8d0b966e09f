package projects

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statuspatch/statuspatcher-gen/internal/testmodule"
)

// names are what the controller of the test project calls generated things,
// each deliberately by the package that it is not used with.
type names struct {
	Patches string // import path above the packages of the patchers
	Imports string // of the controller's test

	Skip, Result, WithResult, WithLock, LockFields, WithObserved string
}

// copied are the names where each package has a copy of the support code.
func copied(patches string) names {
	return names{
		Patches: patches,
		Imports: "appsv1patch \"" + patches + "/apps/v1\"\n\tappsv2patch \"" + patches + "/apps/v2\"\n\tinfrav1patch \"" + patches + "/infra/v1\"",
		Skip:    "infrav1patch.SkipStatusPatch", Result: "appsv1patch.StatusPatchResult",
		WithResult: "appsv1patch.WithStatusPatchResult", WithLock: "appsv1patch.WithStatusPatchLock",
		LockFields: "appsv1patch.StatusPatchLockFields", WithObserved: "appsv2patch.WithStatusPatchObservedGeneration",
	}
}

// shared are the names where all packages import the support code.
func shared(patches, support string) names {
	return names{
		Patches: patches, Imports: "support \"" + support + "\"",
		Skip: "support.Skip", Result: "support.Result", WithResult: "support.WithResult",
		WithLock: "support.WithLock", LockFields: "support.LockFields", WithObserved: "support.WithObservedGeneration",
	}
}

func withController(t *testing.T, files map[string]string, n names) map[string]string {
	files["controller/controller.go"] = rendered(t, "controller.go.tmpl", n)
	files["controller/controller_test.go"] = rendered(t, "controller_test.go.tmpl", n)
	return files
}

const (
	patchersFile = "zz_generated.statuspatch.go"
	supportFile  = "zz_generated.statuspatch_support.go"
)

// generated returns the generated files of the project, sorted out from the rest.
func generated(files map[string]string) map[string]bool {
	out := map[string]bool{}
	for name := range files {
		if strings.HasPrefix(filepath.Base(name), "zz_generated.statuspatch") {
			out[name] = true
		}
	}
	return out
}

// TestLayouts generates for three packages in one run, in each layout, and runs
// a controller that uses the options of one package with the patchers of another.
func TestLayouts(t *testing.T) {
	const out = "example.com/m/internal/statuspatch"
	both := func(dirs ...string) map[string]bool {
		files := map[string]bool{}
		for _, d := range dirs {
			files[d+"/"+patchersFile], files[d+"/"+supportFile] = true, true
		}
		return files
	}
	single := func(support string, dirs ...string) map[string]bool {
		files := map[string]bool{support + "/" + supportFile: true}
		for _, d := range dirs {
			files[d+"/"+patchersFile] = true
		}
		return files
	}
	api := []string{"api/apps/v1", "api/apps/v2", "api/infra/v1"}
	beside := []string{"internal/statuspatch/apps/v1", "internal/statuspatch/apps/v2", "internal/statuspatch/infra/v1"}
	tests := []struct {
		name  string
		args  []string
		names names
		want  map[string]bool
	}{
		{"in the API", nil, copied("example.com/m/api"), both(api...)},
		{
			"in the API, support shared", []string{"--support-package", "example.com/m/statuspatch"},
			shared("example.com/m/api", "example.com/m/statuspatch"), single("statuspatch", api...),
		},
		{"beside the API", []string{"--output-pkg", out}, copied(out), both(beside...)},
		{
			"beside the API, support shared", []string{"--output-dir", "internal/statuspatch", "--support-package", out},
			shared(out, out), single("internal/statuspatch", beside...),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := testmodule.New(t, withController(t, archive(t, "api.txtar"), tt.names))
			args := append(tt.args, "./api/...")
			mustRun(t, dir, tool, args...)
			files := snapshot(t, dir)
			if diff := cmp.Diff(tt.want, generated(files)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if strings.HasPrefix(tt.name, "beside") {
				for name := range archive(t, "api.txtar") {
					if strings.Contains(files[name], "controller-runtime") {
						t.Errorf("%s imports controller-runtime", name)
					}
				}
			}
			checkProject(t, dir)
			mustRun(t, dir, tool, append([]string{"--verify"}, args...)...)
		})
	}
}
