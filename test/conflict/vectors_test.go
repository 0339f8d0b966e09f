package conflict_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// The tests of this file are cases from public reports, which they name.

var pools = schema.GroupResource{Group: "example.statuspatch.dev", Resource: "machinepools"}

func conflictError() error {
	return apierrors.NewConflict(pools, "pool", errors.New("the object has been modified"))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantBodies(t *testing.T, b *backend, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, b.bodies()); diff != "" {
		t.Errorf("bodies (-want +got):\n%s", diff)
	}
}

// merge is a merge patch guarded by a resourceVersion.
func merge(resourceVersion, status string) string {
	return fmt.Sprintf(`{"metadata":{"resourceVersion":%q},"status":%s}`, resourceVersion, status)
}

// guarded is a JSON patch that first tests a pool's UID and observedGeneration 1.
func guarded(pool *v1alpha1.MachinePool, operations string) string {
	return fmt.Sprintf(`[{"op":"test","path":"/metadata/uid","value":%q},{"op":"test","path":"/status/observedGeneration","value":1},%s]`, pool.UID, operations)
}

func setPhase(phase string) func(*v1alpha1.MachinePoolStatusPatch) error {
	return func(p *v1alpha1.MachinePoolStatusPatch) error {
		p.Status.Phase = phase
		return nil
	}
}

// cluster-api#11401: the cached base is 3/3, the server has 3/2, the controller
// computes 4/3. A plain diff ends with 4/2, which no one computed.
func TestGroupOfAStaleBaseStaysTogether(t *testing.T) {
	for _, lock := range []v1alpha1.StatusPatchLock{v1alpha1.StatusPatchLockNone, v1alpha1.StatusPatchLockFields, v1alpha1.StatusPatchLockObject} {
		t.Run(string(lock), func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Replicas: 3, ReadyReplicas: 3})
				base := cached.ResourceVersion
				b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.ReadyReplicas = 2 })
				live := b.stored().ResourceVersion

				must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, func(p *v1alpha1.MachinePoolStatusPatch) error {
					p.SetReplicasAndReadyReplicas(4, 3)
					return nil
				}, quick, v1alpha1.WithStatusPatchLock(lock)))

				if s := b.stored().Status; s.Replicas != 4 || s.ReadyReplicas != 3 {
					t.Errorf("stored %d/%d, want 4/3", s.Replicas, s.ReadyReplicas)
				}
				switch lock {
				case v1alpha1.StatusPatchLockNone:
					wantBodies(t, b, guarded(cached, `{"op":"add","path":"/status/replicas","value":4},{"op":"add","path":"/status/readyReplicas","value":3}`))
				case v1alpha1.StatusPatchLockFields:
					wantBodies(t, b,
						guarded(cached, `{"op":"test","path":"/status/replicas","value":3},{"op":"test","path":"/status/readyReplicas","value":3},{"op":"replace","path":"/status/replicas","value":4}`),
						guarded(cached, `{"op":"test","path":"/status/replicas","value":3},{"op":"test","path":"/status/readyReplicas","value":2},{"op":"replace","path":"/status/replicas","value":4},{"op":"replace","path":"/status/readyReplicas","value":3}`))
				default:
					wantBodies(t, b, merge(base, `{"replicas":4,"readyReplicas":3}`), merge(live, `{"replicas":4,"readyReplicas":3}`))
				}
			})
		})
	}
}

// ai-dynamo/grove#775: a condition that equals the stale base's goes out
// because its group-mate changed, and overwrites what the server has.
func TestConditionGoesOutWithItsGroup(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		none, one := int32(0), int32(1)
		available := func(status metav1.ConditionStatus) metav1.Condition { return condition("Available", status, "Counted") }
		cached := b.pool(v1alpha1.MachinePoolStatus{
			ObservedGeneration: 1, Rollout: &v1alpha1.MachinePoolRollout{AvailableReplicas: &none},
			Conditions: []metav1.Condition{available("False")},
		})
		base := cached.ResourceVersion
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Conditions[0] = available("True") })
		live := b.stored().ResourceVersion

		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.SetAvailability(&one, &metav1.Condition{Status: "False", Reason: "Counted"})
			return nil
		}, quick, v1alpha1.WithStatusPatchNow(func() time.Time { return time.Unix(1_700_000_000, 0) })))

		status := `{"rollout":{"availableReplicas":1},"conditions":[{"type":"Available","status":"False","observedGeneration":1,"lastTransitionTime":%q,"reason":"Counted","message":""}]}`
		wantBodies(t, b, merge(base, fmt.Sprintf(status, "2001-09-09T01:46:40Z")), merge(live, fmt.Sprintf(status, "2023-11-14T22:13:20Z")))
		s := b.stored().Status
		if s.Conditions[0].Status != "False" || *s.Rollout.AvailableReplicas != 1 {
			t.Errorf("stored %s/%d, want False/1", s.Conditions[0].Status, *s.Rollout.AvailableReplicas)
		}
	})
}

// ai-dynamo/grove#711: the cache is older than our own last write, and setting
// back what it shows would look like a no-op.
func TestLiveBase(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
		base := cached.ResourceVersion
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Phase = "B" })
		live := b.stored().ResourceVersion

		var result v1alpha1.StatusPatchResult
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, setPhase("A"), v1alpha1.WithStatusPatchResult(&result)))
		b.wantCalls(0, 0)
		if result.Changed || result.ResourceVersion != base {
			t.Errorf("result %+v, want unchanged at resourceVersion %s, so that the caller can tell", result, base)
		}

		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, setPhase("A"), v1alpha1.WithStatusPatchLiveBase()))
		wantBodies(t, b, merge(live, `{"phase":"A"}`))
		if b.stored().Status.Phase != "A" {
			t.Errorf("stored phase %s, want A", b.stored().Status.Phase)
		}
	})
}

// A live base that is read from a cache behind the caller's own object is none.
func TestLiveBaseIsNotOlderThanTheObject(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		old := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Phase = "B" })
		obj := b.stored()
		b.beforeGet = func(_ int, into client.Object) (bool, error) {
			old.DeepCopyInto(into.(*v1alpha1.MachinePool))
			return true, nil
		}
		base := obj.ResourceVersion
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, setPhase("A"), v1alpha1.WithStatusPatchLiveBase()))
		wantBodies(t, b, merge(base, `{"phase":"A"}`))
	})
}

// kueue#7035: the server has a condition that the stale base lacks.
func TestConditionsOfOthersSurviveAStaleBase(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Conditions: []metav1.Condition{condition("A", "True", "R")}})
		base := cached.ResourceVersion
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Conditions = append(s.Conditions, condition("B", "True", "R")) })

		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.SetCondition(metav1.Condition{Type: "A", Status: "False", Reason: "R"})
			return nil
		}, quick, v1alpha1.WithStatusPatchNow(func() time.Time { return time.Unix(1_700_000_000, 0) })))

		a := `{"type":"A","status":"False","observedGeneration":1,"lastTransitionTime":"2023-11-14T22:13:20Z","reason":"R","message":""}`
		other := `{"type":"B","status":"True","observedGeneration":1,"lastTransitionTime":"2001-09-09T01:46:40Z","reason":"R","message":""}`
		wantBodies(t, b, merge(base, `{"conditions":[`+a+`]}`), merge(cachedVersionOf(b, 2), `{"conditions":[`+a+`,`+other+`]}`))
	})
}

// cachedVersionOf is the resourceVersion that the PATCH number n was guarded by.
func cachedVersionOf(b *backend, n int) string {
	var version string
	if _, err := fmt.Sscanf(b.bodies()[n-1], `{"metadata":{"resourceVersion":%q`, &version); err != nil {
		b.t.Errorf("PATCH %d has no resourceVersion: %v", n, err)
	}
	return version
}

// cluster-api#10656: ten writers append an entry each to one list.
func TestTenWritersOfOneList(t *testing.T) {
	for _, lock := range []v1alpha1.StatusPatchLock{v1alpha1.StatusPatchLockObject, v1alpha1.StatusPatchLockFields} {
		t.Run(string(lock), func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				pool := b.pool(v1alpha1.MachinePoolStatus{})
				var wg sync.WaitGroup
				for i := range 10 {
					wg.Go(func() {
						err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool.DeepCopy(), func(p *v1alpha1.MachinePoolStatusPatch) error {
							p.Status.Machines = append(p.Status.Machines, v1alpha1.MachineReference{Name: fmt.Sprint(i)})
							return nil
						}, v1alpha1.WithStatusPatchLock(lock))
						if err != nil {
							t.Error(err)
						}
					})
				}
				wg.Wait()
				if n := len(b.stored().Status.Machines); n != 10 {
					t.Errorf("%d entries, want 10", n)
				}
			})
		})
	}
}

// hypershift#8782: what another writer changed between the attempts is not in
// the second body.
func TestRetryCarriesNothingOfOthers(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
		base := cached.ResourceVersion
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Phase = "B" })
		live := b.stored().ResourceVersion
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.SetReplicasAndReadyReplicas(1, 0)
			return nil
		}, quick))
		wantBodies(t, b, merge(base, `{"replicas":1,"readyReplicas":null}`), merge(live, `{"replicas":1,"readyReplicas":null}`))
		if b.stored().Status.Phase != "B" {
			t.Error("the retry reverted the phase")
		}
	})
}

// hypershift#8966: the closure decides anew on the fresh status.
func TestSkipOnTheSecondAttempt(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Conditions: []metav1.Condition{condition("Ready", "False", "Scaling")}})
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Conditions[0].Status = "True" })
		runs := 0
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, func(p *v1alpha1.MachinePoolStatusPatch) error {
			runs++
			if c := p.ReadyCondition(); c != nil && c.Status == metav1.ConditionTrue {
				return fmt.Errorf("nothing left to do: %w", v1alpha1.SkipStatusPatch)
			}
			p.SetReadyCondition(metav1.ConditionTrue, v1alpha1.MachinePoolReadyConditionReasonAllReady, "mine")
			return nil
		}, quick))
		if runs != 2 || b.stored().Status.Conditions[0].Message == "mine" {
			t.Errorf("%d runs, stored %+v: want two, and the other writer's condition", runs, b.stored().Status.Conditions[0])
		}
		b.wantCalls(1, 1)
	})
}

// karmada#7446: a status computed for an older generation does not land over
// that of a newer reconcile.
func TestNewerReconcileWins(t *testing.T) {
	for _, lock := range []v1alpha1.StatusPatchLock{v1alpha1.StatusPatchLockObject, v1alpha1.StatusPatchLockFields, v1alpha1.StatusPatchLockNone} {
		t.Run(string(lock), func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
				b.otherChanges(func(p *v1alpha1.MachinePool) { p.Spec.Replicas = 5 })
				b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.ObservedGeneration, s.Phase = 2, "New" })
				err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, setPhase("Old"), quick, v1alpha1.WithStatusPatchLock(lock))
				if !apierrors.IsConflict(err) {
					t.Errorf("error %v, want a conflict", err)
				}
				b.wantCalls(1, 1)
				if s := b.stored().Status; s.Phase != "New" || s.ObservedGeneration != 2 {
					t.Errorf("stored %+v, want what the newer reconcile wrote", s)
				}
			})
		})
	}
}

// A restored object's status is ahead of its generation: that is no newer reconcile.
func TestRestoredObjectIsNotStuck(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 7, Phase: "A"})
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{"z"} })
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, setPhase("B"), quick))
		if s := b.stored().Status; s.ObservedGeneration != 1 || s.Phase != "B" {
			t.Errorf("stored %+v, want phase B of generation 1", s)
		}
	})
}

// hypershift#8902, ocm#1584: conflicts that are over are not the caller's business.
func TestConflictsThatEnd(t *testing.T) {
	for _, conflicts := range []int{1, 2} {
		t.Run(fmt.Sprint(conflicts), func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				pool := b.pool(v1alpha1.MachinePoolStatus{})
				b.beforePatch = func(n int) error {
					if n > conflicts {
						return nil
					}
					return conflictError()
				}
				start := time.Now()
				must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
					p.SetReadyCondition(metav1.ConditionTrue, v1alpha1.MachinePoolReadyConditionReasonAllReady, "")
					return nil
				}, v1alpha1.WithStatusPatchBackoff(wait.Backoff{Duration: time.Millisecond, Steps: 5})))
				if took := time.Since(start); took > 2*time.Second {
					t.Errorf("took %s with a backoff of a millisecond", took)
				}
				if n := len(b.bodies()); n != conflicts+1 {
					t.Errorf("%d PATCHes, want %d", n, conflicts+1)
				}
				s := b.stored().Status
				if c := findCondition(s.Conditions, "Ready"); c == nil || c.ObservedGeneration != 1 || s.ObservedGeneration != 1 {
					t.Errorf("stored %+v, want Ready and both generations 1", s)
				}
			})
		})
	}
}

// The same under the default backoff: a conflict that no write of others
// explains ends within seconds too.
func TestUnexplainedConflictUnderTheDefaultBackoff(t *testing.T) {
	t.Parallel()
	b := onFake(t)
	pool := b.pool(v1alpha1.MachinePoolStatus{})
	b.beforePatch = func(n int) error {
		if n > 1 {
			return nil
		}
		return conflictError()
	}
	start := time.Now()
	must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool, setPhase("A")))
	if took := time.Since(start); took > 8*time.Second {
		t.Errorf("took %s, want seconds", took)
	}
	if n := len(b.bodies()); n != 2 {
		t.Errorf("%d PATCHes, want 2", n)
	}
}

// library-go#1658: the cache is stuck, the API reader is not.
func TestReaderIsAskedAfterAConflict(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
		stuck := cached.DeepCopy()
		b.beforeGet = func(_ int, into client.Object) (bool, error) {
			stuck.DeepCopyInto(into.(*v1alpha1.MachinePool))
			return true, nil
		}
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{"z"} })
		live := b.stored().ResourceVersion
		reader := &countingReader{Reader: b.others}
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, setPhase("B"), quick, v1alpha1.WithStatusPatchReader(reader)))
		wantBodies(t, b, merge(stuck.ResourceVersion, `{"phase":"B"}`), merge(live, `{"phase":"B"}`))
		if reader.gets != 1 {
			t.Errorf("%d live reads, want 1", reader.gets)
		}
		b.wantCalls(2, 0)
	})
}

type countingReader struct {
	client.Reader
	gets int
}

func (r *countingReader) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	r.gets++
	return r.Reader.Get(ctx, key, obj, opts...)
}

// controller-runtime#403, gitops-reverser#266: what never ends is a conflict error.
func TestExhausted(t *testing.T) {
	for _, lock := range []v1alpha1.StatusPatchLock{v1alpha1.StatusPatchLockObject, v1alpha1.StatusPatchLockFields} {
		t.Run(string(lock), func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
				b.beforePatch = func(n int) error {
					b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Phase = fmt.Sprint("Other", n) })
					return nil
				}
				var result v1alpha1.StatusPatchResult
				err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool, setPhase("Mine"),
					quick, v1alpha1.WithStatusPatchLock(lock), v1alpha1.WithStatusPatchResult(&result))
				if !apierrors.IsConflict(err) {
					t.Errorf("error %v, want a conflict", err)
				}
				if result.Changed || result.Attempts != 5 || len(b.bodies()) != 5 {
					t.Errorf("result %+v after %d PATCHes, want 5 attempts, as many as the backoff has steps", result, len(b.bodies()))
				}
				if pool.Status.Phase != "A" {
					t.Errorf("obj has phase %s, want it as it was", pool.Status.Phase)
				}
			})
		})
	}
}

// karpenter#2324: many setters, one request.
func TestManySettersOneRequest(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{})
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
			seven := int32(7)
			p.SetReplicasAndReadyReplicas(4, 3)
			p.SetAvailability(&seven, &metav1.Condition{Status: "True", Reason: "Counted"})
			p.SetReadyCondition("True", v1alpha1.MachinePoolReadyConditionReasonAllReady, "")
			p.SetPausedCondition("False", "NotPaused", "")
			p.Status.Phase = "Running"
			return nil
		}))
		b.wantCalls(1, 0)
		if n := len(b.stored().Status.Conditions); n != 3 {
			t.Errorf("%d conditions stored, want 3", n)
		}
	})
}

// karpenter#3126: the result tells what landed, once.
func TestResultOfARetry(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Conditions: []metav1.Condition{
			condition("Ready", "False", "Scaling"), condition("Paused", "True", "Asked"), condition("Gone", "True", "R"), condition("Kept", "True", "R")}})
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Conditions[1].Status = "False" })
		var result v1alpha1.StatusPatchResult
		runs := 0
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, func(p *v1alpha1.MachinePoolStatusPatch) error {
			runs++
			p.SetReadyCondition("True", v1alpha1.MachinePoolReadyConditionReasonAllReady, "")
			p.SetPausedCondition("False", "Asked", "")
			p.SetCondition(metav1.Condition{Type: "New", Status: "True", Reason: "R"})
			p.SetCondition(metav1.Condition{Type: "Kept", Status: "True", Reason: "Other"})
			p.RemoveCondition("Gone")
			return nil
		}, quick, v1alpha1.WithStatusPatchResult(&result)))
		slices.Sort(result.Transitioned)
		want := v1alpha1.StatusPatchResult{Changed: true, Attempts: 2, ResourceVersion: b.stored().ResourceVersion, Transitioned: []string{"Gone", "New", "Ready"}}
		if diff := cmp.Diff(want, result); diff != "" || runs != 2 {
			t.Errorf("after %d runs (-want +got):\n%s", runs, diff)
		}
	})
}

// argo-workflows#16774: the object was deleted and created anew.
func TestRecreatedObjectIsAnother(t *testing.T) {
	for _, lock := range []v1alpha1.StatusPatchLock{v1alpha1.StatusPatchLockObject, v1alpha1.StatusPatchLockFields, v1alpha1.StatusPatchLockNone} {
		t.Run(string(lock), func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
				must(t, b.others.Delete(t.Context(), cached.DeepCopy()))
				b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
				b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{"z"} }) // the fake client counts each object's versions from 1
				err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, setPhase("B"), quick, v1alpha1.WithStatusPatchLock(lock))
				if !apierrors.IsNotFound(err) {
					t.Errorf("error %v, want that the object is not found", err)
				}
				b.wantCalls(1, 1)
				if b.stored().Status.Phase != "A" {
					t.Error("the new object was written to")
				}
			})
		})
	}
}

// cluster-api#10786: the last write races with the end of the object.
func TestEndOfTheObject(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{})
		b.otherChanges(func(p *v1alpha1.MachinePool) { p.Finalizers = []string{"example.com/f"} })
		alive := b.stored()
		must(t, b.others.Delete(t.Context(), pool))
		terminating := b.stored()
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, terminating, setPhase("Ending")))
		if b.stored().Status.Phase != "Ending" {
			t.Error("the status of a terminating object was not written")
		}
		b.otherChanges(func(p *v1alpha1.MachinePool) { p.Finalizers = nil })

		b.reset()
		if err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, alive, setPhase("X"), quick); !apierrors.IsNotFound(err) {
			t.Errorf("error %v for an object that was not being deleted, want not found", err)
		}
		b.wantCalls(1, 0)
		released := terminating.DeepCopy()
		released.Finalizers = nil
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, released, setPhase("X"), quick))
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, released, setPhase("X"), quick, v1alpha1.WithStatusPatchLiveBase()))
		if released.Status.Phase != "Ending" {
			t.Errorf("obj has phase %s, want it as it was", released.Status.Phase)
		}
	})
}

// grafana#132975: the generation that is written is the one that was reconciled.
func TestObservedGenerationIsTheCallers(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
		b.otherChanges(func(p *v1alpha1.MachinePool) { p.Spec.Replicas = 4 })
		b.otherChanges(func(p *v1alpha1.MachinePool) { p.Spec.Replicas = 5 })
		cached := b.stored()
		if cached.Generation != 3 {
			t.Fatalf("generation %d, want 3", cached.Generation)
		}
		b.otherChanges(func(p *v1alpha1.MachinePool) { p.Spec.Replicas = 6 })
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.SetPausedCondition("False", "NotPaused", "")
			return nil
		}, quick))
		s := b.stored().Status
		if len(b.bodies()) != 2 || s.ObservedGeneration != 3 || s.Conditions[0].ObservedGeneration != 3 {
			t.Errorf("%d PATCHes, stored %+v: want two, and generation 3", len(b.bodies()), s)
		}
	})
}

func TestSameGeneration(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		cached := b.pool(v1alpha1.MachinePoolStatus{})
		b.otherChanges(func(p *v1alpha1.MachinePool) { p.Labels = map[string]string{"a": "b"} })
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached.DeepCopy(), setPhase("A"), quick, v1alpha1.WithStatusPatchSameGeneration()))

		cached = b.stored()
		b.otherChanges(func(p *v1alpha1.MachinePool) { p.Spec.Replicas = 5 })
		err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, setPhase("B"), quick, v1alpha1.WithStatusPatchSameGeneration())
		if !apierrors.IsConflict(err) || b.stored().Status.Phase != "A" {
			t.Errorf("error %v, stored phase %s: want a conflict, and nothing written", err, b.stored().Status.Phase)
		}

		b.otherChanges(func(p *v1alpha1.MachinePool) { p.Finalizers = []string{"example.com/f"} })
		cached = b.stored()
		must(t, b.others.Delete(t.Context(), cached.DeepCopy()))
		err = v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, setPhase("B"), quick, v1alpha1.WithStatusPatchSameGeneration())
		if !apierrors.IsConflict(err) || b.stored().Status.Phase != "A" {
			t.Errorf("error %v, stored phase %s: want a conflict over the deletion, and nothing written", err, b.stored().Status.Phase)
		}
	})
}

func TestObservedGenerationLeftAlone(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
		b.otherChanges(func(p *v1alpha1.MachinePool) { p.Spec.Replicas = 4 })
		pool := b.stored()
		base := pool.ResourceVersion
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool, setPhase("Failed"), v1alpha1.WithStatusPatchObservedGeneration(false)))
		wantBodies(t, b, merge(base, `{"phase":"Failed"}`))
		base = pool.ResourceVersion
		b.reset()
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool, func(*v1alpha1.MachinePoolStatusPatch) error { return nil }))
		wantBodies(t, b, merge(base, `{"observedGeneration":2}`))
	})
}
