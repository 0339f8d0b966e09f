package examples_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"regexp"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

var jsonBlock = regexp.MustCompile("(?s)```json\n(.*?)```")

// The bodies that docs/how-it-works.md shows are those that are sent, with each lock.
func TestBodiesInTheDocumentAreSent(t *testing.T) {
	text, err := os.ReadFile("../docs/how-it-works.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := jsonBlock.FindAllSubmatch(text, -1)
	calls := []struct {
		lock            v1alpha1.StatusPatchLock
		replicas, ready int32
	}{
		{v1alpha1.StatusPatchLockObject, 4, 3},
		{v1alpha1.StatusPatchLockFields, 5, 3},
		{v1alpha1.StatusPatchLockNone, 6, 3},
	}
	if len(shown) != len(calls) {
		t.Fatalf("the document shows %d bodies, want one for each lock", len(shown))
	}

	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	pool := &v1alpha1.MachinePool{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "pool", UID: "5c1f", Generation: 1, ResourceVersion: "999"},
		Status:     v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Replicas: 3, ReadyReplicas: 3},
	}
	var sent string
	c := fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(pool).WithObjects(pool).
		WithInterceptorFuncs(interceptor.Funcs{
			SubResourcePatch: func(ctx context.Context, c client.Client, sub string, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
				body, err := patch.Data(obj)
				if err != nil {
					return err
				}
				sent = string(body)
				return c.SubResource(sub).Patch(ctx, obj, patch, opts...)
			},
		}).Build()
	for i, call := range calls {
		err := v1alpha1.PatchMachinePoolStatus(t.Context(), c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.SetReplicasAndReadyReplicas(call.replicas, call.ready)
			return nil
		}, v1alpha1.WithStatusPatchLock(call.lock))
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := json.Compact(&want, shown[i][1]); err != nil {
			t.Fatal(err)
		}
		if sent != want.String() {
			t.Errorf("lock %s sent\n\t%s\nand the document shows\n\t%s", call.lock, sent, want.String())
		}
	}
}
