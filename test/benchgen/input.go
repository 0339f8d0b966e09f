//go:build unix

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// input is a module with packages to generate for.
type input struct {
	name     string
	dir      string
	packages []string // import paths: controller-gen loads directories one by one
}

const clusterAPIModule = "sigs.k8s.io/cluster-api/api"

// clusterAPI are the packages of Cluster API whose types have a status.
var clusterAPI = []string{
	clusterAPIModule + "/addons/v1beta2", clusterAPIModule + "/bootstrap/kubeadm/v1beta2",
	clusterAPIModule + "/controlplane/kubeadm/v1beta2",
	clusterAPIModule + "/core/v1beta2", clusterAPIModule + "/ipam/v1beta2", clusterAPIModule + "/runtime/v1beta2",
}

// makeInputs makes the modules below dir.
func makeInputs(dir string) ([]input, error) {
	capi := filepath.Join(dir, "capi")
	if err := copyClusterAPI(capi); err != nil {
		return nil, err
	}
	small := filepath.Join(dir, "small")
	packages, err := makeSmall(small)
	if err != nil {
		return nil, err
	}
	return []input{
		{fmt.Sprintf("%d packages of Cluster API", len(clusterAPI)), capi, clusterAPI},
		{"1 package with one kind", small, packages[:1]},
		{fmt.Sprintf("%d packages with one kind each", len(packages)), small, packages},
	}, nil
}

// copyClusterAPI copies Cluster API's module of API types, which test/realtypes
// requires, and marks every type that has a status.
func copyClusterAPI(to string) error {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", clusterAPIModule)
	cmd.Dir = filepath.Join("test", "realtypes")
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("finding Cluster API's module: %w", err)
	}
	from := strings.TrimSpace(string(out))
	const before = "// +kubebuilder:subresource:status\n"
	marked := 0
	err = filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		marked += strings.Count(string(text), before)
		// deepcopy-gen has a marker of its own for what controller-gen finds by another.
		source := strings.ReplaceAll(string(text), before, before+"// +statuspatch\n")
		source = strings.ReplaceAll(source, "// +kubebuilder:object:generate=true\n", "// +kubebuilder:object:generate=true\n// +k8s:deepcopy-gen=package\n")
		return os.WriteFile(filepath.Join(to, rel), []byte(source), 0o644)
	})
	if err != nil {
		return err
	}
	if marked == 0 {
		return errors.New("no type of Cluster API was marked")
	}
	return nil
}

// smallPackages is how many packages the small module has.
const smallPackages = 10

// makeSmall makes a module with this project's dependencies and ten packages
// with one kind each.
func makeSmall(dir string) ([]string, error) {
	files := map[string]string{}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files[name] = strings.Replace(string(text), "module github.com/statuspatch/statuspatcher-gen", "module example.com/small", 1)
	}
	var packages []string
	for i := range smallPackages {
		pkg := fmt.Sprintf("api%d", i)
		files[pkg+"/types.go"] = strings.Replace(kind, "package api", "package "+pkg, 1)
		packages = append(packages, "example.com/small/"+pkg)
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return packages, nil
}

const kind = `// +k8s:deepcopy-gen=package
// +kubebuilder:object:generate=true
package api

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Foo is a kind.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +statuspatch:group=replicas,readyReplicas
// +statuspatch:condition=Ready
type Foo struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Status FooStatus ` + "`json:\"status,omitempty\"`" + `
}

// FooStatus is its status.
type FooStatus struct {
	Replicas      int32 ` + "`json:\"replicas,omitempty\"`" + `
	ReadyReplicas int32 ` + "`json:\"readyReplicas,omitempty\"`" + `
	Conditions    []metav1.Condition ` + "`json:\"conditions,omitempty\"`" + `
}
`
