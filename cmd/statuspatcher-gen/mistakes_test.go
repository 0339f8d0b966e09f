package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/statuspatch/statuspatcher-gen/internal/testmodule"
)

// mistake is a package with something wrong in it: the package of a root type
// Foo, with what is given put in its place.
type mistake struct {
	name    string
	marks   string // above Foo; by default +statuspatch
	imports string
	fields  string // of FooStatus
	status  string // the type of Foo's status
	more    string // at the end of the file
	whole   string // instead of the file
	files   map[string]string
}

// mistakes are what people may get wrong, each in a package of its own.
var mistakes = []mistake{
	{name: `group without value`, marks: `// +statuspatch:group=`},
	{name: `group of one`, marks: `// +statuspatch:group=replicas`},
	{name: `member twice`, marks: `// +statuspatch:group=replicas,readyReplicas,replicas`},
	{name: `condition without value`, marks: `// +statuspatch:condition=`},
	{name: `condition with a status`, marks: `// +statuspatch:condition=Ready:True`},
	{name: `reasons with a comma`, marks: `// +statuspatch:condition:type=Ready,reasons=A,B`},
	{name: `open quote`, marks: `// +statuspatch:condition:type="Ready`},
	{name: `list ends with a semicolon`, marks: `// +statuspatch:group:fields=replicas;readyReplicas;`},
	{name: `path from the root`, marks: `// +statuspatch:group=status.replicas,status.readyReplicas`},
	{name: `path begins with a dot`, marks: `// +statuspatch:group=.replicas,readyReplicas`},
	{name: `path into the spec`, marks: `// +statuspatch:group=spec.replicas,readyReplicas`},
	{name: `condition member twice`, marks: `// +statuspatch:group=conditions[Ready],conditions[Ready]`},
	{name: `condition member without a type`, marks: `// +statuspatch:group=conditions[],replicas`},
	{name: `open bracket`, marks: `// +statuspatch:group=conditions[Ready,replicas`},
	{name: `semicolon for a comma`, marks: `// +statuspatch:group=replicas;readyReplicas`},
	{name: `two locks`, marks: `// +statuspatch:lock=object
// +statuspatch:lock=fields`},
	{name: `marker in capitals`, marks: `// +StatusPatch`},
	{name: `marker name in capitals`, marks: `//+statuspatch:Group=replicas,readyReplicas`},
	{name: `space after the plus`, marks: `// + statuspatch`},
	{name: `dot for a colon`, marks: `// +statuspatch.group=replicas,readyReplicas`},
	{name: `lock without value`, marks: `// +statuspatch:lock`},
	{name: `lock with empty value`, marks: `// +statuspatch:lock=`},
	{name: `observed path from the root`, marks: `// +statuspatch:observedGeneration=status.observedGeneration`},
	{name: `observed path to a list`, marks: `// +statuspatch:observedGeneration=conditions`},
	{name: `two names, one tag`, fields: "// +statuspatch:observedGeneration\n\tA, B int64 `json:\"a\"`"},
	{name: `observed pointer`, fields: "// +statuspatch:observedGeneration\n\tG *int64 `json:\"g,omitempty\"`"},
	{name: `interface with methods`, fields: "X interface{ Foo() } `json:\"x\"`"},
	{name: `map of anything`, fields: "X map[string]interface{} `json:\"x\"`"},
	{name: `list of anything`, fields: "X []any `json:\"x\"`"},
	{name: `map by bool`, fields: "X map[bool]string `json:\"x\"`"},
	{name: `unknown type, three times`, fields: "X Missing `json:\"x\"`\n\tY Missing `json:\"y\"`\n\tZ []Missing `json:\"z\"`"},
	{name: `member of unknown type`, marks: `// +statuspatch:group=x,replicas`, fields: "X *Missing `json:\"x\"`"},
	{name: `unknown package`, fields: "X unknown.Type `json:\"x\"`"},
	{name: `import of a package that is not there`, imports: `"example.com/m/nope"`, fields: "X nope.Type `json:\"x\"`"},
	{name: `import of an unknown module`, imports: `"example.com/nope"`, fields: "X nope.Type `json:\"x\"`\n\tY nope.Other `json:\"y\"`"},
	{name: `status is a list`, status: `[]FooStatus`},
	{name: `status is a map`, status: `map[string]string`},
	{name: `status is a double pointer`, status: `**FooStatus`},
	{name: `status is anything`, status: `interface{}`},
	{name: `status of unknown type`, status: `Missing`},
	{name: `status is a string`, status: `string`},
	{name: `type declared twice`, more: `type FooStatus struct{}`},
	{name: `struct not closed`, more: `type Bar struct {`},
	{name: `patcher written by hand`, more: `func PatchFooStatus() {}
type FooStatusPatch int
func NewFooStatusPatcher() {}
type FooStatusPatcher int`},
	{name: `names of imports taken`, more: `var client = 1
var errors = 2
var schema = 3`},
	{name: `name taken in a test`, files: map[string]string{"x_test.go": `package PKG

import "testing"

func PatchFooStatus(t *testing.T) {}
`}},
	{name: `name taken on another platform`, files: map[string]string{"x_windows.go": `package PKG

type StatusPatchClient int
`}},
	{name: `two package names`, files: map[string]string{"other.go": `package different
`}},
	{name: `syntax error in another file`, files: map[string]string{"bad.go": `package PKG

func (
`}},
	{name: `empty file`, whole: " "},
	{name: `no Go`, whole: `this is not go
`},
	{name: `marked int`, whole: `package PKG

import "C"

// +statuspatch
type X int
`},
	{name: `unsafe pointer`, imports: `"unsafe"`, fields: "X unsafe.Pointer `json:\"x\"`"},
	{name: `same JSON name`, fields: "X int32 `json:\"replicas\"`"},
	{name: `tag not closed`, fields: "X int32 `json:\"x`"},
	{name: `tag not quoted`, fields: `X int32 json:"x"`},
	{name: `structs embed each other`, fields: "Inner `json:\",inline\"`", more: "type Inner struct { Inner2 `json:\",inline\"` }\ntype Inner2 struct { Inner `json:\",inline\"` }"},
	{name: `struct holds itself`, fields: "X Rec `json:\"x\"`", more: "type Rec struct { R Rec `json:\"r\"` }"},
	{name: `type argument unknown`, fields: "X G[Missing] `json:\"x\"`", more: "type G[T any] struct { V T `json:\"v\"` }"},
	{name: `generic without argument`, fields: "X G `json:\"x\"`", more: "type G[T any] struct { V T `json:\"v\"` }"},
	{name: `conditions differ in case only`, marks: `// +statuspatch:condition=Ready
// +statuspatch:condition:type=ready`},
	{name: `name with a space`, marks: `// +statuspatch:condition:type=Ready,name=Rea dy`},
	{name: `reason with a hyphen`, marks: `// +statuspatch:condition:type=Ready,reasons=A-B;C`},
	{name: `reasons with one constant`, marks: `// +statuspatch:condition:type=Ready,reasons=A_B;A:B;AB`},
	{name: `group named condition`, marks: `// +statuspatch:condition=Object
// +statuspatch:group:name=condition,fields=replicas;readyReplicas`},
	{name: `member in two groups`, marks: `// +statuspatch:group:name=x,fields=replicas;readyReplicas
// +statuspatch:group:name=y,fields=replicas;a`, fields: "A int `json:\"a\"`"},
	{name: `type marker on a field`, fields: "// +statuspatch\n\tA int `json:\"a\"`"},
	{name: `observedGenerations`, fields: "// +statuspatch:observedGenerations\n\tA int64 `json:\"a\"`"},
	{name: `marker behind a field`, fields: "A int64 `json:\"a\"` // +statuspatch:observedGeneration"},
	{name: `markers on a variable and a function`, more: `// +statuspatch
var x = 1

// +statuspatch:group=a,b
func f() {}`},
	{name: `marked interface and func`, more: `// +statuspatch
type I interface{}
// +statuspatch
type F func()`},
	{name: `alias of an unknown type`, more: `// +statuspatch
type N = Missing`},
	{name: `alias of a mistyped type`, imports: `corev1 "k8s.io/api/core/v1"`, more: `// +kubebuilder:subresource:status
// +statuspatch:condition=Ready
type Pod = corev1.Podd`},
	{name: `alias of a list`, imports: `corev1 "k8s.io/api/core/v1"`, more: `// +kubebuilder:subresource:status
// +statuspatch
type PodList = corev1.PodList`},
	{name: `Go names and snake case`, marks: `// +statuspatch:group=Replicas,ready_replicas`},
	{name: `path with a typo`, marks: `// +statuspatch:condition:type=Ready,path=conditons`},
	{name: `path with a condition`, marks: `// +statuspatch:condition:type=Ready,path=conditions[Ready]`},
	{name: `condition without type`, marks: `// +statuspatch:condition:path=conditions`},
	{name: `empty argument`, marks: `// +statuspatch:group:name=,fields=replicas;readyReplicas`},
	{name: `space after a colon`, marks: `// +statuspatch: group=replicas,readyReplicas`},
	{name: `space before the equals sign`, marks: `// +statuspatch:group = replicas,readyReplicas`},
	{name: `marker over two lines`, marks: `// +statuspatch:group=replicas,
// readyReplicas`},
	{name: `dot in a JSON name`, marks: `// +statuspatch:group=a.b,c`, fields: "AB struct{ X int `json:\"x\"` } `json:\"a.b\"`\n\tC int `json:\"c\"`"},
	{name: `package without types`, whole: `package PKG

// +statuspatch=package
`},
	{name: `package mark without a subresource`, whole: "// +statuspatch=package\npackage PKG\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n// A is.\ntype A struct {\n\tmetav1.TypeMeta\n\tmetav1.ObjectMeta\n\tStatus S `json:\"status\"`\n}\n\ntype S struct{ X int `json:\"x\"` }\n"},
	{name: `generic root`, whole: "package PKG\n\nimport (\n\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n)\n\n// G is generic.\n// +kubebuilder:subresource:status\n// +statuspatch\ntype G[T any] struct {\n\tmetav1.TypeMeta\n\tmetav1.ObjectMeta\n\tStatus S[T] `json:\"status\"`\n}\n\ntype S[T any] struct{ X T `json:\"x\"` }\n"},
	{name: `comment behind members`, marks: `// +statuspatch:group=replicas,readyReplicas // the counters`},
	{name: `comment behind a condition`, marks: `// +statuspatch:condition=Ready // doc`},
	{name: `text behind the marker`, marks: `// +statuspatch # comment`},
	{name: `file by hand in the way`, files: map[string]string{"zz_generated.statuspatch.go": `package PKG

type Mine int
`}},
	{name: `types without JSON`, fields: "E error `json:\"e\"`\n\tC complex64 `json:\"c\"`\n\tU uintptr `json:\"u\"`\n\tCh <-chan int `json:\"ch\"`"},
	{name: `anonymous status`, status: "struct{ A int `json:\"a\"` }"},
	{name: `status with MarshalJSON`, more: `func (FooStatus) MarshalJSON() ([]byte, error) { return nil, nil }`},
	{name: `status with MarshalText`, more: `func (*FooStatus) MarshalText() ([]byte, error) { return nil, nil }`},
}

var word = regexp.MustCompile(`\w+`)

// pkg is the name of the mistake's package.
func (m mistake) pkg() string {
	return strings.ToLower(strings.Join(word.FindAllString(m.name, -1), ""))
}

// sources are the files of the mistake's package.
func (m mistake) sources() map[string]string {
	or := func(s, otherwise string) string {
		if s == "" {
			return otherwise
		}
		return s
	}
	types := fmt.Sprintf(`package PKG

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	%s
)

// Foo is a root type.
// +kubebuilder:subresource:status
%s
type Foo struct {
	metav1.TypeMeta   `+"`json:\",inline\"`"+`
	metav1.ObjectMeta `+"`json:\"metadata,omitempty\"`"+`

	Status %s `+"`json:\"status,omitempty\"`"+`
}

// FooStatus is its status.
type FooStatus struct {
	Replicas      int32              `+"`json:\"replicas,omitempty\"`"+`
	ReadyReplicas int32              `+"`json:\"readyReplicas,omitempty\"`"+`
	Conditions    []metav1.Condition `+"`json:\"conditions,omitempty\"`"+`
	%s
}

%s
`, m.imports, or(m.marks, "// +statuspatch"), or(m.status, "FooStatus"), m.fields, m.more)
	out := map[string]string{"types.go": or(m.whole, types)}
	for name, text := range m.files {
		out[name] = text
	}
	for name, text := range out {
		out[name] = strings.ReplaceAll(text, "package PKG", "package "+m.pkg())
	}
	return out
}

// TestMistakes runs the command once over all packages with mistakes. Each of
// them has lines of its own in the golden file; nothing may be written.
func TestMistakes(t *testing.T) {
	files := map[string]string{}
	for _, m := range mistakes {
		for name, text := range m.sources() {
			file := m.pkg() + "/" + name
			if files[file] != "" {
				t.Fatalf("two mistakes have the package %s", m.pkg())
			}
			files[file] = text
		}
	}
	dir := testmodule.New(t, files)
	res := runTool(t, dir, "./...")
	if res.code != exitProblems || res.stdout != "" {
		t.Errorf("exit %d, stdout %q", res.code, res.stdout)
	}
	compareGolden(t, filepath.Join("testdata", "mistakes.txt"), res.stderr)
	for _, m := range mistakes {
		if !strings.Contains(res.stderr, "\n"+m.pkg()+"/") && !strings.HasPrefix(res.stderr, m.pkg()+"/") {
			t.Errorf("%s: nothing is reported", m.name)
		}
		for _, name := range []string{patchers, support} {
			if got := testmodule.Read(t, dir, m.pkg()+"/"+name); got != m.sources()[name] {
				t.Errorf("%s: %s was written", m.name, name)
			}
		}
	}
	position := regexp.MustCompile(`^[\w./]+\.go:[0-9]+:[0-9]+: \S`)
	for line := range strings.Lines(res.stderr) {
		if !position.MatchString(line) {
			t.Errorf("no position: %s", line)
		}
	}
}

// compareGolden compares text with a golden file.
func compareGolden(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", golden, diff)
	}
}
