package load

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A pattern for a tree passes over packages that have nothing but tests, as go build
// does; naming such a package is an error.
func TestPackagesOfTestsAlone(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":              "module example.com/m\n\ngo 1.21\n",
		"api/api.go":          "package api\n",
		"test/alone_test.go":  "package alone\n",
		"test/below/below.go": "package below\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		patterns []string
		want     string
		fails    bool
	}{
		{patterns: []string{"./..."}, want: "example.com/m/api example.com/m/test/below"},
		{patterns: []string{"./api", "./test/..."}, want: "example.com/m/api example.com/m/test/below"},
		{patterns: []string{"./test"}, fails: true},
		{patterns: []string{"./...", "./test"}, fails: true},
	} {
		p, err := Load(context.Background(), Options{Dir: dir, Patterns: tt.patterns})
		if tt.fails {
			if err == nil || !strings.Contains(err.Error(), "example.com/m/test: no Go files") {
				t.Errorf("%v: error %v, want one about example.com/m/test", tt.patterns, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", tt.patterns, err)
			continue
		}
		var paths []string
		for _, r := range p.Roots {
			paths = append(paths, r.Path)
		}
		if got := strings.Join(paths, " "); got != tt.want {
			t.Errorf("%v: loaded %s, want %s", tt.patterns, got, tt.want)
		}
	}
}
