// Package conflict_test shows what the patchers of the examples do when they are
// not alone: conflicts, stale caches, the three locks, the deferred form. What
// does not hang on one of them runs on a real API server and on the fake client.
package conflict_test

import (
	"context"
	"os"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

func TestMain(m *testing.M) {
	os.Exit(testenv.Main(m, "../../examples/config/crd", "../zoo/crd"))
}

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	utilruntime.Must(v1alpha1.AddToScheme(scheme))
	utilruntime.Must(corev1.AddToScheme(scheme))
	return scheme
}

// quick is a backoff that hardly waits.
var quick = v1alpha1.WithStatusPatchBackoff(wait.Backoff{Steps: 5})

// sent is a PATCH that was sent.
type sent struct {
	kind types.PatchType
	body string
}

// backend is a server and two ways to it: the client under test, whose calls
// are noted, and that of the other writers.
type backend struct {
	t         *testing.T
	real      bool
	c, others client.WithWatch
	namespace string

	mu      sync.Mutex
	patches []sent
	gets    int
	// beforePatch sees the number of each PATCH, from 1, before it is sent. An
	// error it returns is the answer.
	beforePatch func(n int) error
	// beforeGet does the same for reads; it may answer by filling in obj.
	beforeGet func(n int, obj client.Object) (answered bool, err error)
}

// onBoth runs a test on a real API server and on the fake client.
func onBoth(t *testing.T, test func(t *testing.T, b *backend)) {
	t.Run("server", func(t *testing.T) { test(t, onServer(t)) })
	t.Run("fake", func(t *testing.T) { test(t, onFake(t)) })
}

func onServer(t *testing.T) *backend {
	env := testenv.Require(t)
	c := env.NewClient(t, newScheme(), nil)
	return newBackend(t, c, true, env.NewNamespace(t))
}

func onFake(t *testing.T) *backend {
	c := fake.NewClientBuilder().WithScheme(newScheme()).WithStatusSubresource(&v1alpha1.MachinePool{}, &v1alpha1.Region{}).Build()
	return newBackend(t, c, false, "ns")
}

func newBackend(t *testing.T, others client.WithWatch, real bool, namespace string) *backend {
	b := &backend{t: t, real: real, others: others, namespace: namespace}
	b.c = interceptor.NewClient(others, interceptor.Funcs{Get: b.get, SubResourcePatch: b.patch})
	return b
}

func (b *backend) get(ctx context.Context, c client.WithWatch, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	b.mu.Lock()
	b.gets++
	n, before := b.gets, b.beforeGet
	b.mu.Unlock()
	if before != nil {
		if answered, err := before(n, obj); answered || err != nil {
			return err
		}
	}
	return c.Get(ctx, key, obj, opts...)
}

func (b *backend) patch(ctx context.Context, c client.Client, sub string, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
	body, err := patch.Data(obj)
	if err != nil {
		return err
	}
	b.mu.Lock()
	b.patches = append(b.patches, sent{patch.Type(), string(body)})
	n, before := len(b.patches), b.beforePatch
	b.mu.Unlock()
	if sub != "status" {
		b.t.Errorf("patch of the sub-resource %q, want status", sub)
	}
	if before != nil {
		if err := before(n); err != nil {
			return err
		}
	}
	return c.SubResource(sub).Patch(ctx, obj, patch, opts...)
}

// bodies are those of all PATCHes so far.
func (b *backend) bodies() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	bodies := []string{}
	for _, p := range b.patches {
		bodies = append(bodies, p.body)
	}
	return bodies
}

// reset forgets the calls so far.
func (b *backend) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.patches, b.gets = nil, 0
}

// wantCalls checks how many PATCHes and reads there were.
func (b *backend) wantCalls(patches, gets int) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.patches) != patches || b.gets != gets {
		b.t.Errorf("%d PATCHes and %d reads, want %d and %d: %v", len(b.patches), b.gets, patches, gets, b.patches)
	}
}

// pool stores a pool of generation 1 with a status, and gives it as it is stored.
func (b *backend) pool(status v1alpha1.MachinePoolStatus) *v1alpha1.MachinePool {
	b.t.Helper()
	pool := &v1alpha1.MachinePool{
		ObjectMeta: metav1.ObjectMeta{Namespace: b.namespace, Name: "pool"},
		Spec:       v1alpha1.MachinePoolSpec{Replicas: 3},
	}
	if !b.real {
		pool.UID, pool.Generation = uuid.NewUUID(), 1
	}
	if err := b.others.Create(b.t.Context(), pool); err != nil {
		b.t.Fatal(err)
	}
	if !equality.Semantic.DeepEqual(status, v1alpha1.MachinePoolStatus{}) {
		pool.Status = status
		if err := b.others.Status().Update(b.t.Context(), pool); err != nil {
			b.t.Fatal(err)
		}
	}
	return b.stored()
}

// stored is the pool as it is stored now.
func (b *backend) stored() *v1alpha1.MachinePool {
	b.t.Helper()
	pool := &v1alpha1.MachinePool{}
	if err := b.others.Get(b.t.Context(), client.ObjectKey{Namespace: b.namespace, Name: "pool"}, pool); err != nil {
		b.t.Fatal(err)
	}
	return pool
}

// otherWrites lets another writer change the stored status.
func (b *backend) otherWrites(edit func(*v1alpha1.MachinePoolStatus)) {
	b.t.Helper()
	pool := b.stored()
	edit(&pool.Status)
	if err := b.others.Status().Update(b.t.Context(), pool); err != nil {
		b.t.Error(err)
	}
}

// otherChanges lets another writer change what is outside of status; a change
// of the spec raises the generation.
func (b *backend) otherChanges(edit func(*v1alpha1.MachinePool)) {
	b.t.Helper()
	pool := b.stored()
	spec := pool.Spec
	edit(pool)
	if !b.real && pool.Spec != spec {
		pool.Generation++
	}
	if err := b.others.Update(b.t.Context(), pool); err != nil {
		b.t.Error(err)
	}
}

// condition is one as the other writers store it.
func condition(conditionType string, status metav1.ConditionStatus, reason string) metav1.Condition {
	return metav1.Condition{Type: conditionType, Status: status, Reason: reason, LastTransitionTime: metav1.Unix(1_000_000_000, 0), ObservedGeneration: 1}
}

// findCondition is the condition of a type in a list, nil if there is none.
func findCondition(list []metav1.Condition, conditionType string) *metav1.Condition {
	for i := range list {
		if list[i].Type == conditionType {
			return &list[i]
		}
	}
	return nil
}

// quantities are a capacity with one of each name.
func quantities(names ...string) map[string]resource.Quantity {
	all := map[string]resource.Quantity{}
	for _, name := range names {
		all[name] = resource.MustParse("1")
	}
	return all
}
