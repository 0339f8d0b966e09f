package load

import (
	"go/ast"
	"go/token"
	"sort"
	"strings"
)

// Marker is a comment line that begins with "+".
type Marker struct {
	// Text is the line from its "+" on.
	Text string
	// Pos is where the "+" is.
	Pos token.Pos
}

// TypeMarkers returns the markers of a type: those of its doc comment, and of
// the closest comment before that, as controller-tools has it.
func (d TypeDecl) TypeMarkers() []Marker {
	doc, loose := d.comments()
	return append(markersIn(loose), markersIn(doc)...)
}

// comments returns the type's doc comment and the closest one before it;
// either may be nil.
func (d TypeDecl) comments() (doc, loose *ast.CommentGroup) {
	doc, start := d.Spec.Doc, d.Spec.Pos()
	if d.Gen.Lparen == token.NoPos {
		doc, start = d.Gen.Doc, d.Gen.Pos()
	}
	if doc != nil {
		start = doc.Pos()
	}
	return doc, d.File.closest(d.previousEnd(), start)
}

// previousEnd is the end of what comes before the type in its file.
func (d TypeDecl) previousEnd() token.Pos {
	if d.Gen.Lparen != token.NoPos {
		end := d.Gen.Lparen
		for _, s := range d.Gen.Specs {
			if s == ast.Spec(d.Spec) {
				return end
			}
			end = s.End()
		}
	}
	end := d.File.AST.Name.End()
	for _, other := range d.File.AST.Decls {
		if other == ast.Decl(d.Gen) {
			break
		}
		end = other.End()
	}
	return end
}

// FieldMarkers returns the markers of a field: those of its doc comment, and
// of the closest comment before that. Comments behind a field are not its own.
func (fd *FieldDecl) FieldMarkers() []Marker {
	before := fd.Struct.Fields.Opening
	for _, f := range fd.Struct.Fields.List {
		if f == fd.Field {
			break
		}
		before = f.End()
	}
	start := fd.Field.Pos()
	if fd.Field.Doc != nil {
		start = fd.Field.Doc.Pos()
	}
	return append(markersIn(fd.File.closest(before, start)), markersIn(fd.Field.Doc)...)
}

// closest returns the last comment group between two positions, leaving out
// one that begins on the line of the first.
func (f *File) closest(after, before token.Pos) *ast.CommentGroup {
	all := f.AST.Comments
	i := sort.Search(len(all), func(i int) bool { return all[i].Pos() >= before })
	if i == 0 || all[i-1].Pos() < after {
		return nil
	}
	if g := all[i-1]; !f.trailing(after, g) {
		return g
	}
	return nil
}

// trailing tells whether g begins on the line where what is before it ends.
func (f *File) trailing(end token.Pos, g *ast.CommentGroup) bool {
	return f.line(end) == f.line(g.Pos())
}

func (f *File) line(pos token.Pos) int { return f.tokens.Line(pos) }

// PackageMarkers returns the markers that stand above the package clause of
// any file, or at the top level where they belong to no declaration.
func (p *Package) PackageMarkers() []Marker {
	var out []Marker
	for _, f := range p.Files {
		owned := f.owned()
		for _, g := range f.AST.Comments {
			if g.Pos() < f.AST.Package || !owned[g] && f.topLevel(g) {
				out = append(out, markersIn(g)...)
			}
		}
	}
	return out
}

// owned returns the comment groups that belong to declarations: doc comments,
// and the closest group before a type.
func (f *File) owned() map[*ast.CommentGroup]bool {
	owned := map[*ast.CommentGroup]bool{}
	end := f.AST.Name.End()
	for _, d := range f.AST.Decls {
		start := d.Pos()
		var doc *ast.CommentGroup
		switch d := d.(type) {
		case *ast.GenDecl:
			doc = d.Doc
			if doc != nil {
				start = doc.Pos()
			}
			if g := f.closest(end, start); g != nil && d.Tok == token.TYPE && d.Lparen == token.NoPos {
				owned[g] = true
			}
		case *ast.FuncDecl:
			doc = d.Doc
		}
		if doc != nil {
			owned[doc] = true
		}
		end = d.End()
	}
	return owned
}

// topLevel tells whether g is outside all declarations.
func (f *File) topLevel(g *ast.CommentGroup) bool {
	for _, d := range f.AST.Decls {
		if d.Pos() <= g.Pos() && g.Pos() < d.End() {
			return false
		}
	}
	return true
}

// AllMarkers returns every marker in the package's files.
func (p *Package) AllMarkers() []Marker {
	var out []Marker
	for _, f := range p.Files {
		for _, g := range f.AST.Comments {
			out = append(out, markersIn(g)...)
		}
	}
	return out
}

// markersIn returns the markers of a comment group, which may be nil. Like
// controller-tools it sees them in // comments only.
func markersIn(g *ast.CommentGroup) []Marker {
	if g == nil {
		return nil
	}
	var out []Marker
	for _, c := range g.List {
		rest, ok := strings.CutPrefix(c.Text, "//")
		if !ok {
			continue
		}
		text := strings.TrimLeft(rest, " \t")
		if !strings.HasPrefix(text, "+") {
			continue
		}
		out = append(out, Marker{
			Text: strings.TrimRight(text, " \t\r"),
			Pos:  c.Slash + token.Pos(len(c.Text)-len(text)),
		})
	}
	return out
}
