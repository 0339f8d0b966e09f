package conflict_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// forms are both forms of the patcher, making the same edit.
var forms = map[string]func(ctx context.Context, c client.Client, obj *v1alpha1.MachinePool, phase string, opts ...client.SubResourcePatchOption) error{
	"closure": func(ctx context.Context, c client.Client, obj *v1alpha1.MachinePool, phase string, opts ...client.SubResourcePatchOption) error {
		return v1alpha1.PatchMachinePoolStatus(ctx, c, obj, setPhase(phase), opts...)
	},
	"deferred": func(ctx context.Context, c client.Client, obj *v1alpha1.MachinePool, phase string, opts ...client.SubResourcePatchOption) error {
		p := v1alpha1.NewMachinePoolStatusPatcher(obj)
		obj.Status.Phase = phase
		return p.Patch(ctx, c, opts...)
	},
}

// inBothForms runs a test in both forms on both servers.
func inBothForms(t *testing.T, test func(t *testing.T, b *backend, patch func(obj *v1alpha1.MachinePool, phase string, opts ...client.SubResourcePatchOption) error)) {
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				test(t, b, func(obj *v1alpha1.MachinePool, phase string, opts ...client.SubResourcePatchOption) error {
					return form(t.Context(), b.c, obj, phase, append(opts, quick)...)
				})
			})
		})
	}
}

// On success obj.Status and the resourceVersion are the server's; what was not
// saved around it stays.
func TestObjectAfterSuccess(t *testing.T) {
	inBothForms(t, func(t *testing.T, b *backend, patch func(*v1alpha1.MachinePool, string, ...client.SubResourcePatchOption) error) {
		b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Zones: []string{"z"}})
		obj := b.stored()
		obj.Spec.Replicas, obj.Labels = 9, map[string]string{"un": "saved"}
		want := obj.DeepCopy()
		must(t, patch(obj, "A"))
		stored := b.stored()
		want.Status, want.ResourceVersion = stored.Status, stored.ResourceVersion
		if diff := cmp.Diff(want, obj); diff != "" {
			t.Errorf("obj (-want +got):\n%s", diff)
		}
		must(t, b.others.Update(t.Context(), obj)) // guarded by what is stored: no conflict
		if b.stored().Spec.Replicas != 9 {
			t.Error("the unsaved edit was not written by Update")
		}
	})
}

// After a conflict the base was another one than obj: obj keeps its
// resourceVersion, so that an Update from it does not overwrite others.
func TestUpdateAfterARetryConflicts(t *testing.T) {
	for name, other := range map[string]func(*v1alpha1.MachinePool){
		"spec":        func(p *v1alpha1.MachinePool) { p.Spec.Image = "theirs" },
		"labels":      func(p *v1alpha1.MachinePool) { p.Labels = map[string]string{"a": "theirs"} },
		"annotations": func(p *v1alpha1.MachinePool) { p.Annotations = map[string]string{"a": "theirs"} },
		"finalizers":  func(p *v1alpha1.MachinePool) { p.Finalizers = []string{"example.com/theirs"} },
	} {
		for _, lock := range []v1alpha1.StatusPatchLock{v1alpha1.StatusPatchLockObject, v1alpha1.StatusPatchLockFields, v1alpha1.StatusPatchLockNone} {
			t.Run(name+"/"+string(lock), func(t *testing.T) {
				inBothForms(t, func(t *testing.T, b *backend, patch func(*v1alpha1.MachinePool, string, ...client.SubResourcePatchOption) error) {
					obj := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
					version := obj.ResourceVersion
					b.otherChanges(other)
					theirs := b.stored()
					must(t, patch(obj, "A", v1alpha1.WithStatusPatchLock(lock)))
					if obj.Status.Phase != "A" || obj.ResourceVersion != version {
						t.Errorf("obj has phase %s at resourceVersion %s, want A at %s", obj.Status.Phase, obj.ResourceVersion, version)
					}
					if err := b.others.Update(t.Context(), obj); !apierrors.IsConflict(err) {
						t.Errorf("Update: error %v, want a conflict", err)
					}
					stored := b.stored()
					if stored.Spec != theirs.Spec || !cmp.Equal(stored.Labels, theirs.Labels) || !cmp.Equal(stored.Finalizers, theirs.Finalizers) || !cmp.Equal(stored.Annotations, theirs.Annotations) {
						t.Error("the other writer's change is gone")
					}
					must(t, patch(obj, "B", v1alpha1.WithStatusPatchLock(lock))) // and the patcher goes on working
					if b.stored().Status.Phase != "B" {
						t.Error("a second call from the same obj did not land")
					}
				})
			})
		}
	}
}

// Where others wrote status alone, obj is what the server has after the call:
// its resourceVersion advances and an Update needs no re-read.
func TestVersionAdvancesWhereNothingElseDiffers(t *testing.T) {
	inBothForms(t, func(t *testing.T, b *backend, patch func(*v1alpha1.MachinePool, string, ...client.SubResourcePatchOption) error) {
		obj := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{"theirs"} })
		must(t, patch(obj, "A"))
		stored := b.stored()
		if obj.ResourceVersion != stored.ResourceVersion || !cmp.Equal(obj.Status, stored.Status) {
			t.Errorf("obj at %s, stored %s; status %+v, stored %+v", obj.ResourceVersion, stored.ResourceVersion, obj.Status, stored.Status)
		}
	})
}

// No-op, dry run and error leave obj as it was, but for the deferred form's edits.
func TestObjectThatStays(t *testing.T) {
	for name, call := range map[string]struct {
		phase  string
		fault  error
		opts   []client.SubResourcePatchOption
		failed bool
	}{
		"no-op":   {phase: "A"},
		"dry run": {phase: "B", opts: []client.SubResourcePatchOption{client.DryRunAll}},
		"error":   {phase: "B", fault: apierrors.NewForbidden(pools, "pool", errors.New("no")), failed: true},
		"lost":    {phase: "B", fault: errors.New("connection reset by peer"), failed: true},
	} {
		t.Run(name, func(t *testing.T) {
			inBothForms(t, func(t *testing.T, b *backend, patch func(*v1alpha1.MachinePool, string, ...client.SubResourcePatchOption) error) {
				obj := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"})
				stored := b.stored()
				b.beforePatch = func(int) error { return call.fault }
				var result v1alpha1.StatusPatchResult
				err := patch(obj, call.phase, append(call.opts, v1alpha1.WithStatusPatchResult(&result))...)
				if call.failed != (err != nil) || call.failed && !errors.Is(err, call.fault) {
					t.Errorf("error %v, want %v", err, call.fault)
				}
				if result.Changed {
					t.Error("the result says that something changed")
				}
				want := stored.DeepCopy()
				if obj.Status.Phase == call.phase { // the deferred form
					want.Status.Phase = call.phase
				}
				if diff := cmp.Diff(want, obj); diff != "" {
					t.Errorf("obj (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(stored, b.stored()); diff != "" {
					t.Errorf("stored:\n%s", diff)
				}
			})
		})
	}
}

// A read of the answer leaves no value behind that is gone on the server.
func TestNoOldValueStays(t *testing.T) {
	inBothForms(t, func(t *testing.T, b *backend, patch func(*v1alpha1.MachinePool, string, ...client.SubResourcePatchOption) error) {
		seven := int32(7)
		obj := b.pool(v1alpha1.MachinePoolStatus{
			ObservedGeneration: 1, Capacity: quantities("a", "b"), UpdatedReplicas: &seven,
			Machines: []v1alpha1.MachineReference{{Name: "a", Zone: "z"}, {Name: "b"}},
		})
		b.otherWrites(func(s *v1alpha1.MachinePoolStatus) {
			delete(s.Capacity, "a")
			s.UpdatedReplicas, s.Machines = nil, []v1alpha1.MachineReference{{Name: "a"}}
		})
		must(t, patch(obj, "A"))
		if diff := cmp.Diff(b.stored().Status, obj.Status); diff != "" {
			t.Errorf("obj.Status (-stored +obj):\n%s", diff)
		}
	})
}

// kubernetes-sigs/cluster-api#7594: two calls back to back from one cached
// object both land, also if the object is read from a cache that has neither.
func TestCallsBackToBack(t *testing.T) {
	inBothForms(t, func(t *testing.T, b *backend, patch func(*v1alpha1.MachinePool, string, ...client.SubResourcePatchOption) error) {
		cached := b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
		obj := cached.DeepCopy()
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, obj, func(p *v1alpha1.MachinePoolStatusPatch) error {
			p.SetReplicasAndReadyReplicas(2, 1)
			return nil
		}))
		must(t, patch(obj, "A"))
		b.wantCalls(2, 0)
		must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), b.c, cached, setCondition("C", "True", "R"), quick))
		if s := b.stored().Status; s.Replicas != 2 || s.Phase != "A" || len(s.Conditions) != 1 {
			t.Errorf("stored %+v, want the values of all calls", s)
		}
	})
}

// An object that was made by hand, without resourceVersion and UID, is read first.
func TestObjectWithoutVersion(t *testing.T) {
	inBothForms(t, func(t *testing.T, b *backend, patch func(*v1alpha1.MachinePool, string, ...client.SubResourcePatchOption) error) {
		b.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Zones: []string{"z"}})
		obj := &v1alpha1.MachinePool{}
		obj.Namespace, obj.Name = b.namespace, "pool"
		base := b.stored().ResourceVersion
		must(t, patch(obj, "A"))
		b.wantCalls(1, 1)
		wantBodies(t, b, merge(base, `{"phase":"A"}`))
		if len(obj.Status.Zones) != 1 {
			t.Errorf("obj.Status is %+v, want the server's", obj.Status)
		}
	})
}

// The error says which object and what was done to it.
func TestErrorNamesTheObject(t *testing.T) {
	inBothForms(t, func(t *testing.T, b *backend, patch func(*v1alpha1.MachinePool, string, ...client.SubResourcePatchOption) error) {
		obj := b.pool(v1alpha1.MachinePoolStatus{})
		b.beforePatch = func(int) error { return apierrors.NewForbidden(pools, "pool", errors.New("no")) }
		err := patch(obj, "A")
		want := fmt.Sprintf("patch status of MachinePool %s/pool: machinepools.example.statuspatch.dev \"pool\" is forbidden: no", b.namespace)
		if !apierrors.IsForbidden(err) || err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
		b.wantCalls(1, 0)
	})
}
