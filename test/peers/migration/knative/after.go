package knative

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// After leaves the set of conditions as it is and hands it the patch's object. What it
// sets is normalised, locked and sent like what the setters set.
func After(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool) error {
	return v1alpha1.PatchMachinePoolStatus(ctx, c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
		manager := poolConditions.Manage(p.Object())
		manager.MarkTrue("NetworkReady")
		manager.MarkFalse("DisksReady", "Scaling", "two disks are missing")
		return nil
	})
}
