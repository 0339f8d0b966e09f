package projects

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"

	"github.com/statuspatch/statuspatcher-gen/internal/testmodule"
)

const ownPath = "github.com/statuspatch/statuspatcher-gen"

// released makes this checkout look released: it returns the environment in
// which the go command finds it as the latest version. The version is one of
// this test only, since a version in the module cache stays as it is.
func released(t *testing.T) []string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	version := fmt.Sprintf("v0.0.0-test.%d", time.Now().UnixNano())
	proxy := t.TempDir()
	versions := filepath.Join(proxy, filepath.FromSlash(ownPath), "@v")
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Now().UTC()})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"list":            version + "\n",
		version + ".info": string(info),
		version + ".mod":  testmodule.Read(t, root, "go.mod"),
	} {
		testmodule.Write(t, versions, name, text)
	}
	w, err := os.Create(filepath.Join(versions, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := modzip.Create(w, module.Version{Path: ownPath, Version: version}, commandFiles(t, root)); err != nil {
		t.Fatal(err)
	}
	checkZip(t, w.Name())
	t.Cleanup(func() { forget(t, version) })
	goProxy := strings.TrimSpace(mustRun(t, root, "go", "env", "GOPROXY"))
	return []string{
		"GOPROXY=file://" + filepath.ToSlash(proxy) + "," + goProxy,
		"GONOSUMDB=" + ownPath, "GONOPROXY=none", "GOFLAGS=-modcacherw", "GOWORK=off", "GIT_TERMINAL_PROMPT=0",
	}
}

// commandFiles lists the files that the command is built from.
func commandFiles(t *testing.T, root string) []modzip.File {
	t.Helper()
	var files []modzip.File
	for _, dir := range []string{"go.mod", "go.sum", "LICENSE", "cmd", "generators", "markers", "templates"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(root, name)
			files = append(files, zipFile{filepath.ToSlash(rel), name})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// zipFile is a file of this checkout, as package zip wants it.
type zipFile struct{ inModule, onDisk string }

func (f zipFile) Path() string                 { return f.inModule }
func (f zipFile) Lstat() (os.FileInfo, error)  { return os.Lstat(f.onDisk) }
func (f zipFile) Open() (io.ReadCloser, error) { return os.Open(f.onDisk) }

// forget removes the version from the module cache.
func forget(t *testing.T, version string) {
	cache := strings.TrimSpace(mustRun(t, ".", "go", "env", "GOMODCACHE"))
	names, err := filepath.Glob(filepath.Join(cache, "cache", "download", filepath.FromSlash(ownPath), "@v", version+".*"))
	if err != nil {
		t.Error(err)
	}
	for _, name := range append(names, filepath.Join(cache, filepath.FromSlash(ownPath)+"@"+version)) {
		if err := os.RemoveAll(name); err != nil {
			t.Error(err)
		}
	}
}

func checkZip(t *testing.T, name string) {
	t.Helper()
	r, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, f := range r.File {
		if path.Base(f.Name) == "support_copied.go.txt" {
			return
		}
	}
	t.Fatal("the module's zip lacks the support code")
}

var fenced = regexp.MustCompile("(?ms)^[ \t]*```(\\w+)\n(.*?)^[ \t]*```$")

// blocks returns the fenced blocks of a document in a language, in order.
func blocks(t *testing.T, name, language string) []string {
	t.Helper()
	text := testmodule.Read(t, filepath.Join("..", "..", "docs"), name)
	var out []string
	for _, m := range fenced.FindAllStringSubmatch(text, -1) {
		if m[1] == language {
			out = append(out, m[2])
		}
	}
	if len(out) == 0 {
		t.Fatalf("docs/%s has no block in %s", name, language)
	}
	return out
}

// shell runs a script as a reader of the documents would paste it.
func shell(t *testing.T, dir string, env []string, script string) string {
	t.Helper()
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "PWD="+dir), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	return string(out)
}

// TestGettingStarted follows docs/getting-started.md in an empty folder, word
// for word, and then docs/ci.md in the project that came of it.
func TestGettingStarted(t *testing.T) {
	env := released(t)
	dir := t.TempDir()
	start := time.Now()
	out := shell(t, dir, env, strings.Join(blocks(t, "getting-started.md", "sh"), "\n"))
	if !strings.Contains(out, "ok  \texample.com/widgets/api/v1") {
		t.Errorf("no test was run:\n%s", out)
	}
	t.Logf("getting started took %s", time.Since(start).Round(time.Second))
	if strings.Contains(testmodule.Read(t, dir, "go.mod"), ownPath) {
		t.Error("the project needs this module")
	}

	// The line for a kubebuilder Makefile, word for word but for the tab.
	testmodule.Write(t, dir, "hack/boilerplate.go.txt", "// Licensed.\n")
	for _, line := range blocks(t, "getting-started.md", "make") {
		shell(t, dir, env, strings.TrimSpace(line))
	}
	if text := testmodule.Read(t, dir, "api/v1/"+patchersFile); !strings.Contains(text, "\n// Licensed.\n") {
		t.Errorf("the line of the Makefile did not write the file:\n%.300s", text)
	}
	shell(t, dir, env, "rm -r hack && go run "+ownPath+"/cmd/statuspatcher-gen@latest ./api/...")

	before := testmodule.Read(t, dir, "go.mod")
	testmodule.Write(t, dir, "api/v1/generate.go", "package v1\n\n"+strings.Join(blocks(t, "ci.md", "go"), ""))
	checks := blocks(t, "ci.md", "sh")
	shell(t, dir, env, strings.Join(checks, "\n"))
	if diff := cmp.Diff(before, testmodule.Read(t, dir, "go.mod")); diff != "" {
		t.Errorf("go.mod has changed (-before +after):\n%s", diff)
	}

	// The checks fail where a type has changed, and pass where it was generated anew.
	types := testmodule.Read(t, dir, "api/v1/widget_types.go")
	testmodule.Write(t, dir, "api/v1/widget_types.go", strings.Replace(types, "	Phase ", "	Reason string `json:\"reason,omitempty\"`\n	Phase ", 1))
	hook := exec.Command(filepath.Join(dir, ".git", "hooks", "pre-commit"))
	hook.Dir, hook.Env = dir, append(append(os.Environ(), "PWD="+dir), env...)
	if out, err := hook.CombinedOutput(); err == nil || !strings.Contains(string(out), "generated files are out of date") {
		t.Errorf("the hook lets a stale file pass: %v\n%s", err, out)
	}
	shell(t, dir, env, "go generate ./... && .git/hooks/pre-commit && go build ./...")

	// In the style of kube_codegen.sh.
	testmodule.Write(t, dir, "hack/boilerplate.go.txt", "// Licensed.\n")
	shell(t, dir, env, "SCRIPT_ROOT=.\n"+strings.Join(blocks(t, "ci.md", "bash"), "\n"))
	if text := testmodule.Read(t, dir, "api/v1/"+patchersFile); !strings.Contains(text, "\n// Licensed.\n") {
		t.Errorf("hack/update-codegen.sh did not write the file:\n%.300s", text)
	}
}
