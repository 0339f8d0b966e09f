package zoo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strconv"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// crdSchema is a CRD's schema in the forms that the API server uses.
type crdSchema struct {
	structural *schema.Structural
	validator  validation.SchemaValidator
}

// readSchema reads the schema of the CRD in a file of the folder crd.
func readSchema(file string) (*crdSchema, error) {
	raw, err := os.ReadFile(filepath.Join("crd", file))
	if err != nil {
		return nil, err
	}
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(raw, &crd); err != nil {
		return nil, err
	}
	return newSchema(crd.Spec.Versions[0].Schema)
}

func newSchema(v1 *apiextensionsv1.CustomResourceValidation) (*crdSchema, error) {
	var internal apiextensions.CustomResourceValidation
	if err := apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(v1, &internal, nil); err != nil {
		return nil, err
	}
	structural, err := schema.NewStructural(internal.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(internal.OpenAPIV3Schema)
	return &crdSchema{structural, validator}, err
}

// memoryServer keeps one object in memory and does with a write what kube-apiserver
// does, by the same code where that can be imported: the patch libraries, pruning,
// defaulting and validation. It is the patcher's client.
type memoryServer struct {
	client.SubResourceWriter // Patch alone is called

	schema *crdSchema
	object map[string]any
	sent   []sentPatch
	// refused are the errors of patches that could not be applied.
	refused []error
}

// sentPatch is a patch that was sent.
type sentPatch struct {
	kind types.PatchType
	body []byte
}

// newMemoryServer returns a server with an object that has no status.
func newMemoryServer(s *crdSchema, kind, name string) *memoryServer {
	return &memoryServer{schema: s, object: map[string]any{
		"apiVersion": "zoo.statuspatch.dev/v1", "kind": kind,
		"metadata": map[string]any{"name": name, "uid": "u1", "resourceVersion": "1", "generation": int64(1)},
	}}
}

// Status is the writer of the status subresource.
func (s *memoryServer) Status() client.SubResourceWriter { return s }

// Get reads the object.
func (s *memoryServer) Get(_ context.Context, _ client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	return decodeInto(s.object, obj)
}

// Patch patches the status.
func (s *memoryServer) Patch(_ context.Context, obj client.Object, patch client.Patch, _ ...client.SubResourcePatchOption) error {
	body, err := patch.Data(obj)
	if err != nil {
		return err
	}
	s.sent = append(s.sent, sentPatch{patch.Type(), body})
	patched, err := applyPatch(s.object, patch.Type(), body)
	if err == nil {
		err = s.write(patched)
	}
	if err != nil {
		s.refused = append(s.refused, err)
		return err
	}
	return decodeInto(s.object, obj)
}

// Update writes the whole of a status, which is JSON.
func (s *memoryServer) update(status map[string]any) error {
	object := deepCopyTree(s.object).(map[string]any)
	object["status"] = status
	return s.write(object)
}

// write stores the status of an object, as an update of the status subresource does.
func (s *memoryServer) write(object map[string]any) error {
	stored := s.resourceVersion()
	if meta, _ := object["metadata"].(map[string]any); meta["resourceVersion"] != stored {
		return apierrors.NewConflict(runtimeschema.GroupResource{Resource: "zoos"}, "x", fmt.Errorf("resourceVersion %v is not %v", meta["resourceVersion"], stored))
	}
	next := deepCopyTree(s.object).(map[string]any)
	delete(next, "status")
	if status, ok := object["status"]; ok {
		next["status"] = deepCopyTree(status)
	}
	pruning.Prune(next, s.schema.structural, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(next, s.schema.structural)
	defaulting.Default(next, s.schema.structural)
	problems := validation.ValidateCustomResource(nil, next, s.schema.validator)
	problems = append(problems, listtype.ValidateListSetsAndMaps(nil, s.schema.structural, next)...)
	if len(problems) > 0 {
		return apierrors.NewInvalid(runtimeschema.GroupKind{Kind: "Zoo"}, "x", problems)
	}
	// What is stored is read back from JSON.
	next, err := readObject(encodeTree(next))
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(next, s.object) {
		version, err := strconv.Atoi(stored)
		if err != nil {
			return err
		}
		next["metadata"].(map[string]any)["resourceVersion"] = strconv.Itoa(version + 1)
		s.object = next
	}
	return nil
}

func (s *memoryServer) resourceVersion() string {
	return s.object["metadata"].(map[string]any)["resourceVersion"].(string)
}

// status is a copy of the stored status, nil where there is none.
func (s *memoryServer) status() map[string]any {
	status, _ := deepCopyTree(s.object["status"]).(map[string]any)
	return status
}

// applyPatch applies a patch with the library that the API server uses.
func applyPatch(object map[string]any, kind types.PatchType, body []byte) (map[string]any, error) {
	document := encodeTree(object)
	var patched []byte
	switch kind {
	case types.MergePatchType:
		var err error
		if patched, err = jsonpatch.MergePatch(document, body); err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
	case types.JSONPatchType:
		patch, err := jsonpatch.DecodePatch(body)
		if err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		if patched, err = patch.Apply(document); err != nil {
			return nil, &apierrors.StatusError{ErrStatus: metav1.Status{
				Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid,
				Message: err.Error(), Details: &metav1.StatusDetails{},
			}}
		}
	default:
		return nil, fmt.Errorf("a patch of type %s", kind)
	}
	return readObject(patched)
}

// readObject decodes JSON as the API server does: integers that fit stay integers.
func readObject(raw []byte) (map[string]any, error) {
	var object map[string]any
	err := utiljson.Unmarshal(raw, &object)
	return object, err
}

// encodeTree encodes JSON as the API server does.
func encodeTree(tree any) []byte {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(tree); err != nil {
		panic(err) // trees come from JSON
	}
	return bytes.TrimSpace(b.Bytes())
}

func deepCopyTree(tree any) any {
	switch t := tree.(type) {
	case map[string]any:
		out := make(map[string]any, len(t))
		for key, value := range t {
			out[key] = deepCopyTree(value)
		}
		return out
	case []any:
		out := make([]any, len(t))
		for i := range t {
			out[i] = deepCopyTree(t[i])
		}
		return out
	}
	return tree
}

// decodeInto decodes an object into a fresh value of a Go type.
func decodeInto(object map[string]any, obj client.Object) error {
	value := reflect.ValueOf(obj).Elem()
	value.SetZero()
	return utiljson.Unmarshal(encodeTree(object), obj)
}
