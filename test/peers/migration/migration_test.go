// Package migration_test runs both sides of each migration guide and compares what they
// store.
package migration_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	controlplanev1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	"github.com/statuspatch/statuspatcher-gen/test/peers/migration/clusterapi"
	"github.com/statuspatch/statuspatcher-gen/test/peers/migration/hypershift"
	"github.com/statuspatch/statuspatcher-gen/test/peers/migration/knative"
	"github.com/statuspatch/statuspatcher-gen/test/peers/migration/update"
	"github.com/statuspatch/statuspatcher-gen/test/realtypes/sample"
)

func newClient() client.Client {
	scheme := runtime.NewScheme()
	utilruntime.Must(v1alpha1.AddToScheme(scheme))
	utilruntime.Must(controlplanev1.AddToScheme(scheme))
	return fake.NewClientBuilder().WithScheme(scheme).
		WithStatusSubresource(&v1alpha1.MachinePool{}, &controlplanev1.KubeadmControlPlane{}).Build()
}

// timesAside leaves out when conditions were set, which is now on both sides.
var timesAside = cmpopts.IgnoreFields(metav1.Condition{}, "LastTransitionTime")

// inAnyOrder is for lists of conditions: Cluster API's library sorts them, a patcher keeps
// the order that is stored.
var inAnyOrder = cmpopts.SortSlices(func(a, b metav1.Condition) bool { return a.Type < b.Type })

func TestGuidesOfMachinePool(t *testing.T) {
	type side func(context.Context, client.Client, *v1alpha1.MachinePool) error
	for _, guide := range []struct {
		name          string
		before, after side
	}{
		{
			"hypershift",
			func(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool) error {
				return hypershift.Before(ctx, c, pool, 4, 3)
			},
			func(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool) error {
				return hypershift.After(ctx, c, pool, 4, 3)
			},
		},
		{
			"update",
			func(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool) error {
				return update.Before(ctx, c, client.ObjectKeyFromObject(pool), "Scaling")
			},
			func(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool) error {
				return update.After(ctx, c, pool, "Scaling")
			},
		},
		{"knative", knative.Before, knative.After},
	} {
		t.Run(guide.name, func(t *testing.T) {
			stored := func(write side) v1alpha1.MachinePoolStatus {
				c := newClient()
				pool := &v1alpha1.MachinePool{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "pool", Generation: 3}}
				if err := c.Create(t.Context(), pool); err != nil {
					t.Fatal(err)
				}
				if err := write(t.Context(), c, pool); err != nil {
					t.Fatal(err)
				}
				if err := c.Get(t.Context(), client.ObjectKeyFromObject(pool), pool); err != nil {
					t.Fatal(err)
				}
				return pool.Status
			}
			before, after := stored(guide.before), stored(guide.after)
			if cmp.Equal(before, v1alpha1.MachinePoolStatus{}) {
				t.Fatal("nothing was written")
			}
			if diff := cmp.Diff(before, after, timesAside); diff != "" {
				t.Errorf("-before +after:\n%s", diff)
			}
		})
	}
}

func TestGuideOfClusterAPI(t *testing.T) {
	stored := func(write func(context.Context, client.Client, *controlplanev1.KubeadmControlPlane) error) *controlplanev1.KubeadmControlPlane {
		c := newClient()
		kcp := sample.KubeadmControlPlane()
		kcp.ResourceVersion = ""
		if err := c.Create(t.Context(), kcp); err != nil {
			t.Fatal(err)
		}
		kcp.Status = sample.KubeadmControlPlane().Status
		if err := c.Status().Update(t.Context(), kcp); err != nil {
			t.Fatal(err)
		}
		if err := write(t.Context(), c, kcp); err != nil {
			t.Fatal(err)
		}
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(kcp), kcp); err != nil {
			t.Fatal(err)
		}
		return kcp
	}
	before, after := stored(clusterapi.Before), stored(clusterapi.After)
	if diff := cmp.Diff(before.Status, after.Status, inAnyOrder); diff != "" {
		t.Errorf("-before +after:\n%s", diff)
	}
	if !controllerutil.ContainsFinalizer(before, clusterapi.Finalizer) || !controllerutil.ContainsFinalizer(after, clusterapi.Finalizer) {
		t.Errorf("finalizers %v and %v, want %s in both", before.Finalizers, after.Finalizers, clusterapi.Finalizer)
	}
	if *after.Status.Replicas != 4 || *after.Status.ReadyReplicas != 3 {
		t.Errorf("counters %d/%d, want 4/3", *after.Status.Replicas, *after.Status.ReadyReplicas)
	}

	inClosure := stored(clusterapi.AfterInClosure)
	if diff := cmp.Diff(after.Status.Conditions, inClosure.Status.Conditions, inAnyOrder); diff != "" {
		t.Errorf("conditions set in the closure: -deferred +closure:\n%s", diff)
	}
}
