package controller_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	"github.com/statuspatch/statuspatcher-gen/examples/controller"
	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

func TestMain(m *testing.M) {
	os.Exit(testenv.Main(m, "../config/crd"))
}

// eventually waits until a check holds.
func eventually(t *testing.T, what string, check func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !check(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after a minute still not: %s", what)
		}
	}
}

// The manager with both reconcilers on a real API server, reading from its cache.
func TestManager(t *testing.T) {
	env := testenv.Require(t)
	scheme, err := controller.NewScheme()
	if err != nil {
		t.Fatal(err)
	}
	rec := &testenv.Recorder{}
	mgr, err := controller.NewManager(env.NewConfig(rec), ctrl.Options{Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
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

	c := env.NewClient(t, scheme, nil)
	endpoint := httptest.NewServer(http.NotFoundHandler())
	defer endpoint.Close()
	namespace := env.NewNamespace(t)
	region := &v1alpha1.Region{ObjectMeta: metav1.ObjectMeta{Name: namespace}, Spec: v1alpha1.RegionSpec{Endpoint: endpoint.URL}}
	pool := &v1alpha1.MachinePool{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "pool"},
		Spec:       v1alpha1.MachinePoolSpec{Replicas: 3},
	}
	for _, object := range []client.Object{region, pool} {
		if err := c.Create(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
	get := func(object client.Object) {
		t.Helper()
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(object), object); err != nil {
			t.Fatal(err)
		}
	}

	eventually(t, "the pool has its three machines", func() bool {
		get(pool)
		return pool.Status.Replicas == 3 && pool.Status.ObservedGeneration == pool.Generation
	})
	for _, name := range []string{"pool-0", "pool-1", "pool-2"} {
		setReady(t, c, namespace, name, region.Name)
	}
	eventually(t, "the pool is ready", func() bool {
		get(pool)
		return meta.IsStatusConditionTrue(pool.Status.Conditions, "Ready")
	})
	if s := pool.Status; s.Replicas != 3 || s.ReadyReplicas != 3 || *s.Rollout.AvailableReplicas != 3 || s.Phase != "Running" || !slices.Equal(s.Zones, []string{region.Name}) {
		t.Errorf("the status of a ready pool is %+v", s)
	}
	eventually(t, "the region answers and is held", func() bool {
		get(region)
		return meta.IsStatusConditionTrue(region.Status.Conditions, "Reachable") && slices.Contains(region.Finalizers, controller.RegionFinalizer)
	})

	// One event for each condition that changed: Ready and Available, false then true.
	eventually(t, "the events are stored", func() bool { return len(eventsOf(t, c, pool)) >= 4 })

	// Settled: with nothing to say, nothing is sent.
	sent := -1
	eventually(t, "the status PATCHes end", func() bool {
		before := sent
		sent = rec.Count("patch", "machinepools/status") + rec.Count("patch", "regions/status")
		time.Sleep(500 * time.Millisecond)
		return sent == before
	})
	if got := eventsOf(t, c, pool); len(got) != 4 {
		t.Errorf("events %q, want four: none twice", got)
	}
	for _, request := range rec.Requests("patch", "") {
		if (request.Resource == "machinepools/status" || request.Resource == "regions/status") && request.Status != http.StatusOK && request.Status != http.StatusConflict && request.Status != http.StatusUnprocessableEntity {
			t.Errorf("a status PATCH was refused: %s", request)
		}
	}
}

// eventsOf returns the events about an object.
func eventsOf(t *testing.T, c client.Client, about client.Object) []string {
	t.Helper()
	var list eventsv1.EventList
	if err := c.List(t.Context(), &list, client.InNamespace(about.GetNamespace())); err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, event := range list.Items {
		if event.Regarding.UID == about.GetUID() && event.Type == corev1.EventTypeNormal {
			found = append(found, event.Note)
		}
	}
	return found
}
