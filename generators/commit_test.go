package generators

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, name, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
}

// listing returns the files of a directory with their modes and contents.
func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		info, err := os.Lstat(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		out[filepath.ToSlash(rel)] = info.Mode().String() + " " + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCommit(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("same.go"), "same", 0o600)
	write(t, at("changed.go"), "old", 0o640)
	write(t, at("stale.go"), "old", 0o644)
	write(t, at("target.go"), "old", 0o644)
	if err := os.Symlink("target.go", at("link.go")); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(at("same.go"))
	if err != nil {
		t.Fatal(err)
	}
	changed, err := Commit([]File{
		{Path: at("same.go"), Content: []byte("same")},
		{Path: at("changed.go"), Content: []byte("new")},
		{Path: at("sub/dir/new.go"), Content: []byte("new")},
		{Path: at("link.go"), Content: []byte("new")},
		{Path: at("stale.go"), Remove: true},
		{Path: at("gone.go"), Remove: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	wantChanged := []string{at("changed.go"), at("sub/dir/new.go"), at("link.go"), at("stale.go"), at("gone.go")}
	if diff := cmp.Diff(set(wantChanged), set(changed)); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	want := map[string]string{
		"same.go":        "-rw------- same",
		"changed.go":     "-rw-r----- new",
		"sub/dir/new.go": "-rw-r--r-- new",
		"link.go":        "Lrwxrwxrwx new",
		"target.go":      "-rw-r--r-- new",
	}
	if diff := cmp.Diff(want, listing(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	after, err := os.Stat(at("same.go"))
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Error("a file that has its content already was written")
	}
}

// TestCommitFails checks that an error leaves every file as it was.
func TestCommitFails(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("a.go"), "old", 0o644)
	write(t, at("file"), "no directory", 0o644)
	write(t, at("stale.go"), "old", 0o644)
	before := listing(t, dir)
	_, err := Commit([]File{
		{Path: at("a.go"), Content: []byte("new")},
		{Path: at("stale.go"), Remove: true},
		{Path: at("file/b.go"), Content: []byte("new")},
	})
	if err == nil {
		t.Fatal("no error although a directory cannot be made")
	}
	if diff := cmp.Diff(before, listing(t, dir)); diff != "" {
		t.Errorf("files (-before +after):\n%s", diff)
	}
}

func TestDiff(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "same.go", "same\n", 0o644)
	write(t, "changed.go", "a\nb\nc\n", 0o644)
	write(t, "stale.go", "old\n", 0o644)
	got, err := Diff([]File{
		{Path: filepath.Join(dir, "same.go"), Content: []byte("same\n")},
		{Path: filepath.Join(dir, "changed.go"), Content: []byte("a\nB\nc\n")},
		{Path: filepath.Join(dir, "new.go"), Content: []byte("new\n")},
		{Path: filepath.Join(dir, "stale.go"), Remove: true},
		{Path: filepath.Join(dir, "gone.go"), Remove: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `--- a/changed.go
+++ b/changed.go
@@ -1,3 +1,3 @@
 a
-b
+B
 c
--- /dev/null
+++ b/new.go
@@ -0,0 +1 @@
+new
--- a/stale.go
+++ /dev/null
@@ -1 +0,0 @@
-old
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Diff (-want +got):\n%s", diff)
	}
}

func set(names []string) map[string]bool {
	out := map[string]bool{}
	for _, n := range names {
		out[n] = true
	}
	return out
}

func TestCheckOutputFile(t *testing.T) {
	for name, ok := range map[string]bool{
		"zz_generated.statuspatch.go": true, "x.go": true,
		"dir/x.go": false, "x.txt": false, "x_test.go": false, "_x.go": false, ".x.go": false, "": false, "..": false,
	} {
		if err := CheckOutputFile(name); (err == nil) != ok {
			t.Errorf("CheckOutputFile(%q) = %v", name, err)
		}
	}
}
