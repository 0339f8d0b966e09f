package conflict_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	"github.com/statuspatch/statuspatcher-gen/templates/statuspatch"
)

// laterOption is an option that this patcher does not know yet.
type laterOption struct{}

func (laterOption) ApplyToSubResourcePatch(*client.SubResourcePatchOptions) {}
func (laterOption) StatusPatchOption() (string, any)                        { return "later", true }

// wrongOption has a known key with a value of another type.
type wrongOption struct{}

func (wrongOption) ApplyToSubResourcePatch(*client.SubResourcePatchOptions) {}
func (wrongOption) StatusPatchOption() (string, any)                        { return "backoff", 3 }

// What is wrong before anything is sent says so, and sends nothing.
func TestErrorsBeforeAnyRequest(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		ok := setPhase("B")
		for _, test := range []struct {
			name string
			call func(obj *v1alpha1.MachinePool) error
			want string
		}{
			{"nil object", func(*v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, nil, ok)
			}, "patch status of MachinePool: the object is nil"},
			{"nil object, deferred", func(*v1alpha1.MachinePool) error {
				p := v1alpha1.NewMachinePoolStatusPatcher(nil)
				p.Status.Phase = "B"
				return errors.Join(p.Keep(func() error { return nil }), p.Patch(t.Context(), b.c))
			}, "the object is nil"},
			{"nil client", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), nil, obj, ok)
			}, "the client is nil"},
			{"nil client, deferred", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.NewMachinePoolStatusPatcher(obj).Patch(t.Context(), (*nilClient)(nil))
			}, "the client is nil"},
			{"nil mutate", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, nil)
			}, "mutate is nil"},
			{"nil write", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.NewMachinePoolStatusPatcher(obj).Keep(nil)
			}, "write is nil"},
			{"no name", func(*v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, &v1alpha1.MachinePool{}, ok)
			}, "the object has no name"},
			{"nil status", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, func(p *v1alpha1.MachinePoolStatusPatch) error {
					p.Status = nil
					return nil
				})
			}, "Status to nil"},
			{"obj.Status instead of the patch", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, func(*v1alpha1.MachinePoolStatusPatch) error {
					obj.Status.Phase = "B"
					return nil
				})
			}, "status.phase of the object that was passed in"},
			{"a condition of obj.Status instead of the patch", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, func(*v1alpha1.MachinePoolStatusPatch) error {
					obj.Status.Conditions[0].Status = metav1.ConditionFalse
					return nil
				})
			}, "status.conditions of the object that was passed in"},
			{"spec through Object", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, func(p *v1alpha1.MachinePoolStatusPatch) error {
					p.Object().Spec.Replicas = 99
					return nil
				})
			}, "spec.replicas through Object()"},
			{"labels through Object", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, func(p *v1alpha1.MachinePoolStatusPatch) error {
					p.Object().Labels = map[string]string{"a": "b"}
					return nil
				})
			}, "metadata.labels through Object()"},
			{"member past its setter", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, func(p *v1alpha1.MachinePoolStatusPatch) error {
					p.Status.Replicas++
					return nil
				})
			}, "call SetReplicasAndReadyReplicas with all of them"},
			{"member after its setter", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, func(p *v1alpha1.MachinePoolStatusPatch) error {
					p.SetReplicasAndReadyReplicas(2, 1)
					p.Status.ReadyReplicas++
					return nil
				})
			}, "call SetReplicasAndReadyReplicas with all of them"},
			{"condition of a group past its setter", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, func(p *v1alpha1.MachinePoolStatusPatch) error {
					p.SetCondition(metav1.Condition{Type: "Available", Status: "True", Reason: "R"})
					return nil
				})
			}, "call SetAvailability with all of them"},
			{"bad reason", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, setCondition("C", "True", "Not OK!"))
			}, `condition "C" is invalid`},
			{"unknown lock", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, ok, v1alpha1.WithStatusPatchLock("optimistic"))
			}, `lock "optimistic" is unknown: use object, fields or none`},
			{"unknown option", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, ok, laterOption{})
			}, `option "later" is unknown`},
			{"option of another type", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, ok, wrongOption{})
			}, `option "backoff" has a value of type int`},
			{"sub-resource body", func(obj *v1alpha1.MachinePool) error {
				return v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, ok, &client.SubResourcePatchOptions{SubResourceBody: obj})
			}, "leave out the sub-resource body"},
		} {
			t.Run(test.name, func(t *testing.T) {
				obj := &v1alpha1.MachinePool{
					ObjectMeta: metav1.ObjectMeta{Namespace: b.namespace, Name: "pool", UID: "u", ResourceVersion: "1", Generation: 1},
					Status: v1alpha1.MachinePoolStatus{
						ObservedGeneration: 1, Phase: "A", Replicas: 1,
						Conditions: []metav1.Condition{condition("C", "True", "R")},
					},
				}
				b.reset()
				err := test.call(obj)
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("error %v, want %q in it", err, test.want)
				}
				b.wantCalls(0, 0)
			})
		}
	})
}

// nilClient is a client that may be nil behind its interface.
type nilClient struct{ client.Client }

// MarkComputed lets a library edit the members.
func TestMarkedGroup(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Replicas: 1})
		base := pool.ResourceVersion
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.Object().Status.ReadyReplicas = 1
			p.MarkReplicasAndReadyReplicasComputed()
			return nil
		}))
		wantBodies(t, b, merge(base, `{"replicas":1,"readyReplicas":1}`))
	})
}

// Two groups in one call, in either order: each setter speaks for its own group.
func TestSettersOfTwoGroups(t *testing.T) {
	seven := int32(7)
	counters := func(p *v1alpha1.MachinePoolStatusPatch) { p.SetReplicasAndReadyReplicas(4, 3) }
	availability := func(p *v1alpha1.MachinePoolStatusPatch) {
		p.SetAvailability(&seven, &metav1.Condition{Status: "True", Reason: "Counted"})
	}
	for name, set := range map[string][]func(*v1alpha1.MachinePoolStatusPatch){
		"counters first": {counters, availability}, "availability first": {availability, counters},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				pool := b.pool(v1alpha1.MachinePoolStatus{})
				must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
					set[0](p)
					set[1](p)
					return nil
				}))
				b.wantCalls(1, 0)
			})
		})
	}
}

// An error of mutate's is returned as it is, on the first attempt and later.
func TestErrorOfMutate(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
		before := pool.DeepCopy()
		own := errors.New("mine")
		for failing := 1; failing <= 2; failing++ {
			runs := 0
			b.beforePatch = func(int) error { return conflictError() }
			err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
				if runs++; runs == failing {
					return own
				}
				p.Status.Phase = "B"
				return nil
			}, quick)
			if err != own {
				t.Errorf("run %d fails: error %v, want mutate's, as it is", failing, err)
			}
		}
		if diff := cmp.Diff(before, pool); diff != "" {
			t.Errorf("obj changed:\n%s", diff)
		}
	})
}

// A panic in mutate goes through, and leaves obj untouched.
func TestPanicOfMutate(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A", Conditions: []metav1.Condition{condition("C", "True", "R")}})
		before := pool.DeepCopy()
		func() {
			defer func() {
				if r := recover(); r != "mutate" {
					t.Errorf("recovered %v, want mutate's own panic", r)
				}
			}()
			_ = v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
				p.Object().Labels = map[string]string{"a": "b"}
				p.Status.Phase, p.Status.Conditions[0].Status = "B", "False"
				panic("mutate")
			})
		}()
		if diff := cmp.Diff(before, pool); diff != "" {
			t.Errorf("obj changed:\n%s", diff)
		}
		b.wantCalls(0, 0)
	})
}

// Skip ends the call, wrapped or not, and another package's Skip as well.
func TestSkip(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{})
		for _, skip := range []error{v1alpha1.SkipStatusPatch, fmt.Errorf("paused: %w", v1alpha1.SkipStatusPatch), statuspatch.Skip} {
			must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
				p.Status.Phase = "B"
				return skip
			}))
		}
		b.wantCalls(0, 0)
	})
}

// Options of another package's copy of the support code work all the same, and
// none of them reaches the client.
func TestOptionsOfAnotherPackage(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Phase = "B" })
		reader := &countingReader{Reader: b.others}
		var result statuspatch.Result
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, setCondition("C", "True", "R"),
			statuspatch.WithReader(reader), statuspatch.WithLock(statuspatch.LockFields), statuspatch.WithResult(&result),
			statuspatch.WithBackoff(wait.Backoff{Steps: 3}), statuspatch.WithLiveBase(), statuspatch.WithObservedGeneration(false),
			statuspatch.WithSameGeneration(), statuspatch.WithNow(func() time.Time { return time.Unix(1_700_000_000, 0) }),
			client.FieldOwner("me")))
		if reader.gets != 1 || !result.Changed || result.Attempts != 1 || !cmp.Equal(result.Transitioned, []string{"C"}) {
			t.Errorf("%d reads, result %+v", reader.gets, result)
		}
		if !strings.HasPrefix(b.bodies()[0], `[{"op":"test"`) || !strings.Contains(b.bodies()[0], `"2023-11-14T22:13:20Z"`) {
			t.Errorf("body %s: the lock or the clock was not used", b.bodies()[0])
		}
		owned := false
		for _, f := range b.stored().ManagedFields {
			owned = owned || f.Manager == "me"
		}
		if b.real && !owned {
			t.Error("the client's own option did not reach it")
		}
	})
}

// kubernetes#140469: a context that ends ends the call, with its error.
func TestContextEnds(t *testing.T) {
	long := v1alpha1.WithStatusPatchBackoff(wait.Backoff{Duration: time.Hour, Steps: 5})
	for name, form := range forms {
		for _, test := range []struct {
			name     string
			opts     []client.SubResourcePatchOption
			end      func(b *backend, cancel func())
			patches  int
			conflict bool
		}{
			{name: "before", end: func(_ *backend, cancel func()) { cancel() }},
			{name: "while reading first", opts: []client.SubResourcePatchOption{v1alpha1.WithStatusPatchLiveBase()}, end: func(b *backend, cancel func()) {
				b.beforeGet = func(int, client.Object) (bool, error) { cancel(); return false, nil }
			}},
			{name: "while patching", end: func(b *backend, cancel func()) {
				b.beforePatch = func(int) error { cancel(); return nil }
			}, patches: 1},
			{name: "with the conflict", end: func(b *backend, cancel func()) {
				b.beforePatch = func(int) error { cancel(); return conflictError() }
			}, patches: 1, conflict: true},
			{name: "while waiting", opts: []client.SubResourcePatchOption{long}, end: func(b *backend, cancel func()) {
				b.beforePatch = func(int) error { time.AfterFunc(20*time.Millisecond, cancel); return conflictError() }
			}, patches: 1, conflict: true},
			{name: "while reading again", opts: []client.SubResourcePatchOption{quick}, end: func(b *backend, cancel func()) {
				b.beforePatch = func(int) error { return conflictError() }
				b.beforeGet = func(int, client.Object) (bool, error) { cancel(); return false, nil }
			}, patches: 1, conflict: true},
			{name: "while the cache is stale", opts: []client.SubResourcePatchOption{
				v1alpha1.WithStatusPatchBackoff(wait.Backoff{Duration: 10 * time.Millisecond, Factor: 10000, Steps: 5})}, end: func(b *backend, cancel func()) {
				b.beforePatch = func(int) error { return conflictError() }
				b.beforeGet = func(int, client.Object) (bool, error) { time.AfterFunc(50*time.Millisecond, cancel); return false, nil }
			}, patches: 1, conflict: true},
		} {
			t.Run(name+"/"+test.name, func(t *testing.T) {
				onBoth(t, func(t *testing.T, b *backend) {
					pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					test.end(b, cancel)
					start := time.Now()
					err := form(ctx, b.c, pool, "B", test.opts...)
					if !errors.Is(err, context.Canceled) {
						if test.name == "while patching" && !b.real && err == nil {
							return // the fake client looks at no context
						}
						t.Errorf("error %v, want that the context was canceled", err)
					}
					if apierrors.IsConflict(err) != test.conflict {
						t.Errorf("error %v: a conflict %t, want %t", err, apierrors.IsConflict(err), test.conflict)
					}
					if took := time.Since(start); took > 10*time.Second {
						t.Errorf("took %s", took)
					}
					if n := len(b.bodies()); n != test.patches {
						t.Errorf("%d PATCHes, want %d", n, test.patches)
					}
				})
			})
		}
	}
}

// A failed re-read ends the call; the error says when it happened.
func TestFailedReread(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Phase = "B" })
		b.beforeGet = func(int, client.Object) (bool, error) {
			return false, apierrors.NewForbidden(pools, "pool", errors.New("no"))
		}
		err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, pool, setPhase("C"), quick)
		if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "read it again after a conflict") {
			t.Errorf("error %v, want the reader's, and that it was after a conflict", err)
		}
		b.wantCalls(1, 1)
	})
}
