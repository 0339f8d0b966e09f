package conflict_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// The pattern of a reconcile that edits obj.Status all the way and writes once
// at the end, whatever happened.
func TestDeferredReconcile(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
		base := pool.ResourceVersion
		failed := errors.New("no machine to be had")
		reconcile := func() (reterr error) {
			p := v1alpha1.NewMachinePoolStatusPatcher(pool)
			defer func() {
				reterr = errors.Join(reterr, p.Patch(t.Context(), b.c, v1alpha1.WithStatusPatchObservedGeneration(reterr == nil)))
			}()
			pool.Status.Phase = "Scaling"
			pool.Status.Replicas = 2 // plain assignment: groups are replayed whole
			p.SetPausedCondition("False", "NotPaused", "")
			return failed
		}
		if err := reconcile(); !errors.Is(err, failed) || err.Error() != failed.Error() {
			t.Errorf("error %v, want only the reconcile's own", err)
		}
		b.wantCalls(1, 0)
		if !strings.HasPrefix(b.bodies()[0], strings.TrimSuffix(merge(base, `{"replicas":2,"readyReplicas":null,"phase":"Scaling","conditions":[{"type":"Paused",`), "}")) {
			t.Errorf("body %s", b.bodies()[0])
		}
		if s := b.stored().Status; s.ObservedGeneration != 1 || s.Phase != "Scaling" {
			t.Errorf("stored %+v", s)
		}
	})
}

// After a conflict the caller's changes go onto the fresh status, and what
// others changed stays: fields, map keys, entries, conditions.
func TestReplayRevertsNothing(t *testing.T) {
	for _, lock := range []v1alpha1.StatusPatchLock{v1alpha1.StatusPatchLockObject, v1alpha1.StatusPatchLockFields, v1alpha1.StatusPatchLockNone} {
		t.Run(string(lock), func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				one, two := int32(1), int32(2)
				pool := b.pool(v1alpha1.MachinePoolStatus{
					ObservedGeneration: 1, Replicas: 3, ReadyReplicas: 3, UpdatedReplicas: &one, Phase: "A",
					Capacity: quantities("cpu", "gone"), Zones: []string{"a", "b"},
					Machines:   []v1alpha1.MachineReference{{Name: "a"}, {Name: "b"}},
					Conditions: []metav1.Condition{condition("Theirs", "True", "R"), condition("Mine", "True", "R"), condition("Both", "True", "R")},
				})
				b.otherWrites(func(s *v1alpha1.MachinePoolStatus) {
					s.ReadyReplicas, s.UpdatedReplicas = 2, &two
					s.Capacity["memory"] = quantities("memory")["memory"]
					s.Zones = append(s.Zones, "theirs")
					s.Machines[1].Zone = "theirs"
					s.Machines = append(s.Machines, v1alpha1.MachineReference{Name: "theirs"})
					s.Conditions[0].Status, s.Conditions[2].Reason = "False", "Theirs"
				})

				p := v1alpha1.NewMachinePoolStatusPatcher(pool)
				pool.Status.Replicas = 4
				pool.Status.Phase = "B"
				pool.Status.Capacity["mine"] = quantities("mine")["mine"]
				delete(pool.Status.Capacity, "gone")
				pool.Status.Zones = []string{"a", "mine"}
				pool.Status.Machines = append(pool.Status.Machines[1:], v1alpha1.MachineReference{Name: "mine"})
				p.SetCondition(metav1.Condition{Type: "Mine", Status: "False", Reason: "R"})
				p.SetCondition(metav1.Condition{Type: "Both", Status: "False", Reason: "Mine"})
				must(t, p.Patch(t.Context(), b.c, quick, v1alpha1.WithStatusPatchLock(lock)))

				s := b.stored().Status
				if lock == v1alpha1.StatusPatchLockNone && len(b.bodies()) == 1 {
					t.Error("the conditions were not tested")
				}
				var conditions []string
				for _, c := range s.Conditions {
					conditions = append(conditions, c.Type+"="+string(c.Status)+"/"+c.Reason)
				}
				got := []any{s.Replicas, s.ReadyReplicas, *s.UpdatedReplicas, s.Phase, len(s.Capacity), s.Capacity["mine"], s.Capacity["memory"], s.Zones, s.Machines, conditions}
				want := []any{
					int32(4), int32(3), int32(2), "B", 3, quantities("x")["x"], quantities("x")["x"], []string{"a", "theirs", "mine"},
					[]v1alpha1.MachineReference{{Name: "b", Zone: "theirs"}, {Name: "theirs"}, {Name: "mine"}},
					[]string{"Theirs=False/R", "Mine=False/R", "Both=False/Mine"},
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("stored (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(s, pool.Status); diff != "" {
					t.Errorf("obj.Status is not what is stored:\n%s", diff)
				}
			})
		})
	}
}

// A plain field that both changed is a conflict; nothing is sent, the edits stay.
func TestReplayOfWhatBothChanged(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Phase = "Theirs" })
		p := v1alpha1.NewMachinePoolStatusPatcher(pool)
		pool.Status.Phase = "Mine"
		err := p.Patch(t.Context(), b.c, quick)
		if !apierrors.IsConflict(err) || !strings.Contains(err.Error(), "status.phase was changed by another writer too") {
			t.Errorf("error %v, want a conflict that names the field", err)
		}
		b.wantCalls(1, 1)
		if b.stored().Status.Phase != "Theirs" || pool.Status.Phase != "Mine" {
			t.Errorf("stored %s, in obj %s: want Theirs, and Mine kept", b.stored().Status.Phase, pool.Status.Phase)
		}
	})
}

// Both made the same change: nothing is left to send.
func TestReplayOfTheSameChange(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Phase = "B" })
		p := v1alpha1.NewMachinePoolStatusPatcher(pool)
		pool.Status.Phase = "B"
		var result v1alpha1.StatusPatchResult
		must(t, p.Patch(t.Context(), b.c, quick, v1alpha1.WithStatusPatchResult(&result)))
		b.wantCalls(1, 1)
		if result.Changed {
			t.Error("the result says that a write landed")
		}
	})
}

// Patch again and again: each starts from the last one's answer, or after an
// error from where it was.
func TestPatchRepeatedly(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
		p := v1alpha1.NewMachinePoolStatusPatcher(pool)
		first := pool.ResourceVersion
		pool.Status.Phase = "A"
		must(t, p.Patch(t.Context(), b.c))
		second := pool.ResourceVersion
		must(t, p.Patch(t.Context(), b.c))
		wantBodies(t, b, merge(first, `{"phase":"A"}`))

		pool.Status.Phase = "B"
		broken := errors.New("broken pipe")
		b.beforePatch = func(int) error { return broken }
		if err := p.Patch(t.Context(), b.c); !errors.Is(err, broken) || pool.Status.Phase != "B" {
			t.Errorf("error %v, phase %s: want the client's error, and the edit kept", err, pool.Status.Phase)
		}
		b.beforePatch = nil
		p.SetReplicasAndReadyReplicas(1, 1)
		must(t, p.Patch(t.Context(), b.c))
		wantBodies(t, b, merge(first, `{"phase":"A"}`), merge(second, `{"phase":"B"}`), merge(second, `{"replicas":1,"readyReplicas":1,"phase":"B"}`))
		if pool.ResourceVersion != b.stored().ResourceVersion {
			t.Error("obj has not the resourceVersion that was stored")
		}
	})
}

// Around the caller's own writes and reads Keep carries the edits over.
func TestKeep(t *testing.T) {
	for name, write := range map[string]func(*backend, *v1alpha1.MachinePool) error{
		"finalizer update": func(b *backend, pool *v1alpha1.MachinePool) error {
			pool.Finalizers = append(pool.Finalizers, "example.com/f")
			return b.c.Update(b.t.Context(), pool)
		},
		"label patch": func(b *backend, pool *v1alpha1.MachinePool) error {
			before := pool.DeepCopy()
			pool.Labels = map[string]string{"a": "b"}
			return b.c.Patch(b.t.Context(), pool, client.MergeFrom(before))
		},
		"read": func(b *backend, pool *v1alpha1.MachinePool) error {
			b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{"theirs"} })
			return b.others.Get(b.t.Context(), client.ObjectKeyFromObject(pool), pool)
		},
		"nothing": func(*backend, *v1alpha1.MachinePool) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A", Conditions: []metav1.Condition{condition("Other", "True", "R")}})
				p := v1alpha1.NewMachinePoolStatusPatcher(pool)
				pool.Status.Phase = "B"
				p.SetReplicasAndReadyReplicas(2, 1)
				must(t, p.Keep(func() error { return write(b, pool) }))
				if pool.Status.Phase != "B" || pool.Status.Replicas != 2 || len(pool.Status.Conditions) != 1 {
					t.Errorf("after Keep obj.Status is %+v, want the edits in it", pool.Status)
				}
				p.SetPausedCondition("True", "Asked", "")
				base := pool.ResourceVersion
				must(t, p.Patch(t.Context(), b.c))
				b.wantCalls(1, 0)
				if !strings.HasPrefix(b.bodies()[0], strings.TrimSuffix(merge(base, `{"replicas":2,"readyReplicas":1,"phase":"B","conditions":`), "}")) {
					t.Errorf("body %s", b.bodies()[0])
				}
				s := b.stored()
				if s.Status.Phase != "B" || len(s.Status.Conditions) != 2 || name == "read" && len(s.Status.Zones) != 1 {
					t.Errorf("stored %+v", s.Status)
				}
				if name == "finalizer update" && len(s.Finalizers) != 1 || name == "label patch" && s.Labels["a"] != "b" {
					t.Error("the caller's own write is gone")
				}
			})
		})
	}
}

// A write in Keep that fails leaves the edits in place.
func TestKeepOfAFailedWrite(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
		p := v1alpha1.NewMachinePoolStatusPatcher(pool)
		pool.Status.Phase = "B"
		failed := errors.New("no such luck")
		if err := p.Keep(func() error { return failed }); !errors.Is(err, failed) || pool.Status.Phase != "B" {
			t.Errorf("error %v, phase %s: want the write's error, and the edit kept", err, pool.Status.Phase)
		}
		func() {
			defer func() {
				if recover() == nil || pool.Status.Phase != "B" {
					t.Error("a write that panics loses the edits, or its panic")
				}
			}()
			_ = p.Keep(func() error { panic("write") })
		}()
		must(t, p.Patch(t.Context(), b.c))
		if b.stored().Status.Phase != "B" {
			t.Error("the edit was not written")
		}
	})
}

// An obj that was read or written without Keep is an error, and nothing is sent.
func TestObjectMovedUnderThePatcher(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
		p := v1alpha1.NewMachinePoolStatusPatcher(pool)
		pool.Labels = map[string]string{"a": "b"}
		must(t, b.c.Update(t.Context(), pool))
		pool.Status.Phase = "A"
		err := p.Patch(t.Context(), b.c)
		if err == nil || !strings.Contains(err.Error(), "Keep") {
			t.Errorf("error %v, want one that names Keep", err)
		}
		b.wantCalls(0, 0)
		if pool.Status.Phase != "A" {
			t.Error("the edit is gone")
		}
	})
}

// Keep that reads another object of the same name ends the patcher.
func TestKeepOfARecreatedObject(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
		p := v1alpha1.NewMachinePoolStatusPatcher(pool)
		pool.Status.Phase = "A"
		err := p.Keep(func() error {
			must(t, b.others.Delete(t.Context(), pool.DeepCopy()))
			b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
			b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{"z"} })
			return b.others.Get(t.Context(), client.ObjectKeyFromObject(pool), pool)
		})
		if !apierrors.IsNotFound(err) {
			t.Errorf("error %v, want not found", err)
		}
		if err := p.Patch(t.Context(), b.c); !apierrors.IsNotFound(err) {
			t.Errorf("error %v of Patch, want not found", err)
		}
		b.wantCalls(0, 0)
	})
}

// The generation is that of New, also where the object moves on in Keep.
func TestDeferredGeneration(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{})
		p := v1alpha1.NewMachinePoolStatusPatcher(pool)
		p.SetPausedCondition("False", "NotPaused", "")
		must(t, p.Keep(func() error {
			b.otherChanges(func(p *v1alpha1.MachinePool) { p.Spec.Replicas = 9 })
			return b.others.Get(t.Context(), client.ObjectKeyFromObject(pool), pool)
		}))
		if pool.Generation != 2 {
			t.Fatalf("generation %d, want 2", pool.Generation)
		}
		must(t, p.Patch(t.Context(), b.c))
		if s := b.stored().Status; s.ObservedGeneration != 1 || s.Conditions[0].ObservedGeneration != 1 {
			t.Errorf("stored %+v, want generation 1", s)
		}
	})
}

// Keep meets another writer's change of the same plain field.
func TestKeepOfWhatBothChanged(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
		p := v1alpha1.NewMachinePoolStatusPatcher(pool)
		pool.Status.Phase = "Mine"
		err := p.Keep(func() error {
			b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Phase = "Theirs" })
			return b.others.Get(t.Context(), client.ObjectKeyFromObject(pool), pool)
		})
		if !apierrors.IsConflict(err) {
			t.Errorf("error %v, want a conflict", err)
		}
		if err := p.Patch(t.Context(), b.c); !apierrors.IsConflict(err) {
			t.Errorf("error %v of Patch, want the conflict again", err)
		}
		b.wantCalls(0, 0)
	})
}
