package clusterapi

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
)

// After writes status at the end of a reconcile, and the finalizer where it is added.
func After(ctx context.Context, c client.Client, kcp *realtypes.KubeadmControlPlane) (err error) {
	patcher := realtypes.NewKubeadmControlPlaneStatusPatcher(kcp)
	defer func() { err = errors.Join(err, patcher.Patch(ctx, c)) }()

	if !controllerutil.ContainsFinalizer(kcp, Finalizer) {
		if err := patcher.Keep(func() error {
			base := kcp.DeepCopy()
			controllerutil.AddFinalizer(kcp, Finalizer)
			return c.Patch(ctx, kcp, client.MergeFrom(base))
		}); err != nil {
			return err
		}
	}
	kcp.Status.Replicas = new(int32(4))
	kcp.Status.ReadyReplicas = new(int32(3))
	conditions.Set(kcp, metav1.Condition{Type: "Available", Status: metav1.ConditionTrue, Reason: "Available"})
	return nil
}

// AfterInClosure sets a condition through Cluster API's own library in the closure form.
func AfterInClosure(ctx context.Context, c client.Client, kcp *realtypes.KubeadmControlPlane) error {
	return realtypes.PatchKubeadmControlPlaneStatus(ctx, c, kcp, func(p *realtypes.KubeadmControlPlaneStatusPatch) error {
		conditions.Set(p.Object(), metav1.Condition{Type: "Available", Status: metav1.ConditionTrue, Reason: "Available"})
		return nil
	})
}
