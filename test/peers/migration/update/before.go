// Package update shows the move away from Status().Update.
package update

import (
	"context"

	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// Before sends the whole object, and reads it again after a conflict.
func Before(ctx context.Context, c client.Client, key client.ObjectKey, phase string) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		var pool v1alpha1.MachinePool
		if err := c.Get(ctx, key, &pool); err != nil {
			return err
		}
		pool.Status.ObservedGeneration = pool.Generation
		pool.Status.Phase = phase
		return c.Status().Update(ctx, &pool)
	})
}
