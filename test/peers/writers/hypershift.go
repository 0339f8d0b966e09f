package writers

import (
	"context"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
)

// hyperShift does what HyperShift's support/statuspatching is described to do: read,
// copy, mutate, stop if nothing changed, send the difference guarded by the
// resourceVersion, and all of it again after a conflict.
func hyperShift(ctx context.Context, c client.Client, kcp *realtypes.KubeadmControlPlane, edit Edit, _ string) error {
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		if err := c.Get(ctx, client.ObjectKeyFromObject(kcp), kcp); err != nil {
			return err
		}
		base := kcp.DeepCopy()
		edit.byHand(kcp)
		if equality.Semantic.DeepEqual(base.Status, kcp.Status) {
			return nil
		}
		return c.Status().Patch(ctx, kcp, client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{}))
	})
}
