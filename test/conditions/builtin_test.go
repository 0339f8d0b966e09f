package conditions_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/test/conditions/builtin"
)

var atNoonBuiltin = builtin.WithStatusPatchNow(func() time.Time { return noon })

func noonUTC() metav1.Time { return metav1.NewTime(noon.UTC().Truncate(time.Second)) }

// locks are the locks that a condition can be written under.
var locks = []builtin.StatusPatchLock{builtin.StatusPatchLockObject, builtin.StatusPatchLockFields, builtin.StatusPatchLockNone}

// expectOne reports whether one request alone was sent.
func expectOne(t *testing.T, b *backend) {
	t.Helper()
	if sent := b.patches(); len(sent) != 1 {
		t.Errorf("sent %q, want one", sent)
	}
}

func expectNone(t *testing.T, b *backend) {
	t.Helper()
	if sent := b.patches(); len(sent) != 0 {
		t.Errorf("sent %q, want none", sent)
	}
}

func utc(at metav1.Time) metav1.Time {
	if at.IsZero() {
		return at
	}
	return metav1.NewTime(at.UTC())
}

// A node's heartbeat is kept, and is no change.
func TestNode(t *testing.T) {
	for _, lock := range locks {
		onBoth(t, func(t *testing.T, b *backend) {
			node := create(t, b, &builtin.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-" + strings.ToLower(string(lock)) + "-" + b.namespace, Namespace: ""}}, func(o *builtin.Node) {
				o.Status.Conditions = []corev1.NodeCondition{
					{Type: "MemoryPressure", Status: "False"}, // no times at all: stored as null
					{Type: "Ready", Status: "True", Reason: "KubeletReady", LastHeartbeatTime: then, LastTransitionTime: then},
				}
			})
			patch := func(edit func(*builtin.NodeStatusPatch)) {
				t.Helper()
				if err := builtin.PatchNodeStatus(t.Context(), b.client, node, func(p *builtin.NodeStatusPatch) error {
					edit(p)
					return nil
				}, atNoonBuiltin, builtin.WithStatusPatchLock(lock)); err != nil {
					t.Fatal(err)
				}
			}
			patch(func(p *builtin.NodeStatusPatch) {
				p.SetReadyCondition("True", builtin.NodeReadyConditionReasonKubeletReady, "")
				p.Status.Conditions[1].LastHeartbeatTime = metav1.NewTime(noon)
			})
			expectNone(t, b)
			patch(func(p *builtin.NodeStatusPatch) {
				p.SetReadyCondition("False", builtin.NodeReadyConditionReasonKubeletNotReady, "down")
			})
			expectOne(t, b)
			patch(func(p *builtin.NodeStatusPatch) {
				p.SetCondition(corev1.NodeCondition{Type: "MemoryPressure", Status: "True", Reason: "Full"})
			})
			expectOne(t, b)
			patch(func(p *builtin.NodeStatusPatch) { p.SetDiskFineCondition("True", "any reason goes", "") })
			expectOne(t, b)
			want := []corev1.NodeCondition{
				{Type: "MemoryPressure", Status: "True", Reason: "Full", LastTransitionTime: noonUTC()},
				{Type: "Ready", Status: "False", Reason: "KubeletNotReady", Message: "down", LastHeartbeatTime: then, LastTransitionTime: noonUTC()},
				{Type: "example.com/DiskFine", Status: "True", Reason: "any reason goes", LastTransitionTime: noonUTC()},
			}
			got := stored(t, b, node).Status.Conditions
			for i := range got {
				got[i].LastTransitionTime, got[i].LastHeartbeatTime = utc(got[i].LastTransitionTime), utc(got[i].LastHeartbeatTime)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", lock, diff)
			}
		})
	}
}

// A pod's conditions carry the generation; probes are kept.
func TestPod(t *testing.T) {
	for _, lock := range locks {
		onBoth(t, func(t *testing.T, b *backend) {
			pod := create(t, b, &builtin.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: "pod-" + strings.ToLower(string(lock))},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}},
			}, func(o *builtin.Pod) {
				o.Status.Phase = corev1.PodPending
				o.Status.Conditions = []corev1.PodCondition{{Type: "example.com/Admitted", Status: "False", Reason: "R", LastProbeTime: then, LastTransitionTime: then}}
			})
			for run, want := range []int{1, 0} {
				if err := builtin.PatchPodStatus(t.Context(), b.client, pod, func(p *builtin.PodStatusPatch) error {
					p.SetAdmittedCondition("True", "Fine", "m")
					return nil
				}, atNoonBuiltin, builtin.WithStatusPatchLock(lock)); err != nil {
					t.Fatal(err)
				}
				if sent := b.patches(); len(sent) != want {
					t.Errorf("run %d: sent %q, want %d", run, sent, want)
				}
			}
			got := stored(t, b, pod)
			at := slices.IndexFunc(got.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == "example.com/Admitted" })
			c := got.Status.Conditions[at]
			if c.Status != "True" || c.ObservedGeneration != got.Generation || !c.LastProbeTime.Equal(&then) || !c.LastTransitionTime.Time.Equal(noonUTC().Time) {
				t.Errorf("%s: stored %+v at generation %d", lock, c, got.Generation)
			}
		})
	}
}

// A deployment's lastUpdateTime moves with the message, lastTransitionTime does not.
func TestDeployment(t *testing.T) {
	for _, lock := range locks {
		onBoth(t, func(t *testing.T, b *backend) {
			labels := map[string]string{"a": "b"}
			deployment := create(t, b, &builtin.Deployment{
				ObjectMeta: metav1.ObjectMeta{Name: "d-" + strings.ToLower(string(lock))},
				Spec: appsv1.DeploymentSpec{
					Selector: &metav1.LabelSelector{MatchLabels: labels},
					Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}}},
				},
			}, func(o *builtin.Deployment) {
				o.Status.ObservedGeneration = 1
				o.Status.Conditions = []appsv1.DeploymentCondition{{Type: "Progressing", Status: "True", Reason: "R", Message: "m", LastUpdateTime: then, LastTransitionTime: then}}
			})
			for run, want := range []int{0, 1, 0} {
				message := []string{"m", "n", "n"}[run]
				if err := builtin.PatchDeploymentStatus(t.Context(), b.client, deployment, func(p *builtin.DeploymentStatusPatch) error {
					p.SetProgressingCondition("True", "R", message)
					return nil
				}, atNoonBuiltin, builtin.WithStatusPatchLock(lock)); err != nil {
					t.Fatal(err)
				}
				if sent := b.patches(); len(sent) != want {
					t.Errorf("run %d: sent %q, want %d", run, sent, want)
				}
			}
			c := stored(t, b, deployment).Status.Conditions[0]
			if c.Message != "n" || !c.LastTransitionTime.Equal(&then) || !c.LastUpdateTime.Time.Equal(noonUTC().Time) {
				t.Errorf("%s: stored %+v", lock, c)
			}
		})
	}
}

// A job's probe is kept.
func TestJob(t *testing.T) {
	for _, lock := range locks {
		onBoth(t, func(t *testing.T, b *backend) {
			suspend := true
			job := create(t, b, &builtin.Job{
				ObjectMeta: metav1.ObjectMeta{Name: "j-" + strings.ToLower(string(lock))},
				Spec: batchv1.JobSpec{Suspend: &suspend, Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
					RestartPolicy: corev1.RestartPolicyNever, Containers: []corev1.Container{{Name: "c", Image: "i"}},
				}}},
			}, func(o *builtin.Job) {
				o.Status.Conditions = []batchv1.JobCondition{{Type: "Suspended", Status: "False", LastProbeTime: then, LastTransitionTime: then}}
			})
			if err := builtin.PatchJobStatus(t.Context(), b.client, job, func(p *builtin.JobStatusPatch) error {
				p.SetSuspendedCondition("True", "JobSuspended", "")
				return nil
			}, atNoonBuiltin, builtin.WithStatusPatchLock(lock)); err != nil {
				t.Fatal(err)
			}
			expectOne(t, b)
			c := stored(t, b, job).Status.Conditions[0]
			if c.Status != "True" || !c.LastProbeTime.Equal(&then) || !c.LastTransitionTime.Time.Equal(noonUTC().Time) {
				t.Errorf("%s: stored %+v", lock, c)
			}
		})
	}
}

// Patchers of an alias take that type itself, and only that.
var _ func(*corev1.Node) *builtin.NodeStatusPatcher = builtin.NewNodeStatusPatcher
var _ client.Object = (*builtin.Job)(nil)
