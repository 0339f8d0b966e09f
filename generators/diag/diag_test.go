package diag

import (
	"go/token"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNearest(t *testing.T) {
	fields := []string{"replicas", "readyReplicas", "updatedReplicas", "conditions", "phase", "a"}
	tests := map[string]string{
		"repicas":       "replicas",
		"relpicas":      "replicas",
		"Replicas":      "replicas",
		"readyreplicas": "readyReplicas",
		"redyReplicas":  "readyReplicas",
		"condition":     "conditions",
		"phsae":         "phase",
		"image":         "",
		"x":             "",
		"":              "",
	}
	for name, want := range tests {
		if got := Nearest(name, fields); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1},
		{"abc", "abd", 1}, {"abc", "ab", 1}, {"kitten", "sitting", 3}, {"größe", "grösse", 2}, {"ca", "abc", 3},
	}
	for _, tt := range tests {
		if got := Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	tests := []struct{ name, want string }{
		{"objct", `; did you mean "object"?`},
		{"quite different", "; known are fields, none, object"},
	}
	for _, tt := range tests {
		if got := DidYouMean(tt.name, []string{"object", "fields", "none"}); got != tt.want {
			t.Errorf("DidYouMean(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := DidYouMean("x", nil); got != "" {
		t.Errorf("DidYouMean without candidates = %q, want nothing", got)
	}
}

func TestSorted(t *testing.T) {
	l := NewList(token.NewFileSet())
	add := func(file string, line, col int, msg string) {
		l.Add(Diagnostic{Pos: token.Position{Filename: file, Line: line, Column: col}, Message: msg})
	}
	add("/b.go", 1, 1, "last")
	add("/a.go", 10, 1, "fourth")
	add("/a.go", 2, 3, "third\n\tof two lines")
	add("/a.go", 2, 1, "first")
	add("/a.go", 2, 1, "second")
	add("/a.go", 2, 1, "first")
	var got []string
	for _, d := range l.Sorted() {
		got = append(got, d.Message)
	}
	want := []string{"first", "second", "third of two lines", "fourth", "last"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Sorted (-want +got):\n%s", diff)
	}
}
