package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

type mutateFunc = func(*v1alpha1.MachinePoolStatusPatch) error

// What cannot be right is an error that says why, before anything is sent, and leaves the
// caller's object alone.
func TestBadInputIsRefusedBeforeAnyRequest(t *testing.T) {
	keep := func(p *v1alpha1.MachinePool) *v1alpha1.MachinePool { return p }
	var noClient *brokenClient
	for name, test := range map[string]struct {
		client v1alpha1.StatusPatchClient // nil means the backend's
		object func(*v1alpha1.MachinePool) *v1alpha1.MachinePool
		mutate func(*v1alpha1.MachinePool) mutateFunc
		opts   []client.SubResourcePatchOption
		want   string
	}{
		"nil object": {
			object: func(*v1alpha1.MachinePool) *v1alpha1.MachinePool { return nil },
			want:   "patch status of MachinePool: the object is nil",
		},
		"empty name": {
			object: func(p *v1alpha1.MachinePool) *v1alpha1.MachinePool { p.Name = ""; return p },
			want:   "patch status of MachinePool: the object has no name",
		},
		"nil client": {client: noClient, want: "the client is nil"},
		"nil mutate": {
			mutate: func(*v1alpha1.MachinePool) mutateFunc { return nil },
			want:   "patch status of MachinePool: mutate is nil",
		},
		"mutate sets Status to nil": {
			mutate: edit(func(p *v1alpha1.MachinePoolStatusPatch) { p.Status = nil }),
			want:   "mutate set the patch's Status to nil",
		},
		"mutate edits the captured object": {
			mutate: func(pool *v1alpha1.MachinePool) mutateFunc {
				return func(*v1alpha1.MachinePoolStatusPatch) error { pool.Status.Phase = "Wrong"; return nil }
			},
			want: "mutate edited status.phase of the object that was passed in",
		},
		"mutate edits a captured condition": {
			mutate: func(pool *v1alpha1.MachinePool) mutateFunc {
				return func(*v1alpha1.MachinePoolStatusPatch) error { pool.Status.Conditions[0].Status = "True"; return nil }
			},
			want: "mutate edited status.conditions",
		},
		"mutate edits labels through Object": {
			mutate: edit(func(p *v1alpha1.MachinePoolStatusPatch) { p.Object().Labels = map[string]string{"a": "b"} }),
			want:   "through Object(): a status patch writes nothing outside status",
		},
		"mutate edits spec through Object": {
			mutate: edit(func(p *v1alpha1.MachinePoolStatusPatch) { p.Object().Spec.Replicas = 9 }),
			want:   "through Object(): a status patch writes nothing outside status",
		},
		"condition without a reason": {
			mutate: edit(func(p *v1alpha1.MachinePoolStatusPatch) { p.SetPausedCondition("True", "", "") }),
			want:   `condition "Paused" is invalid: it needs a reason`,
		},
		"condition with a sentence for a reason": {
			mutate: edit(func(p *v1alpha1.MachinePoolStatusPatch) { p.SetPausedCondition("True", "Not OK!", "") }),
			want:   `condition "Paused" is invalid: its reason "Not OK!" does not match`,
		},
		"condition with a status that is none": {
			mutate: edit(func(p *v1alpha1.MachinePoolStatusPatch) { p.SetPausedCondition("Yes", "Paused", "") }),
			want:   `condition "Paused" is invalid: its status is "Yes"`,
		},
		"unknown lock": {
			opts: []client.SubResourcePatchOption{v1alpha1.WithStatusPatchLock("all")},
			want: `status patch lock "all" is unknown: use object, fields or none`,
		},
		"body of one's own": {
			opts: []client.SubResourcePatchOption{&client.SubResourcePatchOptions{SubResourceBody: &v1alpha1.MachinePool{}}},
			want: "leave out the sub-resource body option",
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				pool := b.pool(t, "pool", full())
				object, mutate := keep, edit(func(p *v1alpha1.MachinePoolStatusPatch) { p.Status.Phase = "Wrong" })
				if test.object != nil {
					object = test.object
				}
				if test.mutate != nil {
					mutate = test.mutate
				}
				var c v1alpha1.StatusPatchClient = b.client
				if test.client != nil {
					c = test.client
				}
				err := v1alpha1.PatchMachinePoolStatus(t.Context(), c, object(pool.DeepCopy()), mutate(pool.DeepCopy()), test.opts...)
				if name == "mutate edits the captured object" || name == "mutate edits a captured condition" {
					same := pool.DeepCopy()
					err = v1alpha1.PatchMachinePoolStatus(t.Context(), c, same, mutate(same), test.opts...)
				}
				wantError(t, err, test.want)
				b.wantPatches(t)
				b.wantReads(t, 0)
			})
		})
	}
}

// edit makes a mutate function that does not look at the caller's object.
func edit(change func(*v1alpha1.MachinePoolStatusPatch)) func(*v1alpha1.MachinePool) mutateFunc {
	return func(*v1alpha1.MachinePool) mutateFunc {
		return func(p *v1alpha1.MachinePoolStatusPatch) error {
			change(p)
			return nil
		}
	}
}

// brokenClient is a client of which there is but a nil pointer.
type brokenClient struct{ client.Client }

func TestMutateEndsTheCall(t *testing.T) {
	failed := errors.New("no machine could be read")
	for name, test := range map[string]struct {
		err  error
		want error
	}{
		"an error":     {failed, failed},
		"skip":         {v1alpha1.SkipStatusPatch, nil},
		"wrapped skip": {fmt.Errorf("nothing to do: %w", v1alpha1.SkipStatusPatch), nil},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				pool := b.pool(t, "pool", full())
				held := pool.DeepCopy()
				err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
					p.Status.Phase = "Wrong"
					p.Status.Conditions[0].Status = "True"
					p.Status.Capacity["cpu"] = p.Status.Capacity["memory"]
					return test.err
				})
				if err != test.want {
					t.Errorf("error %v, want %v itself", err, test.want)
				}
				b.wantPatches(t)
				wantUntouched(t, held, pool)
			})
		})
	}
}

func TestPanicInMutateLeavesTheObjectAlone(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", full())
		held := pool.DeepCopy()
		func() {
			defer func() {
				if r := recover(); r != "broken" {
					t.Errorf("recovered %v, want the panic to come through", r)
				}
			}()
			_ = v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
				*p.Status = v1alpha1.MachinePoolStatus{Phase: "Wrong"}
				panic("broken")
			})
		}()
		b.wantPatches(t)
		wantUntouched(t, held, pool)
	})
}

func TestEndedContext(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", full())
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := v1alpha1.PatchMachinePoolStatus(ctx, b.client, pool, setPhase("Wrong")); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want the context's", err)
		}
		b.wantPatches(t)
	})
}

// An object that holds a name alone is read first.
func TestObjectThatWasNeverRead(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		stored := b.pool(t, "pool", before())
		pool := &v1alpha1.MachinePool{ObjectMeta: metav1.ObjectMeta{Namespace: b.namespace, Name: "pool"}}
		if err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, setPhase("Running")); err != nil {
			t.Fatal(err)
		}
		b.wantReads(t, 1)
		b.wantPatches(t, fmt.Sprintf(`{"metadata":{"resourceVersion":"%s"},"status":{"phase":"Running"}}`, stored.ResourceVersion))
	})
}

func TestDeferredBadInput(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", full())
		patcher := v1alpha1.NewMachinePoolStatusPatcher(pool)
		pool.Status.Phase = "Edited"
		pool.Labels = map[string]string{"a": "b"}
		if err := b.client.Update(t.Context(), pool); err != nil {
			t.Fatal(err)
		}
		wantError(t, patcher.Patch(t.Context(), b.client), "do that inside Keep")
		b.wantPatches(t)

		wantError(t, v1alpha1.NewMachinePoolStatusPatcher(nil).Patch(t.Context(), b.client), "the object is nil")
		wantError(t, patcher.Keep(nil), "write is nil")
		b.wantPatches(t)
	})
}
