package conflict_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

var (
	byFields = v1alpha1.WithStatusPatchLock(v1alpha1.StatusPatchLockFields)
	unlocked = v1alpha1.WithStatusPatchLock(v1alpha1.StatusPatchLockNone)
	atNoon   = v1alpha1.WithStatusPatchNow(func() time.Time { return time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC) })
)

func setCondition(conditionType string, status metav1.ConditionStatus, reason string) func(*v1alpha1.MachinePoolStatusPatch) error {
	return func(p *v1alpha1.MachinePoolStatusPatch) error {
		p.SetCondition(metav1.Condition{Type: conditionType, Status: status, Reason: reason})
		return nil
	}
}

// entry is a condition's JSON as the tests of this file store it.
func entry(conditionType, status, since, reason string) string {
	return fmt.Sprintf(`{"type":%q,"status":%q,"observedGeneration":1,"lastTransitionTime":%q,"reason":%q,"message":""}`, conditionType, status, since, reason)
}

const (
	longAgo = "2001-09-09T01:46:40Z"
	noon    = "2026-01-02T12:00:00Z"
)

// Writers of other fields and of other conditions do not conflict, though the
// base is older than their writes.
func TestFieldsLockMeetsNoOthers(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A", Conditions: []metav1.Condition{
			condition("First", "True", "R"), condition("Second", "True", "R")}})
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Phase, s.Conditions[0].Status = "B", "False" })
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, setCondition("Second", "False", "R"), byFields, atNoon))
		wantBodies(t, b, guarded(cached, `{"op":"test","path":"/status/conditions/1/type","value":"Second"},{"op":"test","path":"/status/conditions/1","value":`+
			entry("Second", "True", longAgo, "R")+`},{"op":"replace","path":"/status/conditions/1","value":`+entry("Second", "False", noon, "R")+`}`))
		s := b.stored().Status
		if s.Phase != "B" || s.Conditions[0].Status != "False" || s.Conditions[1].Status != "False" {
			t.Errorf("stored %+v, want what both wrote", s)
		}
		if cached.Status.Phase != "B" {
			t.Error("obj.Status is not the server's answer")
		}
	})
}

// Another writer moved the entry to another index: the tests notice, and the
// retry finds it.
func TestFieldsLockFindsAMovedCondition(t *testing.T) {
	for _, lock := range []client.SubResourcePatchOption{byFields, unlocked} {
		onBoth(t, func(t *testing.T, b *backend) {
			cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Conditions: []metav1.Condition{
				condition("First", "True", "R"), condition("Mine", "True", "R"), condition("Last", "True", "R")}})
			b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Conditions = s.Conditions[1:] })
			must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, setCondition("Mine", "False", "R"), lock, quick))
			b.wantCalls(2, 1)
			s := b.stored().Status
			if len(s.Conditions) != 2 || s.Conditions[0].Status != "False" || s.Conditions[1].Status != "True" {
				t.Errorf("stored %+v, want Mine False, Last True", s.Conditions)
			}
		})
	}
}

// The index is past the end of what the server has: the path is gone.
func TestFieldsLockMeetsAGonePath(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A", Conditions: []metav1.Condition{
			condition("First", "True", "R"), condition("Mine", "True", "R")}})
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Conditions = nil })
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, setCondition("Mine", "False", "R"), byFields, quick))
		b.wantCalls(2, 1)
		if s := b.stored().Status; len(s.Conditions) != 1 || s.Conditions[0].Type != "Mine" {
			t.Errorf("stored %+v, want Mine alone", s.Conditions)
		}
	})
}

// One call changes, adds and removes entries.
func TestFieldsLockEditsEntryByEntry(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Conditions: []metav1.Condition{
			condition("Gone", "True", "R"), condition("Kept", "True", "R"), condition("Changed", "True", "R")}})
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.RemoveCondition("Gone")
			p.SetCondition(metav1.Condition{Type: "Changed", Status: "True", Reason: "Other"})
			p.SetCondition(metav1.Condition{Type: "Added", Status: "True", Reason: "R"})
			return nil
		}, byFields, atNoon))
		list := entry("Gone", "True", longAgo, "R") + "," + entry("Kept", "True", longAgo, "R") + "," + entry("Changed", "True", longAgo, "R")
		wantBodies(t, b, guarded(pool, `{"op":"test","path":"/status/conditions/2/type","value":"Changed"},{"op":"test","path":"/status/conditions/2","value":`+entry("Changed", "True", longAgo, "R")+`},`+
			`{"op":"test","path":"/status/conditions","value":[`+list+`]},`+
			`{"op":"replace","path":"/status/conditions/2","value":`+entry("Changed", "True", longAgo, "Other")+`},`+
			`{"op":"remove","path":"/status/conditions/0"},{"op":"add","path":"/status/conditions/-","value":`+entry("Added", "True", noon, "R")+`}`))
		var types []string
		for _, c := range b.stored().Status.Conditions {
			types = append(types, c.Type+c.Reason)
		}
		if got := strings.Join(types, " "); got != "KeptR ChangedOther AddedR" {
			t.Errorf("stored %s", got)
		}
	})
}

// What is absent in the base is added under a test that it is absent, so that a
// stale base wipes nothing: neither a list, nor a map, a struct or the status.
func TestNothingUnseenIsWiped(t *testing.T) {
	seven := int32(7)
	for _, test := range []struct {
		name  string
		other func(*v1alpha1.MachinePoolStatus)
		edit  func(*v1alpha1.MachinePoolStatusPatch) error
		base  v1alpha1.MachinePoolStatus
		kept  func(*v1alpha1.MachinePoolStatus) bool
	}{
		{
			name: "status", other: func(s *v1alpha1.MachinePoolStatus) { s.Phase = "Theirs" },
			edit: setCondition("Mine", "True", "R"),
			kept: func(s *v1alpha1.MachinePoolStatus) bool { return s.Phase == "Theirs" && len(s.Conditions) == 1 },
		},
		{
			name: "conditions", base: v1alpha1.MachinePoolStatus{ObservedGeneration: 1},
			other: func(s *v1alpha1.MachinePoolStatus) {
				s.Conditions = []metav1.Condition{condition("Theirs", "True", "R")}
			},
			edit: setCondition("Mine", "True", "R"),
			kept: func(s *v1alpha1.MachinePoolStatus) bool { return len(s.Conditions) == 2 },
		},
		{
			name: "map", base: v1alpha1.MachinePoolStatus{ObservedGeneration: 1},
			other: func(s *v1alpha1.MachinePoolStatus) { s.Capacity = quantities("theirs") },
			edit: func(p *v1alpha1.MachinePoolStatusPatch) error {
				if p.Status.Capacity == nil {
					p.Status.Capacity = quantities("mine")
				}
				p.Status.Capacity["mine"] = quantities("mine")["mine"]
				return nil
			},
			kept: func(s *v1alpha1.MachinePoolStatus) bool { return len(s.Capacity) == 2 },
		},
		{
			name: "struct", base: v1alpha1.MachinePoolStatus{ObservedGeneration: 1},
			other: func(s *v1alpha1.MachinePoolStatus) { s.Rollout = &v1alpha1.MachinePoolRollout{Image: "theirs"} },
			edit: func(p *v1alpha1.MachinePoolStatusPatch) error {
				p.SetAvailability(&seven, nil)
				return nil
			},
			kept: func(s *v1alpha1.MachinePoolStatus) bool {
				return s.Rollout.Image == "theirs" && *s.Rollout.AvailableReplicas == 7
			},
		},
		{
			name: "list", base: v1alpha1.MachinePoolStatus{ObservedGeneration: 1},
			other: func(s *v1alpha1.MachinePoolStatus) { s.Machines = []v1alpha1.MachineReference{{Name: "theirs"}} },
			edit: func(p *v1alpha1.MachinePoolStatusPatch) error {
				p.Status.Machines = append(p.Status.Machines, v1alpha1.MachineReference{Name: "mine"})
				return nil
			},
			kept: func(s *v1alpha1.MachinePoolStatus) bool { return len(s.Machines) == 2 },
		},
	} {
		for name, lock := range map[string]client.SubResourcePatchOption{"fields": byFields, "none": unlocked} {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				onBoth(t, func(t *testing.T, b *backend) {
					cached := b.pool(test.base)
					b.otherWrites(test.other)
					must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, test.edit, lock, quick))
					b.wantCalls(2, 1)
					if s := b.stored().Status; !test.kept(&s) {
						t.Errorf("stored %+v: what the other writer had added is gone, or mine is", s)
					}
				})
			})
		}
	}
}

// A member that is absent on both sides is tested for: another writer's would
// be mixed with the rest of the group.
func TestAbsentMembersAreGuarded(t *testing.T) {
	for name, lock := range map[string]client.SubResourcePatchOption{"fields": byFields, "none": unlocked} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Conditions: []metav1.Condition{condition("Available", "True", "Counted")}})
				seven := int32(7)
				b.otherWrites(func(s *v1alpha1.MachinePoolStatus) {
					s.Rollout = &v1alpha1.MachinePoolRollout{AvailableReplicas: &seven, Image: "theirs"}
				})
				must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, func(p *v1alpha1.MachinePoolStatusPatch) error {
					p.SetAvailability(nil, &metav1.Condition{Status: "Unknown", Reason: "Uncounted"})
					return nil
				}, lock, quick))
				s := b.stored().Status
				if s.Rollout.AvailableReplicas != nil || s.Conditions[0].Status != "Unknown" || s.Rollout.Image != "theirs" {
					t.Errorf("stored rollout %+v with condition %s: want the group whole, the image kept", s.Rollout, s.Conditions[0].Status)
				}
			})
		})
	}
}

// The base cannot be told from what the server has, and the tests fail all the
// same: the lock is the object's then. Here the server holds a zero that Go
// reads as absent.
func TestFieldsLockFallsBackToTheObject(t *testing.T) {
	b := onServer(t)
	pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
	must(t, b.others.Status().Patch(t.Context(), pool, client.RawPatch("application/merge-patch+json", []byte(`{"status":{"phase":""}}`))))
	base := pool.ResourceVersion
	must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool, setPhase("A"), byFields, quick))
	wantBodies(t, b,
		guarded(pool, `{"op":"test","path":"/status/phase","value":null},{"op":"add","path":"/status/phase","value":"A"}`),
		merge(base, `{"phase":"A"}`))
	if b.stored().Status.Phase != "A" {
		t.Error("the phase was not stored")
	}
}

// A 422 of the schema is no failed test: it is returned at once.
func TestSchemaErrorIsNoConflict(t *testing.T) {
	for name, lock := range map[string]client.SubResourcePatchOption{"fields": byFields, "none": unlocked, "object": v1alpha1.WithStatusPatchLock(v1alpha1.StatusPatchLockObject)} {
		t.Run(name, func(t *testing.T) {
			b := onServer(t)
			pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
			before := pool.DeepCopy()
			err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
				p.Status.Machines = []v1alpha1.MachineReference{{Name: "a"}, {Name: "a"}}
				return nil
			}, lock, quick)
			if !apierrors.IsInvalid(err) || apierrors.IsConflict(err) || !strings.Contains(err.Error(), "MachinePool "+b.namespace+"/pool") {
				t.Errorf("error %v, want the server's 422, about the pool by name", err)
			}
			b.wantCalls(1, 0)
			if pool.ResourceVersion != before.ResourceVersion || len(pool.Status.Machines) != 0 {
				t.Error("obj changed though the call failed")
			}
		})
	}
}

// cluster-api#11401 asks for a helper that does not lock and still keeps groups
// whole: the last writer wins, and never the half of two.
func TestUnlockedWritersNeverMix(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Replicas: 3, ReadyReplicas: 3, Phase: "A"})
		for i, counters := range [][2]int32{{3, 2}, {4, 3}, {4, 4}, {5, 3}} {
			obj := cached.DeepCopy()
			must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, func(p *v1alpha1.MachinePoolStatusPatch) error {
				p.SetReplicasAndReadyReplicas(counters[0], counters[1])
				return nil
			}, unlocked, quick))
			if s := b.stored().Status; s.Replicas != counters[0] || s.ReadyReplicas != counters[1] {
				t.Errorf("write %d: stored %d/%d, want %v", i, s.Replicas, s.ReadyReplicas, counters)
			}
		}
		b.wantCalls(4, 0)
	})
}

// Without a lock conditions are tested all the same: another writer's is not
// overwritten from a stale base.
func TestUnlockedConditionsAreTested(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Conditions: []metav1.Condition{condition("Ready", "True", "AllReady")}})
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) {
			s.Conditions[0].Status, s.Conditions[0].Reason = "False", "Scaling"
			s.Conditions[0].LastTransitionTime = metav1.Unix(1_600_000_000, 0)
		})
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, setCondition("Ready", "True", "Fine"), unlocked, quick, atNoon))
		b.wantCalls(2, 1)
		c := b.stored().Status.Conditions[0]
		if c.Status != "True" || c.LastTransitionTime.UTC().Format(time.RFC3339) != noon {
			t.Errorf("stored %+v: want a flip, with its time, from what the other writer had set", c)
		}
	})
}

// Region's own default lock is that of fields.
func TestTypeDefaultLock(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		region := &v1alpha1.Region{ObjectMeta: metav1.ObjectMeta{Name: b.namespace, UID: "u"}}
		must(t, b.others.Create(t.Context(), region))
		stale := region.DeepCopy()
		set := func(obj *v1alpha1.Region, pools int32) {
			must(t, v1alpha1.PatchRegionStatus(t.Context(), b.c, obj, func(p *v1alpha1.RegionStatusPatch) error {
				p.Status.Pools = pools
				return nil
			}, quick))
		}
		set(region, 1)
		if want := fmt.Sprintf(`[{"op":"test","path":"/metadata/uid","value":%q},{"op":"test","path":"/status","value":null},{"op":"add","path":"/status","value":{"pools":1}}]`, region.UID); b.bodies()[0] != want {
			t.Errorf("body %s, want %s", b.bodies()[0], want)
		}
		set(stale, 2)
		if stale.Status.Pools != 2 {
			t.Errorf("pools %d, want 2", stale.Status.Pools)
		}
		if b.real { // the fake client stores an empty status, where the server stores none
			b.wantCalls(3, 1)
		}
	})
}
