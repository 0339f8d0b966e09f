package hypershift

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// After is the same with the generated patcher.
func After(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool, replicas, ready int32) error {
	return v1alpha1.PatchMachinePoolStatus(ctx, c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
		p.SetReplicasAndReadyReplicas(replicas, ready)
		p.SetReadyCondition(metav1.ConditionFalse, v1alpha1.MachinePoolReadyConditionReasonScaling, "")
		return nil
	})
}
