package e2e_test

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// These tests replay the report that the project began with: what the controller holds
// says 3 replicas, 3 ready; the server says 3 and 2; the controller now counts 4 and 3.
// A diff against what it holds sends only one of the two numbers that belong together.

// before is what the controller holds, and between what another writer has stored since.
func before() v1alpha1.MachinePoolStatus {
	return v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Replicas: 3, ReadyReplicas: 3}
}

func between(s *v1alpha1.MachinePoolStatus) { s.ReadyReplicas = 2 }

// halfWritten says whether the server holds counters that nobody computed.
func halfWritten(s v1alpha1.MachinePoolStatus) bool { return s.Replicas == 4 && s.ReadyReplicas == 2 }

// The control: without it, the tests below might pass on a server where nothing can go wrong.
func TestPlainDiffStoresHalfOfTheCounters(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", before())
		b.otherWrites(t, pool, between)

		base := pool.DeepCopy()
		pool.Status.Replicas, pool.Status.ReadyReplicas = 4, 3
		if err := b.client.Status().Patch(t.Context(), pool, client.MergeFrom(base)); err != nil {
			t.Fatal(err)
		}
		if status := b.stored(t, pool).Status; !halfWritten(status) {
			t.Errorf("stored %d/%d, want 4/2: the story no longer holds", status.Replicas, status.ReadyReplicas)
		}
		b.wantPatches(t, `{"status":{"replicas":4}}`)
	})
}

func TestCountersFromAStaleObject(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", before())
		b.otherWrites(t, pool, between)
		newest := b.stored(t, pool).ResourceVersion

		var result v1alpha1.StatusPatchResult
		err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.SetReplicasAndReadyReplicas(4, 3)
			return nil
		}, v1alpha1.WithStatusPatchResult(&result))
		if err != nil {
			t.Fatal(err)
		}
		b.wantCounters(t, pool, 4, 3)
		b.wantReads(t, 1)
		if len(b.patches()) != 2 || b.patches()[1] != fmt.Sprintf(`{"metadata":{"resourceVersion":"%s"},"status":{"replicas":4,"readyReplicas":3}}`, newest) {
			t.Errorf("sent %q, want a second PATCH with both counters under resourceVersion %s", b.patches(), newest)
		}
		if stored := b.stored(t, pool); result.Attempts != 2 || !result.Changed || result.ResourceVersion != stored.ResourceVersion || pool.ResourceVersion != stored.ResourceVersion {
			t.Errorf("result %+v and resourceVersion %s, want 2 attempts and the stored %s", result, pool.ResourceVersion, stored.ResourceVersion)
		}
	})
}

// The cache goes on giving the old object after the conflict: a read that is not newer
// than what the call has seen sends nothing.
func TestCountersFromAStaleCache(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", before())
		b.otherWrites(t, pool, between)
		held, newest := pool.ResourceVersion, b.stored(t, pool).ResourceVersion
		cache := &staleCache{Client: b.client, old: pool.DeepCopy(), left: 3}

		err := v1alpha1.PatchMachinePoolStatus(t.Context(), cache, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.SetReplicasAndReadyReplicas(4, 3)
			return nil
		}, quick(10))
		if err != nil {
			t.Fatal(err)
		}
		b.wantCounters(t, pool, 4, 3)
		b.wantReads(t, 1) // the three before it were the cache's
		const body = `{"metadata":{"resourceVersion":"%s"},"status":{"replicas":4,"readyReplicas":3}}`
		b.wantPatches(t, fmt.Sprintf(body, held), fmt.Sprintf(body, newest))
	})
}

// A reader that asks the server makes the stale cache not matter.
func TestCountersThroughALiveReader(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", before())
		b.otherWrites(t, pool, between)
		cache := &staleCache{Client: b.client, old: pool.DeepCopy(), left: 100}

		err := v1alpha1.PatchMachinePoolStatus(t.Context(), cache, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.SetReplicasAndReadyReplicas(4, 3)
			return nil
		}, v1alpha1.WithStatusPatchReader(b.client))
		if err != nil {
			t.Fatal(err)
		}
		b.wantCounters(t, pool, 4, 3)
		b.wantReads(t, 1)
		if cache.left != 100 {
			t.Error("the cache was read although a reader was given")
		}
	})
}

// With every lock and in both forms, whoever computed a number computed its mate too.
func TestCountersAreNeverHalfWritten(t *testing.T) {
	locks := []v1alpha1.StatusPatchLock{v1alpha1.StatusPatchLockObject, v1alpha1.StatusPatchLockFields, v1alpha1.StatusPatchLockNone}
	forms := map[string]func(*testing.T, *backend, *v1alpha1.MachinePool, ...client.SubResourcePatchOption) error{
		"closure": func(t *testing.T, b *backend, pool *v1alpha1.MachinePool, opts ...client.SubResourcePatchOption) error {
			return v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
				p.SetReplicasAndReadyReplicas(4, 3)
				return nil
			}, opts...)
		},
		"deferred": func(t *testing.T, b *backend, pool *v1alpha1.MachinePool, opts ...client.SubResourcePatchOption) error {
			patcher := v1alpha1.NewMachinePoolStatusPatcher(pool)
			pool.Status.Replicas = 4 // 3 ready, as the object says
			return patcher.Patch(t.Context(), b.client, opts...)
		},
	}
	for _, lock := range locks {
		for form, patch := range forms {
			t.Run(string(lock)+"/"+form, func(t *testing.T) {
				onBoth(t, func(t *testing.T, b *backend) {
					pool := b.pool(t, "pool", before())
					b.otherWrites(t, pool, between)
					if err := patch(t, b, pool, v1alpha1.WithStatusPatchLock(lock), quick(10)); err != nil {
						t.Fatal(err)
					}
					b.wantCounters(t, pool, 4, 3)
					if pool.Status.Replicas != 4 || pool.Status.ReadyReplicas != 3 {
						t.Errorf("the object says %d/%d, want 4/3", pool.Status.Replicas, pool.Status.ReadyReplicas)
					}
				})
			})
		}
	}
}

// A member that is set past its setter would mix its value with another writer's when
// the call is retried, so nothing is sent at all.
func TestHalfAGroupIsRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", before())
		err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.Status.Replicas = 4
			return nil
		})
		wantError(t, err, "SetReplicasAndReadyReplicas")
		b.wantPatches(t)
	})
}

// A setter's word for its group holds whatever is written beside the members later: in a
// parent that another group has a member in, or in the list of conditions.
func TestSettersOfSeveralGroupsInOneCall(t *testing.T) {
	type step = func(*v1alpha1.MachinePoolStatusPatch)
	counters := func(p *v1alpha1.MachinePoolStatusPatch) { p.SetReplicasAndReadyReplicas(4, 0) }
	availability := func(p *v1alpha1.MachinePoolStatusPatch) {
		p.SetAvailability(new(int32(2)), &metav1.Condition{Status: "True", Reason: "Enough"})
	}
	beside := func(p *v1alpha1.MachinePoolStatusPatch) {
		p.Status.Rollout.Image = "v2"
		p.SetPausedCondition("True", "Asked", "")
	}
	for name, steps := range map[string][]step{
		"counters first":     {counters, availability, beside},
		"availability first": {availability, counters, beside},
		"edits between":      {availability, beside, counters},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				pool := b.pool(t, "pool", before())
				err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
					for _, step := range steps {
						step(p)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				b.wantCounters(t, pool, 4, 0)
				s := b.stored(t, pool).Status
				if s.Rollout == nil || *s.Rollout.AvailableReplicas != 2 || s.Rollout.Image != "v2" || len(s.Conditions) != 2 {
					t.Errorf("stored %+v, want both groups and what stands beside them", s)
				}
				if len(b.patches()) != 1 {
					t.Errorf("sent %q, want one PATCH", b.patches())
				}

				err = v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
					for _, step := range steps {
						step(p)
					}
					*p.Status.Rollout.AvailableReplicas++
					return nil
				})
				wantError(t, err, "SetAvailability")
			})
		})
	}
}
