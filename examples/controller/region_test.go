package controller_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	"github.com/statuspatch/statuspatcher-gen/examples/controller"
)

var regionKey = client.ObjectKey{Name: "a"}

// newRegion returns a region that a server would have made, and that answered once.
func newRegion() *v1alpha1.Region {
	return &v1alpha1.Region{
		ObjectMeta: metav1.ObjectMeta{Name: "a", UID: "region", Generation: 1},
		Status:     v1alpha1.RegionStatus{LastContact: metav1.NewTime(time.Date(2024, 5, 1, 11, 0, 0, 0, time.UTC))},
	}
}

// newRegionReconciler returns a reconciler whose clock and probe the test owns.
func newRegionReconciler(c client.Client, now *time.Time, probe *error) *controller.RegionReconciler {
	return &controller.RegionReconciler{
		Client: c, Interval: time.Minute,
		Probe: func(context.Context, string) error { return *probe },
		Now:   func() time.Time { return *now },
	}
}

func reconcileRegion(t *testing.T, r *controller.RegionReconciler) *v1alpha1.Region {
	t.Helper()
	if _, err := r.Reconcile(t.Context(), ctrl.Request{NamespacedName: regionKey}); err != nil {
		t.Fatal(err)
	}
	region := &v1alpha1.Region{}
	if err := r.Client.Get(t.Context(), regionKey, region); client.IgnoreNotFound(err) != nil {
		t.Fatal(err)
	}
	return region
}

// poolIn returns a pool that runs in region a.
func poolIn(c client.Client, t *testing.T) *v1alpha1.MachinePool {
	t.Helper()
	pool := newPool(1)
	if err := c.Create(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	pool.Status.Zones = []string{"a"}
	if err := c.Status().Update(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	return pool
}

// The finalizer is written in the middle of the edits: those before it and those after
// it land together, in one PATCH of the status.
func TestRegionKeepsItsEditsAcrossTheFinalizer(t *testing.T) {
	patches := 0
	c := newFakeClient(t, interceptor.Funcs{
		SubResourcePatch: func(ctx context.Context, c client.Client, sub string, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
			patches++
			return c.SubResource(sub).Patch(ctx, obj, patch, opts...)
		},
	}, newRegion())
	poolIn(c, t)
	now, probe := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC), error(nil)
	region := reconcileRegion(t, newRegionReconciler(c, &now, &probe))

	if !slices.Contains(region.Finalizers, controller.RegionFinalizer) {
		t.Error("the finalizer is missing")
	}
	if s := region.Status; s.Pools != 1 || !s.LastContact.Time.Equal(now) || !meta.IsStatusConditionTrue(s.Conditions, "Reachable") {
		t.Errorf("status %+v, want 1 pool, contact now, reachable", s)
	}
	if patches != 1 {
		t.Errorf("%d PATCHes of the status, want 1", patches)
	}
}

func TestRegionIsWrittenWhenSomethingChanges(t *testing.T) {
	c := newFakeClient(t, interceptor.Funcs{}, newRegion())
	now, probe := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC), error(nil)
	r := newRegionReconciler(c, &now, &probe)
	first := reconcileRegion(t, r)

	now = now.Add(30 * time.Second)
	if second := reconcileRegion(t, r); second.ResourceVersion != first.ResourceVersion {
		t.Error("written although the interval is not over")
	}
	now = now.Add(30 * time.Second)
	third := reconcileRegion(t, r)
	if !third.Status.LastContact.Time.Equal(now) {
		t.Errorf("last contact %s, want %s", third.Status.LastContact, now)
	}

	probe = errors.New("no route to host")
	now = now.Add(time.Minute)
	fourth := reconcileRegion(t, r)
	reachable := meta.FindStatusCondition(fourth.Status.Conditions, "Reachable")
	if reachable.Status != metav1.ConditionFalse || reachable.Message != "no route to host" || fourth.Status.LastContact.Time.Equal(now) {
		t.Errorf("condition %+v and contact %s, want false and the contact before", reachable, fourth.Status.LastContact)
	}
}

func TestRegionIsHeldWhilePoolsRunInIt(t *testing.T) {
	c := newFakeClient(t, interceptor.Funcs{}, newRegion())
	pool := poolIn(c, t)
	now, probe := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC), error(nil)
	r := newRegionReconciler(c, &now, &probe)
	if err := c.Delete(t.Context(), reconcileRegion(t, r)); err != nil {
		t.Fatal(err)
	}

	held := reconcileRegion(t, r)
	reachable := meta.FindStatusCondition(held.Status.Conditions, "Reachable")
	if reachable == nil || reachable.Reason != "Deleting" {
		t.Errorf("condition %+v, want the reason Deleting", reachable)
	}
	if err := c.Delete(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	reconcileRegion(t, r)
	if err := c.Get(t.Context(), regionKey, &v1alpha1.Region{}); !apierrors.IsNotFound(err) {
		t.Errorf("error %v, want the region gone", err)
	}
}

func TestProbeHTTP(t *testing.T) {
	status := http.StatusNotFound
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	if err := controller.ProbeHTTP(t.Context(), server.URL); err != nil {
		t.Errorf("a server that answers 404 is there: %v", err)
	}
	status = http.StatusBadGateway
	if err := controller.ProbeHTTP(t.Context(), server.URL); err == nil {
		t.Error("a server that answers 502 counts as there")
	}
	server.Close()
	if err := controller.ProbeHTTP(t.Context(), server.URL); err == nil {
		t.Error("a server that does not answer counts as there")
	}
}
