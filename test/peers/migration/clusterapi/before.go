// Package clusterapi shows the move away from Cluster API's patch.Helper.
package clusterapi

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/cluster-api/util/patch"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
)

// Finalizer is what the example adds during a reconcile.
const Finalizer = "example.com/hold"

// Before writes status, and a finalizer with it, at the end of a reconcile.
func Before(ctx context.Context, c client.Client, kcp *realtypes.KubeadmControlPlane) (err error) {
	helper, err := patch.NewHelper(kcp, c)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, helper.Patch(ctx, kcp,
			patch.WithOwnedConditions{Conditions: []string{"Available"}},
			patch.WithStatusObservedGeneration{},
		))
	}()

	controllerutil.AddFinalizer(kcp, Finalizer)
	kcp.Status.Replicas = new(int32(4))
	kcp.Status.ReadyReplicas = new(int32(3))
	conditions.Set(kcp, metav1.Condition{Type: "Available", Status: metav1.ConditionTrue, Reason: "Available"})
	return nil
}
