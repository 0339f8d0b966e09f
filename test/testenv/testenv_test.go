package testenv_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

func TestMain(m *testing.M) {
	os.Exit(testenv.Main(m, "../../examples/config/crd"))
}

var (
	pools       = schema.GroupResource{Group: "example.statuspatch.dev", Resource: "machinepools"}
	poolVersion = "example.statuspatch.dev/v1alpha1"
)

// newPool stores a pool and returns it with the recorder of its client.
func newPool(t *testing.T) (*unstructured.Unstructured, client.Client, *testenv.Recorder) {
	t.Helper()
	env := testenv.Require(t)
	rec := &testenv.Recorder{}
	c := env.NewClient(t, runtime.NewScheme(), rec)
	pool := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": poolVersion,
		"kind":       "MachinePool",
		"metadata":   map[string]any{"namespace": env.NewNamespace(t), "name": "pool"},
		"spec":       map[string]any{"replicas": int64(3)},
	}}
	if err := c.Create(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	rec.Reset()
	return pool, c, rec
}

func patchReplicas(ctx context.Context, c client.Client, pool client.Object) error {
	return c.Status().Patch(ctx, pool, client.RawPatch(types.MergePatchType, []byte(`{"status":{"replicas":3}}`)))
}

func TestRequestsAreRecorded(t *testing.T) {
	pool, c, rec := newPool(t)
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(pool), pool); err != nil {
		t.Fatal(err)
	}
	if err := patchReplicas(t.Context(), c, pool); err != nil {
		t.Fatal(err)
	}
	stored, _, err := unstructured.NestedInt64(pool.Object, "status", "replicas")
	if err != nil || stored != 3 {
		t.Errorf("stored replicas %d (%v), want 3", stored, err)
	}

	all := rec.Requests("", "")
	if len(all) != 2 || !all[0].Is("get", "machinepools") || !all[1].Is("patch", "machinepools/status") {
		t.Fatalf("requests %v, want a get and a patch of the status", all)
	}
	patch := all[1]
	if patch.Name != "pool" || patch.Namespace != pool.GetNamespace() || patch.Status != http.StatusOK {
		t.Errorf("patch %v, want 200 for %s/pool", patch, pool.GetNamespace())
	}
	if patch.Body != `{"status":{"replicas":3}}` || patch.ContentType != string(types.MergePatchType) {
		t.Errorf("patch body %s (%s), want the merge patch as it was sent", patch.Body, patch.ContentType)
	}
	rec.Reset()
	if n := rec.Count("", ""); n != 0 {
		t.Errorf("%d requests after Reset, want 0", n)
	}
}

func TestBeforeAnswersInPlaceOfTheServer(t *testing.T) {
	pool, c, rec := newPool(t)
	rec.Before(func(req *http.Request) (*http.Response, error) {
		if req.Method != http.MethodPatch {
			return nil, nil
		}
		return testenv.Answer(req, apierrors.NewConflict(pools, "pool", errors.New("made up")))
	})
	if err := patchReplicas(t.Context(), c, pool.DeepCopy()); !apierrors.IsConflict(err) || !strings.Contains(err.Error(), "made up") {
		t.Errorf("error %v, want the conflict that was made up", err)
	}
	rec.Before(nil)
	if got := rec.Requests("patch", ""); len(got) != 1 || got[0].Status != http.StatusConflict {
		t.Errorf("requests %v, want one patch with 409", got)
	}
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(pool), pool); err != nil {
		t.Fatal(err)
	}
	if _, found := pool.Object["status"]; found {
		t.Error("the server got the patch")
	}
}

func TestBeforeCanWriteWithAnotherClient(t *testing.T) {
	pool, c, rec := newPool(t)
	other := testenv.Require(t).NewClient(t, runtime.NewScheme(), nil)
	rec.Before(func(*http.Request) (*http.Response, error) {
		rec.Before(nil)
		return nil, patchReplicas(t.Context(), other, pool.DeepCopy())
	})
	locked := client.RawPatch(types.MergePatchType,
		[]byte(`{"metadata":{"resourceVersion":"`+pool.GetResourceVersion()+`"},"status":{"replicas":4}}`))
	if err := c.Status().Patch(t.Context(), pool, locked); !apierrors.IsConflict(err) {
		t.Errorf("error %v, want a conflict with the write before", err)
	}
}

func TestAfterLosesTheAnswer(t *testing.T) {
	pool, c, rec := newPool(t)
	lost := errors.New("connection reset")
	rec.After(func(_ *http.Request, resp *http.Response) (*http.Response, error) {
		return nil, errors.Join(lost, resp.Body.Close())
	})
	if err := patchReplicas(t.Context(), c, pool.DeepCopy()); !errors.Is(err, lost) {
		t.Errorf("error %v, want %v", err, lost)
	}
	rec.After(nil)
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(pool), pool); err != nil {
		t.Fatal(err)
	}
	if stored, _, _ := unstructured.NestedInt64(pool.Object, "status", "replicas"); stored != 3 {
		t.Errorf("stored replicas %d, want 3: the patch itself was to arrive", stored)
	}
	if got := rec.Requests("patch", ""); len(got) != 1 || got[0].Status != 0 || got[0].Err == nil {
		t.Errorf("requests %v, want one patch without an answer", got)
	}
}
