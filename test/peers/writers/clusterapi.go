package writers

import (
	"context"

	"sigs.k8s.io/cluster-api/util/patch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
)

// clusterAPI is Cluster API's own helper, used as its controllers use it.
func clusterAPI(ctx context.Context, c client.Client, kcp *realtypes.KubeadmControlPlane, edit Edit, _ string) error {
	owned := patch.WithOwnedConditions{Conditions: edit.conditionTypes(&kcp.Status)}
	helper, err := patch.NewHelper(kcp, c)
	if err != nil {
		return err
	}
	edit.byHand(kcp)
	return helper.Patch(ctx, kcp, owned, patch.WithStatusObservedGeneration{})
}
