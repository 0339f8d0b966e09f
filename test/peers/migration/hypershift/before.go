// Package hypershift shows the move away from a helper that gets, mutates and patches
// under a lock, such as HyperShift's support/statuspatching.
package hypershift

import (
	"context"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// PatchStatus is the helper.
func PatchStatus(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool, mutate func(*v1alpha1.MachinePool)) error {
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		if err := c.Get(ctx, client.ObjectKeyFromObject(pool), pool); err != nil {
			return err
		}
		original := pool.DeepCopy()
		mutate(pool)
		if equality.Semantic.DeepEqual(original.Status, pool.Status) {
			return nil
		}
		return c.Status().Patch(ctx, pool, client.MergeFromWithOptions(original, client.MergeFromWithOptimisticLock{}))
	})
}

// Before is a use of the helper.
func Before(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool, replicas, ready int32) error {
	return PatchStatus(ctx, c, pool, func(pool *v1alpha1.MachinePool) {
		pool.Status.ObservedGeneration = pool.Generation
		pool.Status.Replicas = replicas
		pool.Status.ReadyReplicas = ready
		meta.SetStatusCondition(&pool.Status.Conditions, metav1.Condition{
			Type: "Ready", Status: metav1.ConditionFalse, Reason: "Scaling",
			ObservedGeneration: pool.Generation,
		})
	})
}
