// Package compat runs generated code on the fake client. hack/compat.sh copies
// it, with the API packages, into a module for each supported version of
// controller-runtime, at the oldest language level that the version allows.
package compat

import (
	"context"
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	zoov1 "github.com/statuspatch/statuspatcher-gen/test/zoo/api/v1"
)

// env is a fake client with an object of each kind, and what was sent to it.
type env struct {
	client.Client
	pool   *v1alpha1.MachinePool
	region *v1alpha1.Region
	zoo    *zoov1.Zoo

	gets   int
	bodies []string // of PATCHes of a status
}

func newEnv(t *testing.T) *env {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, v1alpha1.AddToScheme, zoov1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	e := &env{
		pool: &v1alpha1.MachinePool{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "pool", UID: "p", Generation: 2},
			Status:     v1alpha1.MachinePoolStatus{Replicas: 3, ReadyReplicas: 3, Phase: "Running", ObservedGeneration: 2},
		},
		region: &v1alpha1.Region{
			ObjectMeta: metav1.ObjectMeta{Name: "region", UID: "r", Generation: 1},
			Status:     v1alpha1.RegionStatus{Pools: 1, Quota: map[string]int64{"small": 4}},
		},
		zoo: &zoov1.Zoo{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "zoo", UID: "z", Generation: 1}},
	}
	objs := []client.Object{e.pool, e.region, e.zoo}
	e.Client = fake.NewClientBuilder().WithScheme(scheme).WithObjects(objs...).WithStatusSubresource(objs...).
		WithInterceptorFuncs(interceptor.Funcs{Get: e.get, SubResourcePatch: e.patch}).Build()
	for _, o := range objs {
		e.read(t, o)
	}
	e.reset()
	return e
}

func (e *env) get(ctx context.Context, c client.WithWatch, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	e.gets++
	return c.Get(ctx, key, obj, opts...)
}

func (e *env) patch(ctx context.Context, c client.Client, name string, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
	body, err := patch.Data(obj)
	if err != nil {
		return err
	}
	e.bodies = append(e.bodies, string(body))
	return c.SubResource(name).Patch(ctx, obj, patch, opts...)
}

func (e *env) reset() { e.gets, e.bodies = 0, nil }

// read reads the stored object into obj.
func (e *env) read(t *testing.T, obj client.Object) {
	t.Helper()
	if err := e.Get(context.Background(), client.ObjectKeyFromObject(obj), obj); err != nil {
		t.Fatal(err)
	}
}

// storedPool is the pool as the server has it.
func (e *env) storedPool(t *testing.T) *v1alpha1.MachinePool {
	t.Helper()
	pool := e.pool.DeepCopy()
	e.read(t, pool)
	return pool
}

// others writes the pool's status as another controller would.
func (e *env) others(t *testing.T, edit func(*v1alpha1.MachinePoolStatus)) {
	t.Helper()
	pool := e.storedPool(t)
	edit(&pool.Status)
	if err := e.Status().Update(context.Background(), pool); err != nil {
		t.Fatal(err)
	}
	e.reset()
}

func TestOneRequest(t *testing.T) {
	e := newEnv(t)
	var result v1alpha1.StatusPatchResult
	err := v1alpha1.PatchMachinePoolStatus(context.Background(), e, e.pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
		p.SetReplicasAndReadyReplicas(4, 3)
		p.SetPausedCondition(metav1.ConditionFalse, "Running", "")
		p.Status.Capacity = map[string]resource.Quantity{"cpu": resource.MustParse("2")}
		return nil
	}, v1alpha1.WithStatusPatchResult(&result), client.FieldOwner("compat"))
	if err != nil {
		t.Fatal(err)
	}
	if e.gets != 0 || len(e.bodies) != 1 || result.Attempts != 1 || !result.Changed {
		t.Errorf("%d GETs, bodies %q, result %+v", e.gets, e.bodies, result)
	}
	stored := e.storedPool(t)
	s := stored.Status
	cpu := s.Capacity["cpu"]
	if s.Replicas != 4 || s.ReadyReplicas != 3 || s.Phase != "Running" || !meta.IsStatusConditionFalse(s.Conditions, "Paused") || cpu.String() != "2" {
		t.Errorf("stored %+v", s)
	}
	if e.pool.ResourceVersion != stored.ResourceVersion {
		t.Errorf("the caller's resourceVersion is %s, the stored one %s", e.pool.ResourceVersion, stored.ResourceVersion)
	}
}

func TestNoRequest(t *testing.T) {
	e := newEnv(t)
	for name, mutate := range map[string]func(*v1alpha1.MachinePoolStatusPatch) error{
		"the same": func(p *v1alpha1.MachinePoolStatusPatch) error { p.SetReplicasAndReadyReplicas(3, 3); return nil },
		"empty map": func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.Status.Capacity = map[string]resource.Quantity{}
			return nil
		},
		"skipped": func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.Status.Phase = "Other"
			return v1alpha1.SkipStatusPatch
		},
	} {
		if err := v1alpha1.PatchMachinePoolStatus(context.Background(), e, e.pool, mutate); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if e.gets != 0 || len(e.bodies) != 0 {
		t.Errorf("%d GETs, bodies %q", e.gets, e.bodies)
	}
}

// TestGroup has the base of a group stale: never may half of it be stored.
func TestGroup(t *testing.T) {
	for _, lock := range []v1alpha1.StatusPatchLock{v1alpha1.StatusPatchLockObject, v1alpha1.StatusPatchLockFields, v1alpha1.StatusPatchLockNone} {
		e := newEnv(t)
		e.others(t, func(s *v1alpha1.MachinePoolStatus) { s.ReadyReplicas, s.Phase = 2, "Degraded" })
		err := v1alpha1.PatchMachinePoolStatus(context.Background(), e, e.pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.SetReplicasAndReadyReplicas(4, 3)
			return nil
		}, v1alpha1.WithStatusPatchLock(lock))
		if err != nil {
			t.Errorf("lock %s: %v", lock, err)
		}
		if s := e.storedPool(t).Status; s.Replicas != 4 || s.ReadyReplicas != 3 || s.Phase != "Degraded" {
			t.Errorf("lock %s: stored %+v", lock, s)
		}
	}
}

// TestDeferred edits the object itself, while others write other fields.
func TestDeferred(t *testing.T) {
	e := newEnv(t)
	p := v1alpha1.NewMachinePoolStatusPatcher(e.pool)
	e.pool.Status.Phase = "Scaling"
	p.SetReadyCondition(metav1.ConditionFalse, v1alpha1.MachinePoolReadyConditionReasonScaling, "")
	err := p.Keep(func() error {
		e.pool.Finalizers = []string{"compat.example.com/x"}
		return e.Update(context.Background(), e.pool)
	})
	if err != nil {
		t.Fatal(err)
	}
	e.others(t, func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{"a"} })
	if err := p.Patch(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	stored := e.storedPool(t)
	if s := stored.Status; s.Phase != "Scaling" || len(s.Zones) != 1 || !meta.IsStatusConditionFalse(s.Conditions, "Ready") {
		t.Errorf("stored %+v", s)
	}
	if len(stored.Finalizers) != 1 {
		t.Error("the finalizer was not stored")
	}
}

// TestFields writes two conditions from the same base: neither is lost.
func TestFields(t *testing.T) {
	e := newEnv(t)
	stale := e.region.DeepCopy()
	ctx := context.Background()
	err := v1alpha1.PatchRegionStatus(ctx, e, e.region, func(p *v1alpha1.RegionStatusPatch) error {
		p.SetReachableCondition(metav1.ConditionTrue, "Answered", "")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = v1alpha1.PatchRegionStatus(ctx, e, stale, func(p *v1alpha1.RegionStatusPatch) error {
		p.SetSyncedCondition(metav1.ConditionTrue, "Synced", "")
		p.Status.Quota["large"] = 1
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	e.read(t, stale)
	if s := stale.Status; len(s.Conditions) != 2 || s.Quota["small"] != 4 || s.Quota["large"] != 1 || s.Pools != 1 {
		t.Errorf("stored %+v", s)
	}
}

func TestErrors(t *testing.T) {
	e := newEnv(t)
	ctx := context.Background()
	own := errors.New("own")
	err := v1alpha1.PatchMachinePoolStatus(ctx, e, e.pool, func(*v1alpha1.MachinePoolStatusPatch) error { return own })
	if !errors.Is(err, own) {
		t.Errorf("the closure's error became %v", err)
	}
	gone := e.pool.DeepCopy()
	gone.Name = "gone"
	phase := func(p *v1alpha1.MachinePoolStatusPatch) error { p.Status.Phase = "Other"; return nil }
	if err := v1alpha1.PatchMachinePoolStatus(ctx, e, gone, phase); !apierrors.IsNotFound(err) {
		t.Errorf("object that is gone: %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	e.others(t, func(s *v1alpha1.MachinePoolStatus) { s.Phase = "Degraded" })
	cancel()
	if err := v1alpha1.PatchMachinePoolStatus(cancelled, e, e.pool, phase); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestZoo writes a status with everything in it, and the same again.
func TestZoo(t *testing.T) {
	e := newEnv(t)
	ctx := context.Background()
	ready := int32(2)
	fill := func(p *zoov1.ZooStatusPatch) error {
		p.SetReplicasAndReadyReplicas(3, 2)
		p.Status.Deep = &zoov1.Deep{Counts: &zoov1.Counts{Total: 3, Ready: &ready}, Note: "n"}
		p.MarkDeepComputed()
		p.Status.WholeList, p.Status.WholeMap = []string{"a"}, map[string]string{"a/b": "c"}
		p.MarkWholeComputed()
		p.SetReadyCondition(metav1.ConditionTrue, zoov1.ZooReadyConditionReasonOpen, "all <open>")
		return nil
	}
	if err := zoov1.PatchZooStatus(ctx, e, e.zoo, fill); err != nil {
		t.Fatal(err)
	}
	if len(e.bodies) != 1 {
		t.Errorf("bodies %q", e.bodies)
	}
	stored := e.zoo.DeepCopy()
	e.read(t, stored)
	s := stored.Status
	if s.Replicas != 3 || s.Deep == nil || s.Deep.Counts == nil || *s.Deep.Counts.Ready != 2 || s.WholeMap["a/b"] != "c" || !meta.IsStatusConditionTrue(s.Conditions, "Ready") {
		t.Errorf("stored %+v", s)
	}
	e.reset()
	if err := zoov1.PatchZooStatus(ctx, e, stored, fill); err != nil {
		t.Fatal(err)
	}
	if len(e.bodies)+e.gets != 0 {
		t.Errorf("again: bodies %q", e.bodies)
	}
}
