package update

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// After starts from the object that the reconciler has read, and sends the field.
func After(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool, phase string) error {
	return v1alpha1.PatchMachinePoolStatus(ctx, c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
		p.Status.Phase = phase
		return nil
	})
}
