package e2e_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// What both sides changed since the patcher was taken: entries of maps and keyed lists
// meet, groups and conditions are the caller's.
func TestDeferredEditsMeetAnotherWriters(t *testing.T) {
	for name, test := range map[string]struct {
		mine   func(*v1alpha1.MachinePoolStatusPatcher)
		theirs func(*v1alpha1.MachinePoolStatus)
		want   func(*v1alpha1.MachinePoolStatus) // of what full was
	}{
		"a set": {
			func(p *v1alpha1.MachinePoolStatusPatcher) { p.Status.Zones = append(p.Status.Zones, "mine") },
			func(s *v1alpha1.MachinePoolStatus) { s.Zones = append(s.Zones, "theirs") },
			func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{"a", "b", "mine", "theirs"} },
		},
		"a map": {
			func(p *v1alpha1.MachinePoolStatusPatcher) { p.Status.Capacity["mine"] = resource.MustParse("1") },
			func(s *v1alpha1.MachinePoolStatus) { delete(s.Capacity, "cpu") },
			func(s *v1alpha1.MachinePoolStatus) {
				s.Capacity = map[string]resource.Quantity{"memory": resource.MustParse("1Gi"), "mine": resource.MustParse("1")}
			},
		},
		"entries of a keyed list": {
			func(p *v1alpha1.MachinePoolStatusPatcher) { p.Status.Machines[0].Zone = "mine" },
			func(s *v1alpha1.MachinePoolStatus) { s.Machines[1].Zone = "theirs" },
			func(s *v1alpha1.MachinePoolStatus) { s.Machines[0].Zone, s.Machines[1].Zone = "mine", "theirs" },
		},
		"a group": {
			func(p *v1alpha1.MachinePoolStatusPatcher) { p.Status.Replicas = 9 },
			func(s *v1alpha1.MachinePoolStatus) { s.Replicas, s.ReadyReplicas = 7, 7 },
			func(s *v1alpha1.MachinePoolStatus) { s.Replicas = 9 }, // and 2 ready, as the caller counted
		},
		"a condition": {
			func(p *v1alpha1.MachinePoolStatusPatcher) {
				p.SetReadyCondition("False", v1alpha1.MachinePoolReadyConditionReasonScaling, "mine")
			},
			func(s *v1alpha1.MachinePoolStatus) { s.Conditions[0].Message = "theirs" },
			func(s *v1alpha1.MachinePoolStatus) { s.Conditions[0].Message = "mine" },
		},
		"the same value": {
			func(p *v1alpha1.MachinePoolStatusPatcher) { p.Status.Phase = "Same" },
			func(s *v1alpha1.MachinePoolStatus) { s.Phase = "Same" },
			func(s *v1alpha1.MachinePoolStatus) { s.Phase = "Same" },
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				pool := b.pool(t, "pool", full())
				patcher := v1alpha1.NewMachinePoolStatusPatcher(pool)
				test.mine(patcher)
				b.otherWrites(t, pool, test.theirs)
				if err := patcher.Patch(t.Context(), b.client, quick(5)); err != nil {
					t.Fatal(err)
				}
				want := full()
				test.want(&want)
				got := b.stored(t, pool).Status
				slices.Sort(got.Zones) // a set has no order
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("stored (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// A plain field that both changed is nobody's: an error, no PATCH on top of it, and the
// caller's edits are still there.
func TestDeferredEditOfAFieldThatOthersChanged(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", full())
		patcher := v1alpha1.NewMachinePoolStatusPatcher(pool)
		pool.Status.Phase = "Mine"
		b.otherWrites(t, pool, func(s *v1alpha1.MachinePoolStatus) { s.Phase = "Theirs" })
		err := patcher.Patch(t.Context(), b.client, quick(5))
		wantError(t, err, "status.phase was changed by another writer too")
		if !apierrors.IsConflict(err) {
			t.Errorf("IsConflict is false of %v", err)
		}
		if stored := b.stored(t, pool); stored.Status.Phase != "Theirs" || pool.Status.Phase != "Mine" || len(b.patches()) != 1 {
			t.Errorf("stored %q, held %q, %d PATCHes; want Theirs, Mine and 1", stored.Status.Phase, pool.Status.Phase, len(b.patches()))
		}
	})
}

// A write of the object in the middle of the edits, on which another writer has come in
// between: what he wrote is kept, and so are the edits from before and after.
func TestKeepCarriesEditsAcrossAWrite(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", before())
		patcher := v1alpha1.NewMachinePoolStatusPatcher(pool)
		patcher.SetReplicasAndReadyReplicas(8, 1)
		b.otherWrites(t, pool, func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{"theirs"} })

		err := patcher.Keep(func() error {
			if err := b.client.Get(t.Context(), client.ObjectKeyFromObject(pool), pool); err != nil {
				return err
			}
			pool.Finalizers = append(pool.Finalizers, "example.com/hold")
			return b.client.Update(t.Context(), pool)
		})
		if err != nil {
			t.Fatal(err)
		}
		if pool.Status.Replicas != 8 || !slices.Equal(pool.Status.Zones, []string{"theirs"}) {
			t.Errorf("after Keep the object says %+v, want the edits on what the server has", pool.Status)
		}
		patcher.SetReadyCondition(metav1.ConditionTrue, v1alpha1.MachinePoolReadyConditionReasonAllReady, "")
		if err := patcher.Patch(t.Context(), b.client); err != nil {
			t.Fatal(err)
		}
		stored := b.stored(t, pool)
		if s := stored.Status; s.Replicas != 8 || s.ReadyReplicas != 1 || len(s.Zones) != 1 || len(s.Conditions) != 1 || len(stored.Finalizers) != 1 {
			t.Errorf("stored %+v with finalizers %v", s, stored.Finalizers)
		}
		if len(b.patches()) != 1 {
			t.Errorf("sent %q, want one PATCH", b.patches())
		}

		// Nothing was edited since: the patcher is done.
		if err := patcher.Patch(t.Context(), b.client); err != nil {
			t.Fatal(err)
		}
		if len(b.patches()) != 1 {
			t.Errorf("sent %q, want nothing more", b.patches())
		}
	})
}
