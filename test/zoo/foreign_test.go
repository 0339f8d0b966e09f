package zoo_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	zoov1 "github.com/statuspatch/statuspatcher-gen/test/zoo/api/v1"
)

// newerSchema is a schema of a CRD that a newer version of the API changed.
func newerSchema(t *testing.T, file string, change func(status *apiextensionsv1.JSONSchemaProps)) *crdSchema {
	t.Helper()
	raw, err := os.ReadFile("crd/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(raw, &crd); err != nil {
		t.Fatal(err)
	}
	status := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["status"]
	change(&status)
	crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["status"] = status
	sch, err := newSchema(crd.Spec.Versions[0].Schema)
	if err != nil {
		t.Fatal(err)
	}
	return sch
}

// addForeign gives each object of a schema that has properties one more, lists aside.
func addForeign(s *apiextensionsv1.JSONSchemaProps) {
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		addForeign(s.AdditionalProperties.Schema)
	}
	if len(s.Properties) == 0 {
		return
	}
	for name, property := range s.Properties {
		addForeign(&property)
		s.Properties[name] = property
	}
	s.Properties["foreign"] = apiextensionsv1.JSONSchemaProps{Type: "string"}
}

// plant puts a foreign key into each object of a status whose schema has one.
func plant(tree map[string]any, sch *crdSchema, path []string) {
	s := sch.structural.Properties["status"]
	at := &s
	for _, name := range path {
		if at = propertyOf(at, name); at == nil {
			return
		}
	}
	if _, ok := at.Properties["foreign"]; ok {
		tree["foreign"] = strings.Join(path, ".")
	}
	for name, value := range tree {
		if below, ok := value.(map[string]any); ok {
			plant(below, sch, append(path[:len(path):len(path)], name))
		}
	}
}

// What this Go type does not know stays where the struct that holds it stays.
func TestForeignKeysSurvive(t *testing.T) {
	sch := newerSchema(t, zoos.crd, addForeign)
	for _, lock := range locks {
		t.Run(string(lock), func(t *testing.T) {
			looked := 0
			for seed := uint64(0); seed < 300; seed++ {
				c := &choices{bytes: randomBytes(5000 + seed)}
				server := newMemoryServer(sch, zoos.kind, "x")
				status := zoos.json(sch, zoos.random(c))
				plant(status, sch, nil)
				if server.update(status) != nil {
					continue
				}
				obj := new(zoov1.Zoo)
				if err := server.Get(context.Background(), client.ObjectKey{}, obj); err != nil {
					t.Fatal(err)
				}
				want := zoos.edited(c, obj)
				before := server.status()
				wanted := newMemoryServer(sch, zoos.kind, "x")
				if wanted.update(zoos.json(sch, want)) != nil {
					continue
				}
				err := zoos.patch(context.Background(), server, obj, func() *zoov1.ZooStatus { return zoos.copyOf(want) }, zoov1.WithStatusPatchLock(lock))
				if err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, sentText(server.sent))
				}
				for _, path := range foreignPaths(before, nil) {
					if _, stays := lookUp(wanted.status(), path[:len(path)-1]); !stays {
						continue
					}
					if path[0] == "defaults" && want.Defaults != nil && want.Defaults.Struct == nil && len(path) > 2 {
						continue // removed, and back by its default
					}
					looked++
					was, _ := lookUp(before, path)
					is, _ := lookUp(server.status(), path)
					if diff := cmp.Diff(was, is); diff != "" {
						t.Fatalf("seed %d: %s: %s\n%s", seed, strings.Join(path, "."), diff, sentText(server.sent))
					}
				}
			}
			if looked < 1000 {
				t.Errorf("only %d foreign keys were looked at", looked)
			}
		})
	}
}

// foreignPaths are the paths of the foreign keys in a status.
func foreignPaths(tree map[string]any, path []string) [][]string {
	var paths [][]string
	for _, name := range keysOf(tree) {
		at := append(path[:len(path):len(path)], name)
		if below, ok := tree[name].(map[string]any); ok {
			paths = append(paths, foreignPaths(below, at)...)
		} else if name == "foreign" {
			paths = append(paths, at)
		}
	}
	return paths
}

// A field that a newer schema requires, and that this status has as a zero, is sent
// once the server asks for it.
func TestRequiredFieldsThatCameLater(t *testing.T) {
	sch := newerSchema(t, cages.crd, func(*apiextensionsv1.JSONSchemaProps) {})
	old := newerSchema(t, cages.crd, func(s *apiextensionsv1.JSONSchemaProps) { s.Required = nil })
	for _, lock := range locks {
		t.Run(string(lock), func(t *testing.T) {
			server := newMemoryServer(old, cages.kind, "x")
			if err := server.update(map[string]any{"phase": "A"}); err != nil {
				t.Fatal(err)
			}
			server.schema = sch
			cage := new(zoov1.Cage)
			if err := server.Get(context.Background(), client.ObjectKey{}, cage); err != nil {
				t.Fatal(err)
			}
			err := zoov1.PatchCageStatus(context.Background(), server, cage, func(p *zoov1.CageStatusPatch) error {
				p.Status.Phase = "B"
				return nil
			}, zoov1.WithStatusPatchLock(lock))
			if err != nil {
				t.Fatalf("%v\n%s", err, sentText(server.sent))
			}
			want := cages.json(sch, &zoov1.CageStatus{Phase: "B"})
			delete(want, "plain") // optional
			if diff := cmp.Diff(want, server.status()); diff != "" {
				t.Errorf("stored (-want +got): %s\n%s", diff, sentText(server.sent))
			}
			if len(server.sent) != 2 {
				t.Errorf("%d PATCHes, want the refused one and one more:\n%s", len(server.sent), sentText(server.sent))
			}
		})
	}
}
