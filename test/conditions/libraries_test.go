package conditions_test

import (
	"context"
	"slices"
	"sort"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/statuspatch/statuspatcher-gen/test/conditions/api/v1"
)

// getterSetter is what Cluster API's conditions package takes.
type getterSetter interface {
	client.Object
	GetConditions() v1.Conditions
	SetConditions(v1.Conditions)
}

// clusterAPISet does what Cluster API's conditions.Set does: a condition whose state is
// the same keeps its time, any other takes the present, and the list is sorted, Ready first.
func clusterAPISet(to getterSetter, condition v1.Condition) {
	conditions := to.GetConditions()
	exists := false
	for i := range conditions {
		old := conditions[i]
		if old.Type != condition.Type {
			continue
		}
		exists = true
		same := old.Status == condition.Status && old.Reason == condition.Reason && old.Severity == condition.Severity && old.Message == condition.Message
		if same {
			condition.LastTransitionTime = old.LastTransitionTime
		} else if condition.LastTransitionTime.IsZero() {
			condition.LastTransitionTime = metav1.NewTime(time.Now().UTC().Truncate(time.Second))
		}
		conditions[i] = condition
	}
	if !exists {
		if condition.LastTransitionTime.IsZero() {
			condition.LastTransitionTime = metav1.NewTime(time.Now().UTC().Truncate(time.Second))
		}
		conditions = append(conditions, condition)
	}
	sort.Slice(conditions, func(i, j int) bool {
		return (conditions[i].Type == v1.ReadyCondition || conditions[i].Type < conditions[j].Type) && conditions[j].Type != v1.ReadyCondition
	})
	to.SetConditions(conditions)
}

// setOf does what operatorpkg's condition sets do: dependents make up a root condition.
type setOf struct {
	object     interface{ GetConditions() v1.Conditions }
	root       v1.ConditionType
	dependents []v1.ConditionType
	put        func(v1.Conditions)
}

func (s setOf) set(condition v1.Condition) {
	var kept v1.Conditions
	for _, c := range s.object.GetConditions() {
		if c.Type != condition.Type {
			kept = append(kept, c)
		} else if c.Status == condition.Status {
			condition.LastTransitionTime = c.LastTransitionTime
		}
	}
	if condition.LastTransitionTime.IsZero() {
		condition.LastTransitionTime = metav1.Now()
	}
	kept = append(kept, condition)
	slices.SortFunc(kept, func(a, b v1.Condition) int { return cmp2(a.Type, b.Type) })
	s.put(kept)
	if condition.Type == s.root {
		return
	}
	for _, c := range kept {
		if slices.Contains(s.dependents, c.Type) && c.Status != corev1.ConditionTrue {
			s.set(v1.Condition{Type: s.root, Status: corev1.ConditionFalse, Reason: "Unhealthy", Message: string(c.Type)})
			return
		}
	}
	s.set(v1.Condition{Type: s.root, Status: corev1.ConditionTrue, Reason: "Healthy"})
}

func cmp2(a, b v1.ConditionType) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// libraries are the ways in which a controller may set Infrastructure=status of a cluster, and with it Ready.
var libraries = []struct {
	name string
	set  func(*v1.Cluster, corev1.ConditionStatus, string)
}{
	{"conditions.Set", func(c *v1.Cluster, status corev1.ConditionStatus, reason string) {
		clusterAPISet(c, v1.Condition{Type: "Infrastructure", Status: status, Severity: v1.ConditionSeverityInfo, Reason: reason})
		clusterAPISet(c, v1.Condition{Type: v1.ReadyCondition, Status: status, Severity: v1.ConditionSeverityInfo, Reason: reason})
	}},
	{"condition set", func(c *v1.Cluster, status corev1.ConditionStatus, reason string) {
		setOf{object: c, root: v1.ReadyCondition, dependents: []v1.ConditionType{"Infrastructure"}, put: c.SetConditions}.
			set(v1.Condition{Type: "Infrastructure", Status: status, Reason: reason})
	}},
	{"plain assignment", func(c *v1.Cluster, status corev1.ConditionStatus, reason string) {
		foreign := c.Status.Conditions[slices.IndexFunc(c.Status.Conditions, func(c v1.Condition) bool { return c.Type == "Foreign" })]
		c.Status.Conditions = v1.Conditions{
			{Type: v1.ReadyCondition, Status: status, Reason: reason}, foreign, {Type: "Infrastructure", Status: status, Reason: reason},
		}
	}},
}

// forms are the two ways to write what a library has set.
var forms = []struct {
	name  string
	patch func(ctx context.Context, c client.Client, obj *v1.Cluster, set func(*v1.Cluster), opts ...client.SubResourcePatchOption) error
}{
	{"closure", func(ctx context.Context, c client.Client, obj *v1.Cluster, set func(*v1.Cluster), opts ...client.SubResourcePatchOption) error {
		return v1.PatchClusterStatus(ctx, c, obj, func(p *v1.ClusterStatusPatch) error {
			set(p.Object())
			return nil
		}, opts...)
	}},
	{"deferred", func(ctx context.Context, c client.Client, obj *v1.Cluster, set func(*v1.Cluster), opts ...client.SubResourcePatchOption) error {
		p := v1.NewClusterStatusPatcher(obj)
		set(obj)
		return p.Patch(ctx, c, opts...)
	}},
}

func newCluster(t *testing.T, b *backend) *v1.Cluster {
	t.Helper()
	return create(t, b, &v1.Cluster{ObjectMeta: metav1.ObjectMeta{Name: "c"}}, func(o *v1.Cluster) {
		o.Status.Conditions = v1.Conditions{{Type: "Foreign", Status: "True", LastTransitionTime: then}}
	})
}

func statuses(conditions v1.Conditions) map[string]string {
	out := map[string]string{}
	for _, c := range conditions {
		out[string(c.Type)] = string(c.Status) + " " + c.Reason
	}
	return out
}

// Whatever library sets them and in whichever form: one request for a change, none for
// the same again, no time moves without a flip, and others' conditions stay.
func TestLibraries(t *testing.T) {
	for _, library := range libraries {
		for _, form := range forms {
			t.Run(library.name+"/"+form.name, func(t *testing.T) {
				onBoth(t, func(t *testing.T, b *backend) {
					cluster := newCluster(t, b)
					patch := func(status corev1.ConditionStatus, reason string, requests int) v1.Conditions {
						t.Helper()
						if err := form.patch(t.Context(), b.client, cluster, func(c *v1.Cluster) { library.set(c, status, reason) }); err != nil {
							t.Fatal(err)
						}
						if sent := b.patches(); len(sent) != requests {
							t.Errorf("%s %s: sent %q, want %d", status, reason, sent, requests)
						}
						cluster = stored(t, b, cluster)
						return cluster.DeepCopy().Status.Conditions
					}
					first := patch("False", "Waiting", 1)
					if got := statuses(first); len(got) != 3 || got["Infrastructure"] != "False Waiting" || got["Foreign"] != "True " {
						t.Errorf("stored %v", got)
					}
					if diff := cmp.Diff(first, patch("False", "Waiting", 0)); diff != "" {
						t.Error(diff)
					}
					second := patch("False", "Other", 1)
					for i := range second {
						if second[i].Type != first[i].Type || !second[i].LastTransitionTime.Equal(&first[i].LastTransitionTime) {
							t.Errorf("%v became %v without a flip", first[i], second[i])
						}
					}
					third := patch("True", "Fine", 1)
					if got := statuses(third); got["Ready"][:4] != "True" || got["Foreign"] != "True " {
						t.Errorf("stored %v", got)
					}
				})
			})
		}
	}
}

// Between read and write another writer adds a condition and flips Ready: what this call
// set wins, with a transition time of its own, and what it did not touch stays.
func TestLibrariesOnConflict(t *testing.T) {
	for _, library := range libraries {
		for _, form := range forms {
			t.Run(library.name+"/"+form.name, func(t *testing.T) {
				onBoth(t, func(t *testing.T, b *backend) {
					cluster := newCluster(t, b)
					b.beforePatch(func(n int) {
						if n == 1 {
							otherWrites(t, b, cluster, func(o *v1.Cluster) {
								o.Status.Conditions = append(o.Status.Conditions,
									v1.Condition{Type: "Late", Status: "True", Reason: "R", LastTransitionTime: then},
									v1.Condition{Type: v1.ReadyCondition, Status: "False", Reason: "Theirs", LastTransitionTime: then})
							})
						}
					})
					var result v1.StatusPatchResult
					if err := form.patch(t.Context(), b.client, cluster, func(c *v1.Cluster) { library.set(c, "True", "Fine") },
						v1.WithStatusPatchResult(&result)); err != nil {
						t.Fatal(err)
					}
					live := stored(t, b, cluster).Status.Conditions
					got := statuses(live)
					if got["Infrastructure"] != "True Fine" || got["Ready"][:4] != "True" || got["Foreign"] != "True " {
						t.Errorf("stored %v", got)
					}
					// A closure that replaces the list without Late says that Late is to go.
					if _, in := got["Late"]; in != (library.name != "plain assignment" || form.name == "deferred") {
						t.Errorf("stored %v: what of Late?", got)
					}
					for _, c := range live {
						if c.Type == v1.ReadyCondition && c.LastTransitionTime.Equal(&then) {
							t.Errorf("%v flipped and kept its time", c)
						}
					}
					if result.Attempts != 2 || !slices.Contains(result.Transitioned, "Ready") || slices.Contains(result.Transitioned, "Foreign") {
						t.Errorf("result %+v", result)
					}
				})
			})
		}
	}
}

// A list with room is edited in place through Object(): what was given out before it
// does not take part, but for edits of its own.
func TestInPlaceThroughObject(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		cluster := newCluster(t, b)
		if err := v1.PatchClusterStatus(t.Context(), b.client, cluster, func(p *v1.ClusterStatusPatch) error {
			p.Status.Conditions = slices.Grow(p.Status.Conditions, 8)
			before, list := p.Status, p.Status.Conditions
			o := p.Object()
			for _, conditionType := range []v1.ConditionType{"B", "A"} {
				o.Status.Conditions = slices.Insert(o.Status.Conditions, 0, v1.Condition{Type: conditionType, Status: "True"})
			}
			list[0].Reason = "Seen"
			before.Phase = "Up"
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		live := stored(t, b, cluster).Status
		if diff := cmp.Diff(map[string]string{"Foreign": "True Seen", "A": "True ", "B": "True "}, statuses(live.Conditions)); diff != "" || live.Phase != "Up" {
			t.Errorf("phase %q, conditions %s", live.Phase, diff)
		}
	})
}

// In the deferred form a message that was edited goes onto a condition that another
// writer flipped meanwhile: the flip back is one, at the time of this call.
func TestDeferredOntoAFlip(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		backup := create(t, b, &v1.Backup{ObjectMeta: metav1.ObjectMeta{Name: "b"}}, func(o *v1.Backup) {
			o.Status.ObservedGeneration = 1
			o.Status.Conditions = []metav1.Condition{condition("Ready", "True", "AllReady", ""), condition("Paused", "True", "P", "")}
		})
		b.beforePatch(func(n int) {
			if n == 1 {
				otherWrites(t, b, backup, func(o *v1.Backup) {
					c := condition("Ready", "False", "Theirs", "")
					c.LastTransitionTime = metav1.NewTime(then.Add(time.Minute))
					o.Status.Conditions = []metav1.Condition{condition("Late", "True", "R", ""), c}
				})
			}
		})
		p := v1.NewBackupStatusPatcher(backup)
		meta.SetStatusCondition(&backup.Status.Conditions, metav1.Condition{Type: "Ready", Status: "True", Reason: "AllReady", Message: "mine", ObservedGeneration: 1})
		if err := p.Patch(t.Context(), b.client, atNoon); err != nil {
			t.Fatal(err)
		}
		want := []metav1.Condition{condition("Late", "True", "R", ""), condition("Ready", "True", "AllReady", "mine")}
		want[1].LastTransitionTime = metav1.NewTime(noon.UTC().Truncate(time.Second))
		got := stored(t, b, backup).Status.Conditions
		for i := range got {
			got[i].LastTransitionTime = metav1.NewTime(got[i].LastTransitionTime.UTC())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// Transitions are those of the write that landed, once, however often mutate ran.
func TestTransitions(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		backup := create(t, b, &v1.Backup{ObjectMeta: metav1.ObjectMeta{Name: "b"}}, func(o *v1.Backup) {
			o.Status.Conditions = []metav1.Condition{condition("Ready", "True", "AllReady", ""), condition("Paused", "True", "P", ""), condition("Other", "True", "O", "")}
		})
		b.beforePatch(func(n int) {
			if n == 1 { // another writer pauses, and makes one of the transitions itself
				otherWrites(t, b, backup, func(o *v1.Backup) {
					o.Status.Conditions[1].Status = "False"
					o.Status.Conditions = append(o.Status.Conditions, condition("EtcdCluster.Healthy", "True", "Quorum", ""))
				})
			}
		})
		runs := 0
		patch := func(edit func(*v1.BackupStatusPatch), opts ...client.SubResourcePatchOption) v1.StatusPatchResult {
			t.Helper()
			var result v1.StatusPatchResult
			if err := v1.PatchBackupStatus(t.Context(), b.client, backup, func(p *v1.BackupStatusPatch) error {
				runs++
				edit(p)
				return nil
			}, append(opts, v1.WithStatusPatchResult(&result))...); err != nil {
				t.Fatal(err)
			}
			return result
		}
		edit := func(p *v1.BackupStatusPatch) {
			p.SetReadyCondition("False", v1.BackupReadyConditionReasonScaling, "")           // flips
			p.SetPausedCondition("False", "P", "")                                           // the other writer did
			p.SetEtcdHealthyCondition("True", v1.BackupEtcdHealthyConditionReasonQuorum, "") // so here
			p.SetSyncedCondition("True", "S", "")                                            // appears
			p.RemoveCondition("Other")                                                       // vanishes
		}
		got := patch(edit)
		if runs != 2 || got.Attempts != 2 {
			t.Errorf("mutate ran %d times, %d attempts, want 2", runs, got.Attempts)
		}
		if diff := cmp.Diff([]string{"Ready", "example.com/Synced", "Other"}, got.Transitioned); diff != "" {
			t.Error(diff)
		}
		if got := patch(edit); got.Changed || len(got.Transitioned) != 0 {
			t.Errorf("the same again: %+v", got)
		}
		if got := patch(func(p *v1.BackupStatusPatch) { p.SetPausedCondition("False", "Q", "") }); !got.Changed || len(got.Transitioned) != 0 {
			t.Errorf("a reason alone: %+v", got)
		}
		if got := patch(func(p *v1.BackupStatusPatch) { p.SetPausedCondition("True", "Q", "") }, client.DryRunAll); got.Changed || len(got.Transitioned) != 0 {
			t.Errorf("a dry run: %+v", got)
		}
	})
}
