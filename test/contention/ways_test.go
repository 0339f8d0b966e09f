package contention_test

import (
	"context"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// way is a way of writing status: one update by mutate, from the object that
// the writer holds.
type way struct {
	name  string
	write func(ctx context.Context, c client.Client, obj *v1alpha1.MachinePool, mutate func(*v1alpha1.MachinePoolStatus)) error
}

// patcher is the generated patcher under a lock. No backoff means the default.
func patcher(name string, lock v1alpha1.StatusPatchLock, backoff *wait.Backoff) way {
	opts := []client.SubResourcePatchOption{v1alpha1.WithStatusPatchLock(lock)}
	if backoff != nil {
		opts = append(opts, v1alpha1.WithStatusPatchBackoff(*backoff))
	}
	return way{name, func(ctx context.Context, c client.Client, obj *v1alpha1.MachinePool, mutate func(*v1alpha1.MachinePoolStatus)) error {
		return v1alpha1.PatchMachinePoolStatus(ctx, c, obj, func(p *v1alpha1.MachinePoolStatusPatch) error {
			mutate(p.Status)
			p.MarkReplicasAndReadyReplicasComputed()
			return nil
		}, opts...)
	}}
}

// getAndPatch is the way of HyperShift's support/statuspatching: read, copy,
// mutate, compare, merge patch with optimistic lock, all again on a conflict.
var getAndPatch = way{"GET, DeepCopy, merge patch, RetryOnConflict", func(ctx context.Context, c client.Client, obj *v1alpha1.MachinePool, mutate func(*v1alpha1.MachinePoolStatus)) error {
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		if err := c.Get(ctx, client.ObjectKeyFromObject(obj), obj); err != nil {
			return err
		}
		before := obj.DeepCopy()
		mutate(&obj.Status)
		if equality.Semantic.DeepEqual(before.Status, obj.Status) {
			return nil
		}
		return c.Status().Patch(ctx, obj, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
	})
}}
