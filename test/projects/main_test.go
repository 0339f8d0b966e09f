// Package projects tests the command in projects of the shapes that users
// have: what it generates is compiled, vetted and run there.
package projects

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"golang.org/x/tools/txtar"

	"github.com/statuspatch/statuspatcher-gen/internal/testmodule"
)

// tool is the command, built once.
var tool string

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "projects")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	tool = filepath.Join(dir, "statuspatcher-gen")
	out, err := exec.Command("go", "build", "-o", tool, "github.com/statuspatch/statuspatcher-gen/cmd/statuspatcher-gen").CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("building the command: %w\n%s", err, out)
	}
	return m.Run(), nil
}

// mustRun runs a program in dir and returns what it prints.
func mustRun(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	out, err := command(dir, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
	return string(out)
}

func command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	// The modules of these projects are not tidy: go vet and go test may add
	// what they need to go.mod.
	cmd.Env = append(os.Environ(), "PWD="+dir, "GOFLAGS=-mod=mod", "GOWORK=off")
	return cmd
}

// archive returns the files of an archive below testdata.
func archive(t *testing.T, name string) map[string]string {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range a.Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

// rendered returns a template below testdata, filled in.
func rendered(t *testing.T, name string, data any) string {
	t.Helper()
	tmpl, err := template.ParseFiles(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := tmpl.Execute(&b, data); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// snapshot returns the files below dir with their contents.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)] = testmodule.Read(t, dir, rel)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// checkProject compiles, vets and tests everything in the module at dir.
func checkProject(t *testing.T, dir string) {
	t.Helper()
	mustRun(t, dir, "go", "vet", "./...")
	if out := mustRun(t, dir, "go", "test", "-vet=off", "./..."); !strings.Contains(out, "ok  \t") {
		t.Fatalf("no test was run:\n%s", out)
	}
}
