package e2e_test

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// Two managers read the same object, then each writes what it alone knows: both stay.
func TestTwoWritersOfDifferentFields(t *testing.T) {
	for _, test := range []struct {
		lock    v1alpha1.StatusPatchLock
		patches int // of the second writer
	}{
		{v1alpha1.StatusPatchLockObject, 2},
		{v1alpha1.StatusPatchLockFields, 1},
		{v1alpha1.StatusPatchLockNone, 1},
	} {
		t.Run(string(test.lock), func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				first := b.pool(t, "pool", before())
				second := first.DeepCopy()
				lock := v1alpha1.WithStatusPatchLock(test.lock)

				err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.other, first, func(p *v1alpha1.MachinePoolStatusPatch) error {
					p.SetReplicasAndReadyReplicas(4, 3)
					p.SetReadyCondition("False", v1alpha1.MachinePoolReadyConditionReasonScaling, "")
					return nil
				}, lock)
				if err != nil {
					t.Fatal(err)
				}
				err = v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, second, func(p *v1alpha1.MachinePoolStatusPatch) error {
					p.Status.Zones = []string{"a"}
					p.Status.Phase = "Placed"
					return nil
				}, lock)
				if err != nil {
					t.Fatal(err)
				}
				b.wantCounters(t, first, 4, 3)
				stored := b.stored(t, first).Status
				if len(stored.Zones) != 1 || stored.Phase != "Placed" || len(stored.Conditions) != 1 {
					t.Errorf("stored %+v, want what both wrote", stored)
				}
				if got := b.patches(); len(got) != test.patches || strings.Contains(got[len(got)-1], "replicas") {
					t.Errorf("the second writer sent %q, want %d PATCHes and nothing of the first writer's", got, test.patches)
				}
				if second.Status.Replicas != 4 {
					t.Errorf("the second writer's object says %d replicas, want the server's 4", second.Status.Replicas)
				}
			})
		})
	}
}

// The same through the deferred form, with a label that somebody sets meanwhile.
func TestDeferredEditsLandOnANewerObject(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", before())
		patcher := v1alpha1.NewMachinePoolStatusPatcher(pool)
		pool.Status.Phase = "Placed"
		pool.Status.Machines = append(pool.Status.Machines, v1alpha1.MachineReference{Name: "mine"})

		b.otherWrites(t, pool, func(s *v1alpha1.MachinePoolStatus) {
			s.Replicas, s.ReadyReplicas = 5, 5
			s.Machines = []v1alpha1.MachineReference{{Name: "theirs"}}
		})
		live := b.stored(t, pool)
		live.Labels = map[string]string{"theirs": "yes"}
		if err := b.other.Update(t.Context(), live); err != nil {
			t.Fatal(err)
		}
		if err := patcher.Patch(t.Context(), b.client, quick(5)); err != nil {
			t.Fatal(err)
		}
		stored := b.stored(t, pool)
		if stored.Status.Phase != "Placed" || stored.Status.Replicas != 5 || len(stored.Status.Machines) != 2 || stored.Labels["theirs"] != "yes" {
			t.Errorf("stored %+v with labels %v, want the edits of both", stored.Status, stored.Labels)
		}
	})
}

// Two calls with one object, as it came from a cache: the second reverts nothing of the first's.
func TestTwoCallsWithOneObject(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", before())
		if err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, setPhase("Placed")); err != nil {
			t.Fatal(err)
		}
		err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.SetReplicasAndReadyReplicas(9, 8)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		b.wantCounters(t, pool, 9, 8)
		if stored := b.stored(t, pool); stored.Status.Phase != "Placed" {
			t.Errorf("stored phase %q, want Placed", stored.Status.Phase)
		}
		if len(b.patches()) != 2 || b.reads() != 0 {
			t.Errorf("%d PATCHes and %d reads, want 2 and none", len(b.patches()), b.reads())
		}
	})
}

// Writers of one counter at the same time: no update is lost and none is handed back.
func TestManyWritersOfOneCounter(t *testing.T) {
	const writers, updates = 4, 10
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
		inParallel(t, writers, func(int) error {
			own := pool.DeepCopy()
			for range updates {
				err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, own, func(p *v1alpha1.MachinePoolStatusPatch) error {
					p.SetReplicasAndReadyReplicas(p.Status.Replicas+1, p.Status.ReadyReplicas+1)
					return nil
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		b.wantCounters(t, pool, writers*updates, writers*updates)
	})
}

// Writers each with a condition and a list entry of its own, all absent at first.
func TestManyWritersEachWithItsOwnEntry(t *testing.T) {
	const writers = 8
	for _, lock := range []v1alpha1.StatusPatchLock{v1alpha1.StatusPatchLockObject, v1alpha1.StatusPatchLockFields, v1alpha1.StatusPatchLockNone} {
		t.Run(string(lock), func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				pool := b.pool(t, "pool", v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
				inParallel(t, writers, func(i int) error {
					return v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool.DeepCopy(), func(p *v1alpha1.MachinePoolStatusPatch) error {
						p.SetCondition(metav1.Condition{Type: "Writer" + strconv.Itoa(i), Status: "True", Reason: "Wrote"})
						p.Status.Machines = append(p.Status.Machines, v1alpha1.MachineReference{Name: fmt.Sprint("machine-", i)})
						return nil
					}, v1alpha1.WithStatusPatchLock(lock))
				})
				stored := b.stored(t, pool).Status
				conditions := map[string]bool{}
				for _, c := range stored.Conditions {
					conditions[c.Type] = true
				}
				machines := map[string]bool{}
				for _, m := range stored.Machines {
					machines[m.Name] = true
				}
				wantMachines := writers
				if lock == v1alpha1.StatusPatchLockNone { // the last writer of a list wins
					wantMachines = 1
				}
				if len(conditions) != writers || len(machines) < wantMachines {
					t.Errorf("%d conditions and %d machines are stored, want %d and at least %d", len(conditions), len(machines), writers, wantMachines)
				}
			})
		})
	}
}

// inParallel runs writers at once and reports their errors.
func inParallel(t *testing.T, writers int, write func(i int) error) {
	t.Helper()
	var group sync.WaitGroup
	for i := range writers {
		group.Go(func() {
			if err := write(i); err != nil {
				t.Errorf("writer %d: %v", i, err)
			}
		})
	}
	group.Wait()
}
