package conditions_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

const apiPackage = "github.com/statuspatch/statuspatcher-gen/test/conditions/api/v1"

// newCompiler returns an importer of the API package and what it imports, as built.
func newCompiler(t *testing.T) types.Importer {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile}, apiPackage)
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	packages.Visit(loaded, nil, func(p *packages.Package) {
		for _, err := range p.Errors {
			t.Fatal(err)
		}
		exports[p.PkgPath] = p.ExportFile
	})
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
}

// errorsOf are the type errors of a function body that has a patch p of a backup.
func errorsOf(t *testing.T, c types.Importer, body string) (found []string) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "user.go", "package user\n\nimport v1 \""+apiPackage+"\"\n\nfunc set(p *v1.BackupStatusPatch, q *v1.ProbeStatusPatch) {\n"+body+"\n}\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: c, Error: func(err error) { found = append(found, err.Error()) }}
	_, _ = config.Check("user", fset, []*ast.File{file}, nil) // the errors are in found
	return found
}

// A reason that is not declared does not compile, unless the user spells it out; where
// none are declared any string is one.
func TestDeclaredReasonsAreTyped(t *testing.T) {
	c := newCompiler(t)
	for _, tt := range []struct{ name, body, want string }{
		{"a declared constant", `p.SetReadyCondition("True", v1.BackupReadyConditionReasonAllReady, "")`, ""},
		{"an untyped literal", `p.SetReadyCondition("True", "AllReady", "")`, ""},
		{"an untyped constant of the user's", "const mine = \"Mine\"\np.SetReadyCondition(\"True\", mine, \"\")", ""},
		{"a constant of the user's of the reasons' type", "const mine v1.BackupReadyConditionReason = \"Mine\"\np.SetReadyCondition(\"True\", mine, \"\")", ""},
		{"a string variable", "reason := \"Mine\"\np.SetReadyCondition(\"True\", reason, \"\")", "cannot use reason (variable of type string) as v1.BackupReadyConditionReason"},
		{"a typed constant", "const reason string = \"Mine\"\np.SetReadyCondition(\"True\", reason, \"\")", "cannot use reason (constant \"Mine\" of type string) as v1.BackupReadyConditionReason"},
		{"an error's text", "var err error\np.SetReadyCondition(\"True\", err.Error(), \"\")", "cannot use err.Error() (value of type string) as v1.BackupReadyConditionReason"},
		{"another condition's reason", `p.SetReadyCondition("True", v1.BackupEtcdHealthyConditionReasonQuorum, "")`, "cannot use v1.BackupEtcdHealthyConditionReasonQuorum (constant \"Quorum\" of string type v1.BackupEtcdHealthyConditionReason) as v1.BackupReadyConditionReason"},
		{"another type's reason", `q.SetAliveCondition("True", v1.BackupReadyConditionReasonAllReady, "", "")`, "as v1.ProbeAliveConditionReason"},
		{"message and reason swapped", "message := \"\"\np.SetReadyCondition(\"True\", message, v1.BackupReadyConditionReasonAllReady)", "cannot use message (variable of type string) as v1.BackupReadyConditionReason"},
		{"a severity left out", `q.SetAliveCondition("True", v1.ProbeAliveConditionReasonAnswered, "")`, "not enough arguments in call to q.SetAliveCondition"},
		{"none declared", "reason := \"Mine\"\np.SetPausedCondition(\"True\", reason, \"\")", ""},
		{"a member of a group has no setter of its own", `p.SetVerifiedCondition("True", "R", "")`, "has no field or method SetVerifiedCondition"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.ReplaceAll(strings.Join(errorsOf(t, c, tt.body), "\n"), strconv.Quote(apiPackage), "v1")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("errors %q, want %q", got, tt.want)
			}
		})
	}
}
