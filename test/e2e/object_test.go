package e2e_test

import (
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

func TestMissingObject(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", before())
		if err := b.other.Delete(t.Context(), b.stored(t, pool)); err != nil {
			t.Fatal(err)
		}
		held := pool.DeepCopy()
		err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, setPhase("Running"), quick(5))
		wantError(t, err, "patch status of MachinePool "+b.namespace+"/pool")
		if !apierrors.IsNotFound(err) {
			t.Errorf("IsNotFound is false of %v", err)
		}
		if len(b.patches()) != 1 || b.reads() != 0 {
			t.Errorf("%d PATCHes and %d reads, want 1 and none: a 404 is not retried", len(b.patches()), b.reads())
		}
		wantUntouched(t, held, pool)
	})
}

// An object that was being deleted and that nothing holds any more has no status to write.
func TestDeletedObjectWithoutFinalizersIsNoError(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", before())
		pool.Finalizers = []string{"example.com/hold"}
		if err := b.other.Update(t.Context(), pool); err != nil {
			t.Fatal(err)
		}
		if err := b.other.Delete(t.Context(), pool); err != nil {
			t.Fatal(err)
		}
		pool = b.stored(t, pool)
		if err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, setPhase("Deleting")); err != nil {
			t.Fatalf("while a finalizer holds it: %v", err)
		}
		if stored := b.stored(t, pool); stored.Status.Phase != "Deleting" {
			t.Errorf("stored phase %q, want Deleting", stored.Status.Phase)
		}
		pool.Finalizers = nil
		if err := b.client.Update(t.Context(), pool); err != nil {
			t.Fatal(err)
		}
		if err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, setPhase("Gone")); err != nil {
			t.Errorf("after the last finalizer went: %v", err)
		}
		if len(b.patches()) != 2 {
			t.Errorf("%d PATCHes, want 2", len(b.patches()))
		}
	})
}

// The name is taken by another object between the read and the write: nothing of the
// old one's status lands on it, under any lock.
func TestObjectMadeAnew(t *testing.T) {
	locks := []v1alpha1.StatusPatchLock{v1alpha1.StatusPatchLockObject, v1alpha1.StatusPatchLockFields, v1alpha1.StatusPatchLockNone}
	forms := map[string]func(*testing.T, *backend, *v1alpha1.MachinePool, ...client.SubResourcePatchOption) error{
		"closure": func(t *testing.T, b *backend, pool *v1alpha1.MachinePool, opts ...client.SubResourcePatchOption) error {
			return v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, setPhase("Old"), opts...)
		},
		"deferred": func(t *testing.T, b *backend, pool *v1alpha1.MachinePool, opts ...client.SubResourcePatchOption) error {
			patcher := v1alpha1.NewMachinePoolStatusPatcher(pool)
			pool.Status.Phase = "Old"
			return patcher.Patch(t.Context(), b.client, opts...)
		},
	}
	for _, lock := range locks {
		for form, patch := range forms {
			t.Run(fmt.Sprintf("%s/%s", lock, form), func(t *testing.T) {
				onBoth(t, func(t *testing.T, b *backend) {
					pool := b.pool(t, "pool", before())
					var renewed *v1alpha1.MachinePool
					b.beforePatch(func(n int) {
						if n > 1 {
							return
						}
						if err := b.other.Delete(t.Context(), b.stored(t, pool)); err != nil {
							t.Error(err)
						}
						renewed = b.pool(t, "pool", before())
						if b.fake { // it counts resourceVersions anew for each object
							b.otherWrites(t, renewed, func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{"new"} })
							renewed = b.stored(t, renewed)
						}
					})
					err := patch(t, b, pool, v1alpha1.WithStatusPatchLock(lock), quick(5))
					wantError(t, err, "deleted and created anew")
					if !apierrors.IsNotFound(err) {
						t.Errorf("IsNotFound is false of %v", err)
					}
					if len(b.patches()) != 1 {
						t.Errorf("%d PATCHes, want 1", len(b.patches()))
					}
					stored := b.stored(t, pool)
					if stored.UID == pool.UID || stored.UID == types.UID("") {
						t.Fatalf("the object was not made anew: UID %q, before %q", stored.UID, pool.UID)
					}
					if stored.ResourceVersion != renewed.ResourceVersion || stored.Status.Phase != "" {
						t.Errorf("the new object was written: phase %q at %s, want none at %s", stored.Status.Phase, stored.ResourceVersion, renewed.ResourceVersion)
					}
				})
			})
		}
	}
}
