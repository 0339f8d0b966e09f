package main

import (
	"context"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// counters are what a controller computes, from what it is shown.
type counters func(replicas, readyReplicas int32) (int32, int32)

// way is a way to write the counters of a pool. Its client reads from a cache.
type way struct {
	name  string
	write func(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool, compute counters) error
}

// ways are the ways that the demo compares.
var ways = []way{
	{"plain MergeFrom patch", plainPatch},
	{"get, mutate, locked patch", lockedPatch},
	{"generated patcher", generatedPatcher},
}

// plainPatch sends what differs from the object that was read, unguarded.
func plainPatch(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool, compute counters) error {
	if err := c.Get(ctx, client.ObjectKeyFromObject(pool), pool); err != nil {
		return err
	}
	base := pool.DeepCopy()
	pool.Status.Replicas, pool.Status.ReadyReplicas = compute(pool.Status.Replicas, pool.Status.ReadyReplicas)
	return c.Status().Patch(ctx, pool, client.MergeFrom(base))
}

// lockedPatch is the helper that many projects have: read, mutate, skip if nothing
// changed, send the difference guarded by the resourceVersion, and all of it again
// after a conflict.
func lockedPatch(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool, compute counters) error {
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		if err := c.Get(ctx, client.ObjectKeyFromObject(pool), pool); err != nil {
			return err
		}
		base := pool.DeepCopy()
		pool.Status.Replicas, pool.Status.ReadyReplicas = compute(pool.Status.Replicas, pool.Status.ReadyReplicas)
		if equality.Semantic.DeepEqual(base.Status, pool.Status) {
			return nil
		}
		return c.Status().Patch(ctx, pool, client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{}))
	})
}

// generatedPatcher leaves all of that to the generated code.
func generatedPatcher(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool, compute counters) error {
	return v1alpha1.PatchMachinePoolStatus(ctx, c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
		p.SetReplicasAndReadyReplicas(compute(p.Status.Replicas, p.Status.ReadyReplicas))
		return nil
	})
}
