package writers

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
)

// generated is the generated patcher as it comes: locked by the resourceVersion.
func generated(ctx context.Context, c client.Client, kcp *realtypes.KubeadmControlPlane, edit Edit, _ string) error {
	return realtypes.PatchKubeadmControlPlaneStatus(ctx, c, kcp, edit.generated)
}

// generatedWithFieldsLock guards only what it changes.
func generatedWithFieldsLock(ctx context.Context, c client.Client, kcp *realtypes.KubeadmControlPlane, edit Edit, _ string) error {
	return realtypes.PatchKubeadmControlPlaneStatus(ctx, c, kcp, edit.generated,
		realtypes.WithStatusPatchLock(realtypes.StatusPatchLockFields))
}
