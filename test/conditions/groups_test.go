package conditions_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/statuspatch/statuspatcher-gen/test/conditions/api/v1"
)

// setVerification sets the group of bytes and the condition Verified, nil for none.
func setVerification(bytes int64, status metav1.ConditionStatus) func(*v1.BackupStatusPatch) error {
	return func(p *v1.BackupStatusPatch) error {
		if status == "" {
			p.SetVerification(bytes, nil)
		} else {
			p.SetVerification(bytes, &metav1.Condition{Status: status, Reason: "Verified"})
		}
		return nil
	}
}

// Another writer writes the whole group meanwhile, whatever of it there was before: what
// is stored in the end is what one of the two computed, under every lock.
func TestGroupWithACondition(t *testing.T) {
	statuses := []metav1.ConditionStatus{"", "True", "False"}
	verified := func(o *v1.Backup, bytes int64, status metav1.ConditionStatus) {
		o.Status.Bytes = bytes
		o.Status.Conditions = []metav1.Condition{condition("Ready", "True", "AllReady", "")}
		if status != "" {
			o.Status.Conditions = append(o.Status.Conditions, condition("Verified", string(status), "Verified", ""))
		}
	}
	forms := map[string]func(*testing.T, client.Client, *v1.Backup, func(*v1.BackupStatusPatch) error, v1.StatusPatchLock) error{
		"closure": func(t *testing.T, c client.Client, o *v1.Backup, mutate func(*v1.BackupStatusPatch) error, lock v1.StatusPatchLock) error {
			return v1.PatchBackupStatus(t.Context(), c, o, mutate, atNoon, v1.WithStatusPatchLock(lock))
		},
		"deferred": func(t *testing.T, c client.Client, o *v1.Backup, mutate func(*v1.BackupStatusPatch) error, lock v1.StatusPatchLock) error {
			p := v1.NewBackupStatusPatcher(o)
			if err := mutate(&p.BackupStatusPatch); err != nil {
				return err
			}
			return p.Patch(t.Context(), c, atNoon, v1.WithStatusPatchLock(lock))
		},
	}
	onBoth(t, func(t *testing.T, b *backend) {
		for form, patch := range forms {
			for _, lock := range []v1.StatusPatchLock{v1.StatusPatchLockObject, v1.StatusPatchLockFields, v1.StatusPatchLockNone} {
				for _, before := range statuses {
					for _, theirs := range statuses {
						for _, ours := range statuses {
							b.beforePatch(nil)
							backup := create(t, b, &v1.Backup{ObjectMeta: metav1.ObjectMeta{GenerateName: "b-"}}, func(o *v1.Backup) {
								o.Status.ObservedGeneration = 1
								verified(o, 1, before)
							})
							b.beforePatch(func(n int) {
								if n == 1 {
									otherWrites(t, b, backup, func(o *v1.Backup) { verified(o, 2, theirs) })
								}
							})
							if err := patch(t, b.client, backup, setVerification(3, ours), lock); err != nil {
								t.Fatalf("%s, %s: %q, theirs %q, ours %q: %v", form, lock, before, theirs, ours, err)
							}
							live := stored(t, b, backup).Status
							got := metav1.ConditionStatus("")
							for _, c := range live.Conditions {
								if c.Type == "Verified" {
									got = c.Status
								}
							}
							if live.Bytes != 3 || got != ours {
								t.Errorf("%s, %s: %q, theirs 2 %q, ours 3 %q: stored %d %q", form, lock, before, theirs, ours, live.Bytes, got)
							}
						}
					}
				}
			}
		}
	})
}

// A condition of a group that was set past the group's setter is an error.
func TestConditionPastItsGroup(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		backup := create(t, b, &v1.Backup{ObjectMeta: metav1.ObjectMeta{Name: "b"}}, nil)
		err := v1.PatchBackupStatus(t.Context(), b.client, backup, func(p *v1.BackupStatusPatch) error {
			p.SetCondition(metav1.Condition{Type: "Verified", Status: "True", Reason: "R"})
			return nil
		})
		want := "patch status of Backup " + b.namespace + "/b: a member of the group bytes, conditions[Verified] was changed past its setter: " +
			"call SetVerification with all of them, or MarkVerificationComputed if this run computed all of them"
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		expectNone(t, b)
	})
}

// A list that holds null times is still edited entry by entry: what its test cannot say
// is guarded by the resourceVersion.
func TestAddUnderFieldsBesideNullTimes(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		probe := create(t, b, &v1.Probe{ObjectMeta: metav1.ObjectMeta{Name: "p"}}, func(o *v1.Probe) {
			o.Status = &v1.ProbeStatus{History: v1.ProbeConditions{}, Conditions: v1.ProbeConditions{{Type: "Other", Status: "True", Reason: "R"}}}
		})
		for _, edit := range []func(*v1.ProbeStatusPatch){
			func(p *v1.ProbeStatusPatch) {
				p.SetAliveCondition("True", v1.ProbeAliveConditionReasonAnswered, "", "")
			},
			func(p *v1.ProbeStatusPatch) { p.RemoveCondition("Other") },
		} {
			var result v1.StatusPatchResult
			if err := v1.PatchProbeStatus(t.Context(), b.client, probe, func(p *v1.ProbeStatusPatch) error {
				edit(p)
				return nil
			}, v1.WithStatusPatchLock(v1.StatusPatchLockFields), v1.WithStatusPatchResult(&result)); err != nil {
				t.Fatal(err)
			}
			if result.Attempts > 2 || !result.Changed {
				t.Errorf("%+v", result)
			}
		}
		got := stored(t, b, probe).Status.Conditions
		if len(got) != 1 || got[0].Type != "Alive" {
			t.Error(cmp.Diff(nil, got))
		}
	})
}
