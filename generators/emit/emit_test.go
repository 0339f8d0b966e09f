package emit_test

import (
	"bytes"
	"context"
	"flag"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"

	"github.com/statuspatch/statuspatcher-gen/generators"
	"github.com/statuspatch/statuspatcher-gen/generators/emit"
	"github.com/statuspatch/statuspatcher-gen/internal/testmodule"
	"github.com/statuspatch/statuspatcher-gen/templates"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// generate returns the generated files by base name.
func generate(t *testing.T, opts generators.Options) map[string][]byte {
	t.Helper()
	res, err := generators.Generate(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Diagnostics {
		t.Error(d)
	}
	out := map[string][]byte{}
	for _, f := range res.Files {
		if f.Remove {
			t.Errorf("%s is to be removed", f.Path)
		}
		out[filepath.Base(f.Path)] = f.Content
	}
	return out
}

const (
	patchers = "zz_generated.statuspatch.go"
	support  = "zz_generated.statuspatch_support.go"
)

// TestPatchers compares the generated patchers of packages that have every
// construct, and checks that the file is as gofmt writes it.
func TestPatchers(t *testing.T) {
	for _, name := range []string{"constructs", "rich"} {
		t.Run(name, func(t *testing.T) {
			files := generate(t, generators.Options{Patterns: []string{"../testdata/" + name}})
			got := files[patchers]
			golden := filepath.Join("..", "testdata", name, "patchers.golden")
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", patchers, diff)
			}
			for file, got := range files {
				formatted, err := format.Source(got)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(formatted), string(got)); diff != "" {
					t.Errorf("%s is not formatted (-gofmt +got):\n%s", file, diff)
				}
			}
		})
	}
}

// TestStable generates again and again, on one processor and on several: the
// same input gives the same bytes, wherever and whenever.
func TestStable(t *testing.T) {
	opts := generators.Options{Patterns: []string{"../testdata/constructs", "../testdata/rich"}}
	first := generate(t, opts)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 8, 1} {
		runtime.GOMAXPROCS(procs)
		if diff := cmp.Diff(first, generate(t, opts)); diff != "" {
			t.Fatalf("with GOMAXPROCS %d (-first +now):\n%s", procs, diff)
		}
	}
	for name, text := range first {
		for _, trace := range []string{runtime.Version(), "testdata", mustGetwd(t)} {
			if bytes.Contains(text, []byte(trace)) {
				t.Errorf("%s contains %q", name, trace)
			}
		}
	}
}

func mustGetwd(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// goCommand runs the go command in dir.
func goCommand(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir, "GOFLAGS=-mod=mod")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// constructs copies the package with every construct into a module of its own.
func constructs(t *testing.T) (dir, types string) {
	t.Helper()
	types = testmodule.Read(t, filepath.Join("..", "testdata", "constructs"), "types.go")
	return testmodule.New(t, map[string]string{"api/types.go": types}), types
}

// generateIn generates in a test module and writes the files.
func generateIn(t *testing.T, dir string, opts generators.Options) {
	t.Helper()
	opts.Dir = dir
	res, err := generators.Generate(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Diagnostics {
		t.Error(d)
	}
	if _, err := generators.Commit(res.Files); err != nil {
		t.Fatal(err)
	}
}

// TestVet compiles and vets generated code of every construct.
func TestVet(t *testing.T) {
	dir, _ := constructs(t)
	generateIn(t, dir, generators.Options{Patterns: []string{"./api"}})
	generateIn(t, dir, generators.Options{Patterns: []string{"./api"}, OutputPkg: "example.com/m/patch", SupportPackage: "example.com/m/statuspatch"})
	if out, err := goCommand(dir, "vet", "./..."); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

// TestDriftGuard changes a struct after its patcher was generated: the build
// must break at the guard, which says what to do.
func TestDriftGuard(t *testing.T) {
	dir, types := constructs(t)
	generateIn(t, dir, generators.Options{Patterns: []string{"./api"}})
	if errs := typeErrors(t, dir); len(errs) > 0 {
		t.Fatalf("before any change:\n%s", strings.Join(errs, "\n"))
	}
	for _, tt := range []struct{ name, old, new string }{
		{"added", "	Image    string    `json:\"image,omitempty\"`\n", "	Image    string    `json:\"image,omitempty\"`\n	Extra string\n"},
		{"removed", "	Note *string `json:\"note\"`\n", ""},
		{"retyped", "	Updated int32 `json:\"updated\"`", "	Updated int64 `json:\"updated\"`"},
		{"made a pointer", "	Ready bool   `json:\"ready,omitempty\"`", "	Ready *bool   `json:\"ready,omitempty\"`"},
		{"retagged", "	Name  string `json:\"name\"`", "	Name  string `json:\"name,omitempty\"`"},
		{"renamed in JSON", "	Severity           string        `json:\"severity,omitempty\"`", "	Severity           string        `json:\"severe,omitempty\"`"},
		{"added to an embedded struct", "	Note *string `json:\"note\"`\n", "	Note *string `json:\"note\"`\n	More int32 `json:\"more,omitempty\"`\n"},
		{"added to a condition", "	Because []Condition `json:\"because,omitempty\"`\n", "	Because []Condition `json:\"because,omitempty\"`\n	Weight  int32 `json:\"weight,omitempty\"`\n"},
		{"reordered", "	Total resource.Quantity `json:\"total,omitempty\"`\n	Free  resource.Quantity `json:\"free,omitempty\"`\n", "	Free  resource.Quantity `json:\"free,omitempty\"`\n	Total resource.Quantity `json:\"total,omitempty\"`\n"},
		{"unexported", "	Replicas           int32             `json:\"replicas,omitempty\"`\n", "	Replicas           int32             `json:\"replicas,omitempty\"`\n	seen bool\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(types, tt.old) {
				t.Fatalf("types.go lacks %q", tt.old)
			}
			testmodule.Write(t, dir, "api/types.go", strings.Replace(types, tt.old, tt.new, 1))
			errs := typeErrors(t, dir)
			if len(errs) == 0 {
				t.Fatal("it still compiles")
			}
			if !guarded(t, testmodule.Read(t, dir, "api/"+patchers), errs) {
				t.Errorf("no error is at a guard:\n%s", strings.Join(errs, "\n"))
			}
		})
	}
}

// typeErrors returns what the compiler has against ./api, with the positions.
func typeErrors(t *testing.T, dir string) []string {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo,
		Dir:  dir,
		Env:  append(os.Environ(), "PWD="+dir, "GOFLAGS=-mod=mod"),
	}, "./api")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range pkgs {
		for _, e := range p.Errors {
			out = append(out, e.Error())
		}
	}
	return out
}

// guarded tells whether one of the compiler's errors is in a declaration whose
// comment says to generate anew.
func guarded(t *testing.T, src string, errs []string) bool {
	t.Helper()
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, patchers, src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range tree.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Doc == nil || !strings.Contains(gen.Doc.Text(), "run statuspatcher-gen again") {
			continue
		}
		for line := fset.Position(gen.Pos()).Line; line <= fset.Position(gen.End()).Line; line++ {
			at := patchers + ":" + strconv.Itoa(line) + ":"
			if slices.ContainsFunc(errs, func(e string) bool { return strings.Contains(e, at) }) {
				return true
			}
		}
	}
	return false
}

// TestSupportNames checks that the names are those of the text, as the compiler
// would find them taken.
func TestSupportNames(t *testing.T) {
	for own, text := range map[bool][]byte{false: templates.SupportCopied, true: templates.SupportPackage} {
		tree, err := parser.ParseFile(token.NewFileSet(), "", append([]byte("package p\n"), text...), 0)
		if err != nil {
			t.Fatal(err)
		}
		names := emit.SupportNames(own)
		for name := range tree.Scope.Objects {
			if !slices.Contains(names, name) {
				t.Errorf("%s is missing (package of its own: %v)", name, own)
			}
		}
		want := []string{"StatusPatchClient", "SkipStatusPatch", "WithStatusPatchReader", "statusPatchRun", "client", "metav1", "rand"}
		if own {
			want = []string{"Client", "Skip", "WithReader", "Run", "client", "metav1", "rand"}
		}
		for _, name := range want {
			if !slices.Contains(names, name) {
				t.Errorf("%s is missing (package of its own: %v)", name, own)
			}
		}
	}
}
