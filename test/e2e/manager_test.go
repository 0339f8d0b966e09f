package e2e_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

// countingReconciler writes counters for each pool from a cached client: as many
// replicas as the spec asks for, all but one of them ready.
type countingReconciler struct {
	client client.Client
	reader client.Reader
	failed counter
}

func (r *countingReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	pool := &v1alpha1.MachinePool{}
	if err := r.client.Get(ctx, request.NamespacedName, pool); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	err := v1alpha1.PatchMachinePoolStatus(ctx, r.client, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
		want := pool.Spec.Replicas
		p.SetReplicasAndReadyReplicas(want, max(want-1, 0))
		p.SetReadyCondition("False", v1alpha1.MachinePoolReadyConditionReasonScaling, fmt.Sprintf("%d of %d", max(want-1, 0), want))
		return nil
	}, v1alpha1.WithStatusPatchReader(r.reader))
	if err != nil {
		r.failed.next()
	}
	return ctrl.Result{}, err
}

// A manager's reconciler and another writer work on the same object: at no moment does
// the server hold counters that nobody computed, no condition is lost, and the
// reconciler gets no conflict back.
func TestReconcilerInAManagerWithACachedClient(t *testing.T) {
	env := testenv.Require(t)
	rec := &testenv.Recorder{}
	b := newServer(t)
	mgr, err := ctrl.NewManager(env.NewConfig(rec), ctrl.Options{
		Scheme:     newScheme(),
		Metrics:    metricsserver.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: new(true)},
	})
	if err != nil {
		t.Fatal(err)
	}
	reconciler := &countingReconciler{client: mgr.GetClient(), reader: mgr.GetAPIReader()}
	if err := ctrl.NewControllerManagedBy(mgr).For(&v1alpha1.MachinePool{}).Named("counting").Complete(reconciler); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- mgr.Start(ctx) }()
	defer func() {
		stop()
		if err := <-stopped; err != nil {
			t.Errorf("the manager ended with %v", err)
		}
	}()

	pool := b.pool(t, "pool", v1alpha1.MachinePoolStatus{})
	halves := watchForHalves(t, ctx, env, pool)
	const rounds = 15
	for round := int32(1); round <= rounds; round++ {
		live := b.stored(t, pool)
		patch := client.MergeFrom(live.DeepCopy())
		live.Spec.Replicas = round
		if err := b.other.Patch(t.Context(), live, patch); err != nil {
			t.Fatal(err)
		}
		err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.other, live, func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.SetCondition(metav1.Condition{Type: fmt.Sprint("Round", round), Status: "True", Reason: "Written"})
			return nil
		}, v1alpha1.WithStatusPatchObservedGeneration(false))
		if err != nil {
			t.Fatal(err)
		}
	}

	var stored *v1alpha1.MachinePool
	deadline := time.Now().Add(time.Minute)
	for {
		stored = b.stored(t, pool)
		if stored.Status.ObservedGeneration == stored.Generation && stored.Status.Replicas == rounds {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the reconciler did not get done: stored %+v at generation %d", stored.Status, stored.Generation)
		}
		time.Sleep(20 * time.Millisecond)
	}
	if stored.Status.ReadyReplicas != rounds-1 {
		t.Errorf("stored %d ready, want %d", stored.Status.ReadyReplicas, rounds-1)
	}
	if len(stored.Status.Conditions) != rounds+1 {
		t.Errorf("%d conditions are stored, want Ready and %d of the other writer's", len(stored.Status.Conditions), rounds)
	}
	if n := reconciler.failed.value(); n > 0 {
		t.Errorf("%d reconciles got an error back from the patcher", n)
	}
	// The event of the reconciler's own last write leads to a reconcile that sends nothing.
	quietFor(t, rec)

	if err := b.other.Delete(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
	if seen := <-halves; seen != "" {
		t.Error(seen)
	}
}

// watchForHalves looks at every stored version of a pool until it is deleted, and then
// gives the counters it saw of which one is not the other's mate.
func watchForHalves(t *testing.T, ctx context.Context, env *testenv.Env, pool *v1alpha1.MachinePool) <-chan string {
	t.Helper()
	w, err := env.NewClient(t, newScheme(), nil).Watch(ctx, &v1alpha1.MachinePoolList{}, client.InNamespace(pool.Namespace))
	if err != nil {
		t.Fatal(err)
	}
	found := make(chan string, 1)
	go func() {
		defer w.Stop()
		seen := "the watch ended before the pool was deleted"
		defer func() { found <- seen }()
		halves := ""
		for event := range w.ResultChan() {
			p, ok := event.Object.(*v1alpha1.MachinePool)
			if !ok {
				continue
			}
			if p.Status.ReadyReplicas != max(p.Status.Replicas-1, 0) {
				halves = fmt.Sprintf("the server held %d/%d at resourceVersion %s, which nobody computed", p.Status.Replicas, p.Status.ReadyReplicas, p.ResourceVersion)
			}
			if event.Type == watch.Deleted {
				seen = halves
				return
			}
		}
	}()
	return found
}

// quietFor fails if status PATCHes go on being sent.
func quietFor(t *testing.T, rec *testenv.Recorder) {
	t.Helper()
	before := -1
	for range 20 {
		now := rec.Count("patch", "machinepools/status")
		if now == before {
			return
		}
		before = now
		time.Sleep(300 * time.Millisecond)
	}
	t.Errorf("status PATCHes go on: %d so far", before)
}
