package controller_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	"github.com/statuspatch/statuspatcher-gen/examples/controller"
)

// newFakeClient returns a fake client. The kinds whose status is patched have to be
// named to WithStatusSubresource: without it a fake client answers 404.
func newFakeClient(t *testing.T, hooks interceptor.Funcs, objects ...client.Object) client.WithWatch {
	t.Helper()
	scheme, err := controller.NewScheme()
	if err != nil {
		t.Fatal(err)
	}
	return fake.NewClientBuilder().WithScheme(scheme).
		WithStatusSubresource(&v1alpha1.MachinePool{}, &v1alpha1.Region{}).
		WithObjects(objects...).WithInterceptorFuncs(hooks).Build()
}

// newPool returns a pool that asks for machines. Its generation is one that a server
// would have given it: a fake client gives none.
func newPool(replicas int32) *v1alpha1.MachinePool {
	return &v1alpha1.MachinePool{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "pool", UID: "pool", Generation: 1},
		Spec:       v1alpha1.MachinePoolSpec{Replicas: replicas},
	}
}

// reconcilePool runs the reconciler once and returns the pool as it is stored then.
func reconcilePool(t *testing.T, r *controller.MachinePoolReconciler) (*v1alpha1.MachinePool, error) {
	t.Helper()
	key := client.ObjectKey{Namespace: "default", Name: "pool"}
	_, err := r.Reconcile(t.Context(), ctrl.Request{NamespacedName: key})
	pool := &v1alpha1.MachinePool{}
	if err := r.Client.Get(t.Context(), key, pool); err != nil {
		t.Fatal(err)
	}
	return pool, err
}

// setReady marks a machine ready, in a zone.
func setReady(t *testing.T, c client.Client, namespace, name, zone string) {
	t.Helper()
	machine := &corev1.ConfigMap{}
	if err := c.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, machine); err != nil {
		t.Fatal(err)
	}
	before := client.MergeFrom(machine.DeepCopy())
	machine.Annotations = map[string]string{controller.ReadyAnnotation: "true"}
	machine.Labels[controller.ZoneLabel] = zone
	if err := c.Patch(t.Context(), machine, before); err != nil {
		t.Fatal(err)
	}
}

// recorded returns the events recorded since the last call.
func recorded(recorder *events.FakeRecorder) []string {
	var found []string
	for {
		select {
		case event := <-recorder.Events:
			found = append(found, event)
		default:
			return found
		}
	}
}

func TestPoolGetsItsMachines(t *testing.T) {
	c := newFakeClient(t, interceptor.Funcs{}, newPool(2))
	recorder := events.NewFakeRecorder(10)
	r := &controller.MachinePoolReconciler{Client: c, Events: recorder}

	pool, err := reconcilePool(t, r)
	if err != nil {
		t.Fatal(err)
	}
	if s := pool.Status; s.Replicas != 2 || s.ReadyReplicas != 0 || s.Phase != "Scaling" || s.ObservedGeneration != 1 || len(s.Machines) != 2 {
		t.Errorf("status %+v, want 2 machines of which none is ready", s)
	}
	if meta.IsStatusConditionTrue(pool.Status.Conditions, "Ready") || meta.IsStatusConditionTrue(pool.Status.Conditions, "Available") {
		t.Errorf("conditions %+v, want neither true", pool.Status.Conditions)
	}
	if got := recorded(recorder); len(got) != 2 {
		t.Errorf("events %q, want one for Ready and one for Available", got)
	}

	setReady(t, c, "default", "pool-0", "b")
	setReady(t, c, "default", "pool-1", "a")
	pool, err = reconcilePool(t, r)
	if err != nil {
		t.Fatal(err)
	}
	if s := pool.Status; s.ReadyReplicas != 2 || s.Phase != "Running" || *s.Rollout.AvailableReplicas != 2 || strings.Join(s.Zones, "") != "ab" {
		t.Errorf("status %+v, want 2 machines ready in zones a and b", s)
	}
	if !meta.IsStatusConditionTrue(pool.Status.Conditions, "Ready") || !meta.IsStatusConditionTrue(pool.Status.Conditions, "Available") {
		t.Errorf("conditions %+v, want both true", pool.Status.Conditions)
	}
	if got := recorded(recorder); len(got) != 2 {
		t.Errorf("events %q, want one for Ready and one for Available", got)
	}
}

func TestPoolThatIsSettledSendsNothing(t *testing.T) {
	patches := 0
	c := newFakeClient(t, interceptor.Funcs{
		SubResourcePatch: func(ctx context.Context, c client.Client, sub string, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
			patches++
			return c.SubResource(sub).Patch(ctx, obj, patch, opts...)
		},
	}, newPool(1))
	recorder := events.NewFakeRecorder(10)
	r := &controller.MachinePoolReconciler{Client: c, Events: recorder}
	for range 3 {
		if _, err := reconcilePool(t, r); err != nil {
			t.Fatal(err)
		}
	}
	if patches != 1 || len(recorded(recorder)) != 2 {
		t.Errorf("%d PATCHes, want 1 and the events of that", patches)
	}
}

func TestSmallerPoolLosesMachines(t *testing.T) {
	c := newFakeClient(t, interceptor.Funcs{}, newPool(3))
	r := &controller.MachinePoolReconciler{Client: c, Events: events.NewFakeRecorder(10)}
	pool, err := reconcilePool(t, r)
	if err != nil {
		t.Fatal(err)
	}
	pool.Spec.Replicas = 1
	if err := c.Update(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	if pool, err = reconcilePool(t, r); err != nil {
		t.Fatal(err)
	}
	var machines corev1.ConfigMapList
	if err := c.List(t.Context(), &machines); err != nil {
		t.Fatal(err)
	}
	if pool.Status.Replicas != 1 || len(machines.Items) != 1 || machines.Items[0].Name != "pool-0" {
		t.Errorf("%d replicas in the status, %d machines stored, want 1 and pool-0", pool.Status.Replicas, len(machines.Items))
	}
}

// A failure is reported without a claim to have carried out the new generation, and
// without a word on counters that could not be read.
func TestFailureKeepsCountersAndGeneration(t *testing.T) {
	broken := false
	c := newFakeClient(t, interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, obj client.Object, opts ...client.CreateOption) error {
			if broken {
				return errors.New("quota is used up")
			}
			return c.Create(ctx, obj, opts...)
		},
	}, newPool(1))
	r := &controller.MachinePoolReconciler{Client: c, Events: events.NewFakeRecorder(10)}
	pool, err := reconcilePool(t, r)
	if err != nil {
		t.Fatal(err)
	}

	broken = true
	pool.Spec.Replicas, pool.Generation = 2, 2
	if err := c.Update(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	pool, err = reconcilePool(t, r)
	if err == nil || !strings.Contains(err.Error(), "quota is used up") {
		t.Errorf("error %v, want the machine's", err)
	}
	failed := meta.FindStatusCondition(pool.Status.Conditions, "Failed")
	if failed == nil || failed.Status != metav1.ConditionTrue || failed.ObservedGeneration != 2 {
		t.Errorf("condition Failed %+v, want true at generation 2", failed)
	}
	if s := pool.Status; s.ObservedGeneration != 1 || s.Replicas != 1 || s.Phase != "Failed" {
		t.Errorf("status %+v, want observedGeneration 1 and 1 replica as before", s)
	}

	broken = false
	pool, err = reconcilePool(t, r)
	if err != nil {
		t.Fatal(err)
	}
	if s := pool.Status; s.ObservedGeneration != 2 || s.Replicas != 2 || meta.FindStatusCondition(s.Conditions, "Failed") != nil {
		t.Errorf("status %+v, want generation 2 carried out and no condition Failed", s)
	}
}

// Another writer comes between: the closure runs twice, the event is made once.
func TestConflictMakesNoSecondEvent(t *testing.T) {
	patches := 0
	var other client.Client
	c := newFakeClient(t, interceptor.Funcs{
		SubResourcePatch: func(ctx context.Context, c client.Client, sub string, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
			if patches++; patches == 1 {
				live := &v1alpha1.MachinePool{}
				if err := c.Get(ctx, client.ObjectKeyFromObject(obj), live); err != nil {
					return err
				}
				live.Status.Conditions = []metav1.Condition{{Type: "Theirs", Status: "True", Reason: "Written", LastTransitionTime: metav1.Now()}}
				if err := other.Status().Update(ctx, live); err != nil {
					return err
				}
			}
			return c.SubResource(sub).Patch(ctx, obj, patch, opts...)
		},
	}, newPool(1))
	other = c
	recorder := events.NewFakeRecorder(10)
	pool, err := reconcilePool(t, &controller.MachinePoolReconciler{Client: c, Events: recorder})
	if err != nil {
		t.Fatal(err)
	}
	if patches != 2 || len(pool.Status.Conditions) != 3 {
		t.Errorf("%d PATCHes and conditions %+v, want 2, and the other writer's condition beside ours", patches, pool.Status.Conditions)
	}
	if got := recorded(recorder); len(got) != 2 {
		t.Errorf("events %q, want one for Ready and one for Available", got)
	}
}
