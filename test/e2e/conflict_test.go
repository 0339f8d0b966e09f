package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// setPhase returns a mutate function that sets the phase.
func setPhase(phase string) func(*v1alpha1.MachinePoolStatusPatch) error {
	return func(p *v1alpha1.MachinePoolStatusPatch) error {
		p.Status.Phase = phase
		return nil
	}
}

// wantError tells whether an error says what it should.
func wantError(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that says %q", texts)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("error %q does not say %q", err, text)
		}
	}
}

func TestConflictThenSuccess(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", before())
		b.beforePatch(func(n int) {
			if n == 1 {
				b.otherWrites(t, pool, func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{"a"} })
			}
		})
		held := pool.ResourceVersion
		runs := 0
		var seen []string
		err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
			runs++
			seen = p.Status.Zones
			p.Status.Phase = "Running"
			return nil
		}, quick(5))
		if err != nil {
			t.Fatal(err)
		}
		stored := b.stored(t, pool)
		if stored.Status.Phase != "Running" || len(stored.Status.Zones) != 1 {
			t.Errorf("stored %+v, want the phase and the other writer's zone", stored.Status)
		}
		if runs != 2 || len(seen) != 1 {
			t.Errorf("mutate ran %d times and last saw zones %q, want twice and the other writer's zone", runs, seen)
		}
		if len(pool.Status.Zones) != 1 || pool.ResourceVersion == held {
			t.Errorf("the object holds zones %q at %s, want the server's answer", pool.Status.Zones, pool.ResourceVersion)
		}
		b.wantReads(t, 1)
	})
}

func TestConflictForGood(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", before())
		b.beforePatch(func(n int) {
			b.otherWrites(t, pool, func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{fmt.Sprint("zone-", n)} })
		})
		held := pool.DeepCopy()
		var result v1alpha1.StatusPatchResult
		err := v1alpha1.PatchMachinePoolStatus(t.Context(), b.client, pool, setPhase("Running"), quick(3), v1alpha1.WithStatusPatchResult(&result))
		wantError(t, err, "patch status of MachinePool "+b.namespace+"/pool", "gave up after 3 attempts")
		if !apierrors.IsConflict(err) {
			t.Errorf("IsConflict is false of %v", err)
		}
		if len(b.patches()) != 3 || result.Attempts != 3 || result.Changed {
			t.Errorf("%d PATCHes and result %+v, want 3 and no change", len(b.patches()), result)
		}
		if stored := b.stored(t, pool); stored.Status.Phase != "" || stored.Status.Zones[0] != "zone-3" {
			t.Errorf("stored %+v, want the other writer's status alone", stored.Status)
		}
		wantUntouched(t, held, pool)
	})
}

// A context that ends while the call waits ends the call, and its error is not lost.
func TestContextEndsDuringRetry(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		pool := b.pool(t, "pool", before())
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		b.beforePatch(func(n int) {
			b.otherWrites(t, pool, func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{fmt.Sprint("zone-", n)} })
			time.AfterFunc(20*time.Millisecond, cancel)
		})
		started := time.Now()
		err := v1alpha1.PatchMachinePoolStatus(ctx, b.client, pool, setPhase("Running"),
			v1alpha1.WithStatusPatchBackoff(wait.Backoff{Duration: time.Hour, Steps: 5}))
		if !errors.Is(err, context.Canceled) || !apierrors.IsConflict(err) {
			t.Errorf("error %v, want the context's joined with the conflict", err)
		}
		if took := time.Since(started); took > 30*time.Second {
			t.Errorf("returned after %s, want at once", took)
		}
		if len(b.patches()) != 1 {
			t.Errorf("%d PATCHes, want 1", len(b.patches()))
		}
	})
}

// A value computed for an older generation does not land over a newer reconcile's.
func TestNewerReconcileStopsTheRetry(t *testing.T) {
	env := newServer(t) // the fake client counts no generations
	pool := env.pool(t, "pool", before())
	env.beforePatch(func(n int) {
		if n > 1 {
			return
		}
		live := env.stored(t, pool)
		live.Spec.Replicas = 7
		if err := env.other.Update(t.Context(), live); err != nil {
			t.Error(err)
		}
		env.otherWrites(t, pool, func(s *v1alpha1.MachinePoolStatus) { s.ObservedGeneration, s.Phase = 2, "Newer" })
	})
	err := v1alpha1.PatchMachinePoolStatus(t.Context(), env.client, pool, setPhase("Older"), quick(5))
	wantError(t, err, "a newer reconcile has written for generation 2, this status was computed for 1")
	if !apierrors.IsConflict(err) {
		t.Errorf("IsConflict is false of %v", err)
	}
	if stored := env.stored(t, pool); stored.Status.Phase != "Newer" || len(env.patches()) != 1 {
		t.Errorf("stored phase %q after %d PATCHes, want Newer after 1", stored.Status.Phase, len(env.patches()))
	}
}
