package writers

import (
	"context"

	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
)

// mergeFrom is the patch that controller-runtime's documentation shows first: the
// difference from the object as it was read, unguarded.
func mergeFrom(ctx context.Context, c client.Client, kcp *realtypes.KubeadmControlPlane, edit Edit, _ string) error {
	base := kcp.DeepCopy()
	edit.byHand(kcp)
	return c.Status().Patch(ctx, kcp, client.MergeFrom(base))
}

// update is the loop that client-go's documentation shows: read, edit, send it all, and
// again after a conflict.
func update(ctx context.Context, c client.Client, kcp *realtypes.KubeadmControlPlane, edit Edit, _ string) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if err := c.Get(ctx, client.ObjectKeyFromObject(kcp), kcp); err != nil {
			return err
		}
		edit.byHand(kcp)
		return c.Status().Update(ctx, kcp)
	})
}
