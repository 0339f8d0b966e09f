package examples_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// literals are the texts in the Go files of a folder and those below, tests aside.
func literals(t *testing.T, root string, keep func(ast.Node) bool) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == "testdata" {
			return filepath.SkipDir
		}
		if entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if !keep(n) {
				return true
			}
			ast.Inspect(n, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					text, err := strconv.Unquote(lit.Value)
					if err != nil {
						t.Fatal(err)
					}
					found = append(found, text)
				}
				return true
			})
			return false
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// makesError tells whether a node is a call that makes an error from a text.
func makesError(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (name.Sel.Name == "Errorf" || name.Sel.Name == "New" || name.Sel.Name == "fail")
}

var (
	verb = regexp.MustCompile(`%[a-zA-Z]`)
	// varying is what differs from one error to the next in the headings of the document.
	varying = regexp.MustCompile(`…|"[^"]*"|\d+|status\.phase|\bFoo\b|\b403 Forbidden\b`)
	code    = regexp.MustCompile("`([^`]+)`")
)

// fragments are the parts of a text between what varies, those that say something.
func fragments(text string, cut *regexp.Regexp) []string {
	var parts []string
	for _, part := range cut.Split(text, -1) {
		if part = strings.Trim(part, " :;,()"); len(part) > 3 {
			parts = append(parts, part)
		}
	}
	return parts
}

func readTroubleshooting(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../docs/troubleshooting.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every error that the document lists is one that this project makes.
func TestErrorsInTheDocumentExist(t *testing.T) {
	all := func(n ast.Node) bool { _, is := n.(*ast.BasicLit); return is }
	known := []string{"context canceled", "context deadline exceeded", "not found"} // of others
	for _, root := range []string{"../templates/statuspatch", "../generators", "../cmd"} {
		known = append(known, literals(t, root, all)...)
	}
	checked := 0
	for _, line := range strings.Split(readTroubleshooting(t), "\n") {
		if !strings.HasPrefix(line, "### ") {
			continue
		}
		for _, match := range code.FindAllStringSubmatch(line, -1) {
			for _, part := range fragments(match[1], varying) {
				checked++
				if !occurs(known, part) {
					t.Errorf("the document lists %q, and no error says %q", match[1], part)
				}
			}
		}
	}
	if checked < 20 {
		t.Errorf("%d texts checked, want those of all headings", checked)
	}
}

func occurs(texts []string, part string) bool {
	for _, text := range texts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// Every error that a patcher makes is in the document.
func TestErrorsOfThePatcherAreInTheDocument(t *testing.T) {
	document := readTroubleshooting(t)
	checked := 0
	for _, text := range literals(t, "../templates/statuspatch", makesError) {
		parts := fragments(text, verb)
		if len(parts) == 0 || text == "patch status of %s: %w" || text == "patch status of %s %s: %w" {
			continue
		}
		checked++
		found := false
		for _, part := range parts {
			words := strings.Fields(part)
			found = found || strings.Contains(document, strings.Join(words[:min(3, len(words))], " "))
		}
		if !found {
			t.Errorf("docs/troubleshooting.md does not say what to do about %q", text)
		}
	}
	if checked < 20 {
		t.Errorf("%d errors found, want all", checked)
	}
}
