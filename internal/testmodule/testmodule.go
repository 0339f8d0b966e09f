// Package testmodule makes Go modules for tests: with the dependencies of this
// project, so that nothing is downloaded, and with files that may be broken.
package testmodule

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Path is the path of the module.
const Path = "example.com/m"

const ownPath = "github.com/statuspatch/statuspatcher-gen"

// New makes a module with the files, by slash-separated name, in a temporary
// directory, which it returns.
func New(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Dir(strings.TrimSpace(string(out)))
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(own, name))
		if err != nil {
			t.Fatal(err)
		}
		Write(t, dir, name, strings.Replace(string(text), "module "+ownPath, "module "+Path, 1))
	}
	for name, text := range files {
		Write(t, dir, name, text)
	}
	return dir
}

// Write writes a file of a module.
func Write(t testing.TB, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Read reads a file of a module; "" if there is none.
func Read(t testing.TB, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}
