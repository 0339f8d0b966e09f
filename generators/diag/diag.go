// Package diag holds the problems that a run of the generator finds: each has
// a position, and all of them are reported together.
package diag

import (
	"cmp"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Diagnostic is one problem. Its message says what is wrong and what to do.
type Diagnostic struct {
	// Pos is where the problem is. A Diagnostic without a file concerns the run as a whole.
	Pos token.Position
	// Message is one line, without the position.
	Message string
}

// String returns "file.go:line:col: message" with the path relative to the
// working directory where that is shorter.
func (d Diagnostic) String() string {
	if d.Pos.Filename == "" {
		return d.Message
	}
	pos := d.Pos
	pos.Filename = ShortPath(pos.Filename)
	return fmt.Sprintf("%s: %s", pos, d.Message)
}

// ShortPath returns path relative to the working directory, or path itself
// where the relative form is not shorter.
func ShortPath(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(wd, path)
	if err != nil || len(rel) >= len(path) {
		return path
	}
	return rel
}

// List collects diagnostics.
type List struct {
	fset  *token.FileSet
	items []Diagnostic
}

// NewList returns an empty list whose positions are looked up in fset.
func NewList(fset *token.FileSet) *List {
	return &List{fset: fset}
}

// Addf adds a problem at pos.
func (l *List) Addf(pos token.Pos, format string, args ...any) {
	l.Add(Diagnostic{Pos: l.fset.Position(pos), Message: fmt.Sprintf(format, args...)})
}

// Add adds d, with its message folded into one line.
func (l *List) Add(d Diagnostic) {
	d.Message = strings.Join(strings.FieldsFunc(d.Message, func(r rune) bool { return r == '\n' || r == '\t' }), " ")
	l.items = append(l.items, d)
}

// Len returns the number of problems added so far.
func (l *List) Len() int { return len(l.items) }

// Sorted returns the problems by file, line, column and message, each once.
func (l *List) Sorted() []Diagnostic {
	out := slices.Clone(l.items)
	slices.SortFunc(out, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Pos.Filename, b.Pos.Filename),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return slices.CompactFunc(out, func(a, b Diagnostic) bool {
		return a.Pos.Filename == b.Pos.Filename && a.Pos.Line == b.Pos.Line &&
			a.Pos.Column == b.Pos.Column && a.Message == b.Message
	})
}
