package e2e_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// wantUntouched says that a call left the caller's object as it was.
func wantUntouched(t *testing.T, before, after client.Object) {
	t.Helper()
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the caller's object was changed (-before +after):\n%s", diff)
	}
}

// full is a status in which every field is set.
func full() v1alpha1.MachinePoolStatus {
	at := metav1.NewTime(time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC))
	return v1alpha1.MachinePoolStatus{
		ObservedGeneration: 1, Replicas: 3, ReadyReplicas: 2, UpdatedReplicas: new(int32(1)), Phase: "Running",
		Rollout:  &v1alpha1.MachinePoolRollout{Image: "v2", AvailableReplicas: new(int32(2)), StartedAt: &at},
		Capacity: map[string]resource.Quantity{"cpu": resource.MustParse("8"), "memory": resource.MustParse("1Gi")},
		Zones:    []string{"a", "b"},
		Machines: []v1alpha1.MachineReference{{Name: "m-0", Zone: "a"}, {Name: "m-1", Zone: "b"}},
		Conditions: []metav1.Condition{
			{Type: "Ready", Status: "False", Reason: "Scaling", Message: "2 of 3", ObservedGeneration: 1, LastTransitionTime: at},
			{Type: "Available", Status: "True", Reason: "Enough", ObservedGeneration: 1, LastTransitionTime: at},
		},
	}
}

// Each of these leaves the status as the server has it, though not always as Go has it:
// none sends anything.
func TestNoChangeSendsNothing(t *testing.T) {
	for name, mutate := range map[string]func(*v1alpha1.MachinePoolStatusPatch){
		"nothing":           func(*v1alpha1.MachinePoolStatusPatch) {},
		"the same again":    func(p *v1alpha1.MachinePoolStatusPatch) { *p.Status = full() },
		"the same counters": func(p *v1alpha1.MachinePoolStatusPatch) { p.SetReplicasAndReadyReplicas(3, 2) },
		"the same condition": func(p *v1alpha1.MachinePoolStatusPatch) {
			p.SetReadyCondition("False", v1alpha1.MachinePoolReadyConditionReasonScaling, "2 of 3")
		},
		"an absent condition": func(p *v1alpha1.MachinePoolStatusPatch) { p.RemovePausedCondition() },
		"an equal quantity":   func(p *v1alpha1.MachinePoolStatusPatch) { p.Status.Capacity["cpu"] = resource.MustParse("8000m") },
		"another time zone": func(p *v1alpha1.MachinePoolStatusPatch) {
			p.Status.Rollout.StartedAt = new(metav1.NewTime(p.Status.Rollout.StartedAt.In(time.FixedZone("", 3600))))
		},
		"part of a second": func(p *v1alpha1.MachinePoolStatusPatch) {
			p.Status.Rollout.StartedAt.Time = p.Status.Rollout.StartedAt.Add(time.Millisecond)
		},
		"conditions set anew": func(p *v1alpha1.MachinePoolStatusPatch) {
			p.Status.Conditions = nil
			p.SetCondition(metav1.Condition{Type: "Available", Status: "True", Reason: "Enough"})
			p.SetReadyCondition("False", v1alpha1.MachinePoolReadyConditionReasonScaling, "2 of 3")
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				pool := b.pool(t, "pool", full())
				held := pool.DeepCopy()
				var result v1alpha1.StatusPatchResult
				err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
					mutate(p)
					return nil
				}, v1alpha1.WithStatusPatchResult(&result))
				if err != nil {
					t.Fatal(err)
				}
				b.wantPatches(t)
				b.wantReads(t, 0)
				if result.Changed || result.Attempts != 0 || result.ResourceVersion != held.ResourceVersion {
					t.Errorf("result %+v, want no change at %s", result, held.ResourceVersion)
				}
				wantUntouched(t, held, pool)
			})
		})
	}
}

// One call sends one PATCH, with what changed and nothing else. RV stands for the
// resourceVersion of the caller's object.
func TestOneRequestWithTheChangesAlone(t *testing.T) {
	now := metav1.NewTime(time.Date(2024, 5, 2, 0, 0, 0, 0, time.UTC))
	for name, test := range map[string]struct {
		mutate func(*v1alpha1.MachinePoolStatusPatch)
		want   string
		// after is what is stored then.
		after func(*v1alpha1.MachinePoolStatus)
	}{
		"a field": {
			func(p *v1alpha1.MachinePoolStatusPatch) { p.Status.Phase = "Scaling" },
			`{"phase":"Scaling"}`,
			func(s *v1alpha1.MachinePoolStatus) { s.Phase = "Scaling" },
		},
		"a group of which one member changed": {
			func(p *v1alpha1.MachinePoolStatusPatch) { p.SetReplicasAndReadyReplicas(4, 2) },
			`{"replicas":4,"readyReplicas":2}`,
			func(s *v1alpha1.MachinePoolStatus) { s.Replicas = 4 },
		},
		"a group down to zero": {
			func(p *v1alpha1.MachinePoolStatusPatch) { p.SetReplicasAndReadyReplicas(3, 0) },
			`{"replicas":3,"readyReplicas":null}`,
			func(s *v1alpha1.MachinePoolStatus) { s.ReadyReplicas = 0 },
		},
		"a nested field": {
			func(p *v1alpha1.MachinePoolStatusPatch) { p.Status.Rollout.Image = "v3" },
			`{"rollout":{"image":"v3"}}`,
			func(s *v1alpha1.MachinePoolStatus) { s.Rollout.Image = "v3" },
		},
		"a key of a map, one gone": {
			func(p *v1alpha1.MachinePoolStatusPatch) {
				p.Status.Capacity["cpu"] = resource.MustParse("16")
				delete(p.Status.Capacity, "memory")
			},
			`{"capacity":{"cpu":"16","memory":null}}`,
			func(s *v1alpha1.MachinePoolStatus) {
				s.Capacity = map[string]resource.Quantity{"cpu": resource.MustParse("16")}
			},
		},
		"a list, whole": {
			func(p *v1alpha1.MachinePoolStatusPatch) { p.Status.Zones = append(p.Status.Zones, "c") },
			`{"zones":["a","b","c"]}`,
			func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{"a", "b", "c"} },
		},
		"a pointer to zero": {
			func(p *v1alpha1.MachinePoolStatusPatch) { *p.Status.UpdatedReplicas = 0 },
			`{"updatedReplicas":0}`,
			func(s *v1alpha1.MachinePoolStatus) { s.UpdatedReplicas = new(int32(0)) },
		},
		"two setters at once": {
			func(p *v1alpha1.MachinePoolStatusPatch) {
				p.SetReplicasAndReadyReplicas(3, 3)
				p.SetReadyCondition("True", v1alpha1.MachinePoolReadyConditionReasonAllReady, "")
			},
			`{"replicas":3,"readyReplicas":3,"conditions":[` +
				`{"type":"Ready","status":"True","observedGeneration":1,"lastTransitionTime":"2024-05-02T00:00:00Z","reason":"AllReady","message":""},` +
				`{"type":"Available","status":"True","observedGeneration":1,"lastTransitionTime":"2024-05-01T12:00:00Z","reason":"Enough","message":""}]}`,
			func(s *v1alpha1.MachinePoolStatus) {
				s.ReadyReplicas = 3
				s.Conditions[0] = metav1.Condition{Type: "Ready", Status: "True", Reason: "AllReady", ObservedGeneration: 1, LastTransitionTime: now}
			},
		},
		"a group with a condition": {
			func(p *v1alpha1.MachinePoolStatusPatch) {
				p.SetAvailability(new(int32(0)), &metav1.Condition{Status: "False", Reason: "TooFew"})
			},
			`{"rollout":{"availableReplicas":0},"conditions":[` +
				`{"type":"Ready","status":"False","observedGeneration":1,"lastTransitionTime":"2024-05-01T12:00:00Z","reason":"Scaling","message":"2 of 3"},` +
				`{"type":"Available","status":"False","observedGeneration":1,"lastTransitionTime":"2024-05-02T00:00:00Z","reason":"TooFew","message":""}]}`,
			func(s *v1alpha1.MachinePoolStatus) {
				s.Rollout.AvailableReplicas = new(int32(0))
				s.Conditions[1] = metav1.Condition{Type: "Available", Status: "False", Reason: "TooFew", ObservedGeneration: 1, LastTransitionTime: now}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				pool := b.pool(t, "pool", full())
				held := pool.ResourceVersion
				err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
					test.mutate(p)
					return nil
				}, v1alpha1.WithStatusPatchNow(func() time.Time { return now.Time }))
				if err != nil {
					t.Fatal(err)
				}
				b.wantPatches(t, fmt.Sprintf(`{"metadata":{"resourceVersion":"%s"},"status":%s}`, held, test.want))
				b.wantReads(t, 0)

				want := full()
				test.after(&want)
				stored := b.stored(t, pool)
				if diff := cmp.Diff(want, stored.Status); diff != "" {
					t.Errorf("stored (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(want, pool.Status); diff != "" {
					t.Errorf("the object's status (-want +got):\n%s", diff)
				}
				if pool.ResourceVersion != stored.ResourceVersion {
					t.Errorf("the object is at %s, the server at %s", pool.ResourceVersion, stored.ResourceVersion)
				}
			})
		})
	}
}

// A status that was never written is created in one request, observedGeneration included.
func TestFirstStatus(t *testing.T) {
	b := newServer(t)
	pool := &v1alpha1.MachinePool{ObjectMeta: metav1.ObjectMeta{Namespace: b.namespace, Name: "pool"}}
	if err := b.other.Create(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	held := pool.ResourceVersion
	if err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, setPhase("New")); err != nil {
		t.Fatal(err)
	}
	b.wantPatches(t, fmt.Sprintf(`{"metadata":{"resourceVersion":"%s"},"status":{"observedGeneration":1,"phase":"New"}}`, held))

	region := &v1alpha1.Region{ObjectMeta: metav1.ObjectMeta{Name: b.namespace}}
	if err := b.other.Create(t.Context(), region); err != nil {
		t.Fatal(err)
	}
	err := v1alpha1.PatchRegionStatus(t.Context(), b.client, region, func(p *v1alpha1.RegionStatusPatch) error {
		p.SetReachableCondition("True", "Answered", "")
		return nil
	})
	if err != nil {
		t.Fatalf("first status, pools being required and zero: %v", err)
	}
	if len(region.Status.Conditions) != 1 {
		t.Errorf("status %+v, want one condition", region.Status)
	}
}

// A dry run asks the server and stores nothing, here as there.
func TestDryRun(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", before())
		held := pool.DeepCopy()
		var result v1alpha1.StatusPatchResult
		err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, setPhase("Running"), client.DryRunAll, v1alpha1.WithStatusPatchResult(&result))
		if err != nil {
			t.Fatal(err)
		}
		if stored := b.stored(t, pool); stored.Status.Phase != "" || stored.ResourceVersion != held.ResourceVersion {
			t.Errorf("a dry run stored %+v", stored.Status)
		}
		if result.Changed || result.Attempts != 1 {
			t.Errorf("result %+v, want one attempt and no change", result)
		}
		wantUntouched(t, held, pool)
	})
}
