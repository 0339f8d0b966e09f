package conditions_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "github.com/statuspatch/statuspatcher-gen/test/conditions/api/v1"
)

// A getter gives what the setters of this run have made, as a copy.
func TestGettersGiveCopies(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		backup := create(t, b, &v1.Backup{ObjectMeta: metav1.ObjectMeta{Name: "b"}}, func(o *v1.Backup) {
			o.Status.ObservedGeneration = 1
			o.Status.Conditions = []metav1.Condition{condition("Ready", "True", "AllReady", "")}
		})
		if err := v1.PatchBackupStatus(t.Context(), b.client, backup, func(p *v1.BackupStatusPatch) error {
			c := p.ReadyCondition()
			if c == nil || c.Status != "True" || p.PausedCondition() != nil || p.SyncedCondition() != nil {
				t.Errorf("Ready %v, Paused %v, Synced %v", c, p.PausedCondition(), p.SyncedCondition())
			}
			c.Message = "edited"
			p.SetPausedCondition("True", "P", "")
			if paused := p.PausedCondition(); paused == nil || paused.ObservedGeneration != 1 {
				t.Errorf("Paused %v, which was just set", paused)
			}
			p.RemovePausedCondition()
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		expectNone(t, b)
	})
}

// A call's clock stands still, whatever it sets and however often it tries.
func TestClockOfACall(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		backup := create(t, b, &v1.Backup{ObjectMeta: metav1.ObjectMeta{Name: "b"}}, nil)
		b.beforePatch(func(n int) {
			if n == 1 {
				otherWrites(t, b, backup, func(o *v1.Backup) { o.Status.Phase = "Theirs" })
			}
		})
		clock := noon
		if err := v1.PatchBackupStatus(t.Context(), b.client, backup, func(p *v1.BackupStatusPatch) error {
			clock = clock.AddDate(0, 0, 1)
			p.SetReadyCondition("True", v1.BackupReadyConditionReasonAllReady, "")
			p.SetReplicaReadyCondition("True", "R", "")
			p.SetPausedCondition("True", "P", "")
			return nil
		}, v1.WithStatusPatchNow(func() time.Time {
			clock = clock.AddDate(1, 0, 0)
			return clock
		})); err != nil {
			t.Fatal(err)
		}
		s := stored(t, b, backup).Status
		first := s.Conditions[0].LastTransitionTime
		for _, c := range append(s.Conditions, s.Replica.Conditions...) {
			if !c.LastTransitionTime.Equal(&first) || c.LastTransitionTime.Year() != noon.Year()+1 {
				t.Errorf("%s at %s, want all at the first time asked for", c.Type, c.LastTransitionTime)
			}
		}
	})
}
