package conditions_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "github.com/statuspatch/statuspatcher-gen/test/conditions/api/v1"
)

// The time of stored conditions, and that of calls.
var (
	then = metav1.NewTime(time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC))
	noon = time.Date(2026, 1, 2, 12, 0, 0, 900_000_000, time.FixedZone("CET", 3600))
	// atNoon is a fake clock.
	atNoon = v1.WithStatusPatchNow(func() time.Time { return noon })
)

const (
	thenText = `"2026-01-02T10:00:00Z"`
	noonText = `"2026-01-02T11:00:00Z"`
)

func condition(conditionType, status, reason, message string) metav1.Condition {
	return metav1.Condition{
		Type: conditionType, Status: metav1.ConditionStatus(status), Reason: reason, Message: message,
		ObservedGeneration: 1, LastTransitionTime: then,
	}
}

// json is a condition in a body, with its time.
func conditionJSON(conditionType, status, reason, message, generation, at string) string {
	return `{"type":"` + conditionType + `","status":"` + status + `","observedGeneration":` + generation +
		`,"lastTransitionTime":` + at + `,"reason":"` + reason + `","message":"` + message + `"}`
}

// Each row is one edit of a status that has Ready, Other and example.com/Synced.
func TestEditsOfMetaConditions(t *testing.T) {
	long := strings.Repeat("é", 40000)
	cut := strings.Repeat("é", 32768-7) + "… [cut]"
	ready := conditionJSON("Ready", "True", "AllReady", "fine", "1", thenText)
	other := conditionJSON("Other", "False", "Foreign", "", "1", thenText)
	synced := conditionJSON("example.com/Synced", "Unknown", "Waiting", "", "1", thenText)
	list := func(conditions ...string) string {
		return `{"metadata":{"resourceVersion":"RV"},"status":{"conditions":[` + strings.Join(conditions, ",") + `]}}`
	}
	readyTrue := metav1.Condition{Type: "Ready", Status: "True", Reason: "AllReady", Message: "fine"}
	type patch = *v1.BackupStatusPatch
	for _, tt := range []struct {
		name  string
		edit  func(patch)
		body  string // "" for no request
		error string // instead of a request
	}{
		{name: "36: the same by setter", edit: func(p patch) { p.SetReadyCondition("True", v1.BackupReadyConditionReasonAllReady, "fine") }},
		{name: "36: the same by meta.SetStatusCondition", edit: func(p patch) { meta.SetStatusCondition(&p.Status.Conditions, readyTrue) }},
		{name: "37: the same after clearing the list", edit: func(p patch) {
			p.Status.Conditions = nil
			p.SetSyncedCondition("Unknown", "Waiting", "")
			p.SetCondition(metav1.Condition{Type: "Other", Status: "False", Reason: "Foreign"})
			p.SetReadyCondition("True", v1.BackupReadyConditionReasonAllReady, "fine")
		}},
		{name: "38: the same with a time of the caller's", edit: func(p patch) {
			p.Status.Conditions[0].LastTransitionTime = metav1.NewTime(noon)
		}},
		{name: "the same in other places", edit: func(p patch) {
			c := p.Status.Conditions
			c[0], c[2] = c[2], c[0]
		}},
		{name: "the same with a time in another zone and a fraction", edit: func(p patch) {
			p.Status.Conditions[0].LastTransitionTime = metav1.NewTime(then.Add(300 * time.Millisecond).In(noon.Location()))
		}},
		{name: "the same twice", edit: func(p patch) { p.Status.Conditions = append(p.Status.Conditions, readyTrue) }},
		{name: "a flip and back", edit: func(p patch) {
			p.SetReadyCondition("False", "Down", "")
			p.SetReadyCondition("True", v1.BackupReadyConditionReasonAllReady, "fine")
		}},
		{name: "removed and set again", edit: func(p patch) {
			p.RemoveReadyCondition()
			p.SetReadyCondition("True", v1.BackupReadyConditionReasonAllReady, "fine")
		}},
		{
			name: "65: reason and message move no time",
			edit: func(p patch) { p.SetReadyCondition("True", v1.BackupReadyConditionReasonScaling, "n") },
			body: list(conditionJSON("Ready", "True", "Scaling", "n", "1", thenText), other, synced),
		},
		{
			name: "65: status moves it, to whole seconds in UTC",
			edit: func(p patch) { p.SetReadyCondition("False", "Down", "n") },
			body: list(conditionJSON("Ready", "False", "Down", "n", "1", noonText), other, synced),
		},
		{
			name: "65: by hand, the old time left behind",
			edit: func(p patch) { p.Status.Conditions[0].Status = "False" },
			body: list(conditionJSON("Ready", "False", "AllReady", "fine", "1", noonText), other, synced),
		},
		{
			name: "65: the caller's own time at a flip",
			edit: func(p patch) {
				c := readyTrue
				c.Status, c.LastTransitionTime = "False", metav1.NewTime(noon.Add(-30*time.Minute))
				meta.SetStatusCondition(&p.Status.Conditions, c)
			},
			body: list(conditionJSON("Ready", "False", "AllReady", "fine", "1", `"2026-01-02T10:30:00Z"`), other, synced),
		},
		{
			name: "65: a new one by plain assignment",
			edit: func(p patch) {
				p.Status.Conditions = append([]metav1.Condition{{Type: "New", Status: "True", Reason: "Born"}}, p.Status.Conditions...)
			},
			body: list(ready, other, synced, conditionJSON("New", "True", "Born", "", "1", noonText)),
		},
		{
			name: "the last of duplicates wins",
			edit: func(p patch) {
				p.Status.Conditions = append(p.Status.Conditions,
					metav1.Condition{Type: "Ready", Status: "True", Reason: "First"}, metav1.Condition{Type: "Ready", Status: "True", Reason: "Last"})
			},
			body: list(conditionJSON("Ready", "True", "Last", "", "1", thenText), other, synced),
		},
		{
			name: "an absent one is removed, whoever wrote it",
			edit: func(p patch) { p.Status.Conditions = p.Status.Conditions[:1] },
			body: list(ready),
		},
		{
			name: "59: all removed",
			edit: func(p patch) {
				p.RemoveReadyCondition()
				p.RemoveSyncedCondition()
				p.RemoveCondition("Other")
			},
			body: `{"metadata":{"resourceVersion":"RV"},"status":{"conditions":null}}`,
		},
		{name: "62: no reason", edit: func(p patch) { p.SetReadyCondition("False", "", "") }, error: `condition "Ready" is invalid: it needs a reason`},
		{name: "62: a bad reason", edit: func(p patch) { p.SetSyncedCondition("False", "Not OK!", "") }, error: `condition "example.com/Synced" is invalid: its reason "Not OK!" does not match`},
		{name: "62: a bad reason by hand", edit: func(p patch) { p.Status.Conditions[1].Reason = "-" }, error: `condition "Other" is invalid: its reason "-" does not match`},
		{name: "62: a bad type", edit: func(p patch) { p.SetCondition(metav1.Condition{Type: "No Type", Status: "True", Reason: "R"}) }, error: `condition "No Type" is invalid: its type does not match`},
		{name: "62: a bad status", edit: func(p patch) { p.SetReadyCondition("Maybe", "R", "") }, error: `condition "Ready" is invalid: its status is "Maybe": use one of True, False, Unknown`},
		{
			name: "63: a long message is cut at a character",
			edit: func(p patch) { p.SetReadyCondition("True", v1.BackupReadyConditionReasonAllReady, long) },
			body: list(conditionJSON("Ready", "True", "AllReady", cut, "1", thenText), other, synced),
		},
		{
			name: "63: bytes that are no text",
			edit: func(p patch) { p.SetReadyCondition("True", v1.BackupReadyConditionReasonAllReady, "a\xffb") },
			body: list(conditionJSON("Ready", "True", "AllReady", "a\uFFFDb", "1", thenText), other, synced),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				var want []string
				if tt.body != "" {
					want = []string{tt.body}
				}
				var under v1.BackupStatus // the object lock
				for _, lock := range []v1.StatusPatchLock{v1.StatusPatchLockObject, v1.StatusPatchLockFields, v1.StatusPatchLockNone} {
					name := "b-" + strings.ToLower(string(lock))
					backup := create(t, b, &v1.Backup{ObjectMeta: metav1.ObjectMeta{Name: name}}, func(o *v1.Backup) {
						o.Status.ObservedGeneration = 1
						o.Status.Conditions = []metav1.Condition{
							condition("Ready", "True", "AllReady", "fine"), condition("Other", "False", "Foreign", ""), condition("example.com/Synced", "Unknown", "Waiting", ""),
						}
					})
					base := backup.DeepCopy()
					err := v1.PatchBackupStatus(t.Context(), b.client, backup, func(p *v1.BackupStatusPatch) error {
						tt.edit(p)
						return nil
					}, atNoon, v1.WithStatusPatchLock(lock))
					var sent []string
					for _, body := range b.patches() {
						sent = append(sent, without(body, base))
					}
					if diff := cmp.Diff(want, sent); diff != "" && lock == v1.StatusPatchLockObject {
						t.Error(diff)
					}
					if len(sent) != len(want) {
						t.Errorf("%s: sent %q, want %d", lock, sent, len(want))
					}
					if tt.error != "" {
						if err == nil || !strings.Contains(err.Error(), tt.error) || !strings.Contains(err.Error(), "Backup "+b.namespace+"/"+name) {
							t.Errorf("error %v, want %q for Backup %s/%s", err, tt.error, b.namespace, name)
						}
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					live := stored(t, b, backup)
					if diff := cmp.Diff(live.Status, backup.Status); diff != "" {
						t.Errorf("%s: the caller's status is not the stored one: %s", lock, diff)
					}
					if lock == v1.StatusPatchLockObject {
						under = live.Status
					} else if diff := cmp.Diff(under, live.Status, cmpopts.EquateEmpty()); diff != "" {
						t.Errorf("%s stores another status than the object lock: %s", lock, diff)
					}
				}
			})
		})
	}
}

// The same edit on what it has made sends nothing.
func TestTheSameAgainIsNoRequest(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(*v1.BackupStatusPatch)
	}{
		{"long message", func(p *v1.BackupStatusPatch) { p.SetReadyCondition("True", "AllReady", strings.Repeat("é", 40000)) }},
		{"no text", func(p *v1.BackupStatusPatch) { p.SetReadyCondition("True", "AllReady", "a\xff\xfeb<>&\u2028") }},
		{"removal", func(p *v1.BackupStatusPatch) { p.RemoveCondition("Ready") }},
		{"several lists", func(p *v1.BackupStatusPatch) {
			p.SetReadyCondition("False", "Down", "")
			p.SetReplicaReadyCondition("True", "Up", "")
			p.SetV1Beta1ReadyCondition("Unknown", v1.BackupV1Beta1ReadyConditionReasonOld, "")
		}},
		{"the library's own time", func(p *v1.BackupStatusPatch) {
			meta.SetStatusCondition(&p.Status.Conditions, metav1.Condition{Type: "Ready", Status: "False", Reason: "Down"})
			meta.SetStatusCondition(&p.Status.Conditions, metav1.Condition{Type: "New", Status: "True", Reason: "Up"})
		}},
		{"group", func(p *v1.BackupStatusPatch) {
			p.SetVerification(7, &metav1.Condition{Status: "True", Reason: "Verified"})
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				backup := create(t, b, &v1.Backup{ObjectMeta: metav1.ObjectMeta{Name: "b"}}, func(o *v1.Backup) {
					o.Status.Conditions = []metav1.Condition{condition("Ready", "True", "AllReady", "fine")}
				})
				for run, want := range []int{1, 0, 0} {
					var result v1.StatusPatchResult
					if err := v1.PatchBackupStatus(t.Context(), b.client, backup, func(p *v1.BackupStatusPatch) error {
						tt.edit(p)
						return nil
					}, v1.WithStatusPatchResult(&result)); err != nil {
						t.Fatal(err)
					}
					if sent := b.patches(); len(sent) != want || result.Attempts != want || result.Changed != (want == 1) {
						t.Errorf("run %d: %d requests, result %+v, want %d: %s", run, len(sent), result, want, sent)
					}
				}
			})
		})
	}
}

// 66: the same condition at the next generation is one write that moves no time.
func TestNextGeneration(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		backup := create(t, b, &v1.Backup{ObjectMeta: metav1.ObjectMeta{Name: "b"}}, func(o *v1.Backup) {
			o.Status.ObservedGeneration = 1
			o.Status.Conditions = []metav1.Condition{condition("Ready", "True", "AllReady", ""), condition("Other", "True", "Foreign", "")}
		})
		for range 2 {
			backup = respecified(t, b, backup, func(o *v1.Backup) { o.Spec.Size++ })
		}
		version := backup.ResourceVersion
		if err := v1.PatchBackupStatus(t.Context(), b.client, backup, func(p *v1.BackupStatusPatch) error {
			p.SetReadyCondition("True", v1.BackupReadyConditionReasonAllReady, "")
			return nil
		}, atNoon); err != nil {
			t.Fatal(err)
		}
		want := []string{`{"metadata":{"resourceVersion":"` + version + `"},"status":{"observedGeneration":3,"conditions":[` +
			conditionJSON("Ready", "True", "AllReady", "", "3", thenText) + "," + conditionJSON("Other", "True", "Foreign", "", "1", thenText) + `]}}`}
		if diff := cmp.Diff(want, b.patches()); diff != "" {
			t.Error(diff)
		}
	})
}

// Conditions that nobody changed may break today's rules: only the server's opinion counts.
func TestForeignConditionsAreNotChecked(t *testing.T) {
	b := newFake() // a server with this schema would not have stored them
	backup := create(t, b, &v1.Backup{ObjectMeta: metav1.ObjectMeta{Name: "b"}}, func(o *v1.Backup) {
		o.Status.Conditions = []metav1.Condition{{Type: "An old one", Status: "maybe"}}
	})
	if err := v1.PatchBackupStatus(t.Context(), b.client, backup, func(p *v1.BackupStatusPatch) error {
		p.SetReadyCondition("True", v1.BackupReadyConditionReasonAllReady, "")
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if c := stored(t, b, backup).Status.Conditions; len(c) != 2 || c[0].Type != "An old one" || !c[0].LastTransitionTime.IsZero() {
		t.Errorf("stored %v", c)
	}
}

// Lists below values and pointers, made and unmade.
func TestSeveralLists(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		backup := create(t, b, &v1.Backup{ObjectMeta: metav1.ObjectMeta{Name: "b"}}, func(o *v1.Backup) {
			o.Status.ObservedGeneration = 1
			o.Status.Conditions = []metav1.Condition{condition("Ready", "True", "AllReady", "")}
		})
		base := backup.DeepCopy()
		var result v1.StatusPatchResult
		patch := func(edit func(p *v1.BackupStatusPatch)) {
			t.Helper()
			base = backup.DeepCopy()
			if err := v1.PatchBackupStatus(t.Context(), b.client, backup, func(p *v1.BackupStatusPatch) error {
				edit(p)
				return nil
			}, atNoon, v1.WithStatusPatchResult(&result)); err != nil {
				t.Fatal(err)
			}
		}
		expect := func(body string) {
			t.Helper()
			var sent []string
			for _, s := range b.patches() {
				sent = append(sent, without(s, base))
			}
			if diff := cmp.Diff([]string{body}, sent); diff != "" {
				t.Error(diff)
			}
		}
		patch(func(p *v1.BackupStatusPatch) {
			if p.V1Beta1ReadyCondition() != nil || p.ReplicaReadyCondition() != nil {
				t.Error("conditions that nobody set")
			}
			p.RemoveV1Beta1ReadyCondition() // makes nothing
			if p.Status.Deprecated != nil {
				t.Error("removing made the parents")
			}
			p.SetReplicaReadyCondition("True", "Copied", "")
			p.SetV1Beta1ReadyCondition("False", v1.BackupV1Beta1ReadyConditionReasonOld, "")
		})
		expect(`{"metadata":{"resourceVersion":"RV"},"status":{"replica":{"conditions":[` + conditionJSON("Ready", "True", "Copied", "", "1", noonText) +
			`]},"deprecated":{"v1beta1":{"conditions":[` + conditionJSON("Ready", "False", "Old", "", "1", noonText) + `]}}}}`)
		if diff := cmp.Diff([]string{"Ready"}, result.Transitioned); diff != "" {
			t.Errorf("transitions of one type in two lists: %s", diff)
		}
		patch(func(p *v1.BackupStatusPatch) {
			p.RemoveReplicaReadyCondition()
			p.RemoveV1Beta1ReadyCondition()
		})
		expect(`{"metadata":{"resourceVersion":"RV"},"status":{"replica":{"conditions":null},"deprecated":{"v1beta1":{"conditions":null}}}}`)
		if len(backup.Status.Conditions) != 1 {
			t.Errorf("the main list changed too: %v", backup.Status.Conditions)
		}
	})
}
