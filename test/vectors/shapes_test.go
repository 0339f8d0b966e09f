package vectors_test

import (
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "github.com/statuspatch/statuspatcher-gen/test/vectors/api/v1"
)

var (
	midnight = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	ready    = metav1.Condition{Type: "Ready", Status: "True", Reason: "AllReady", ObservedGeneration: 1, LastTransitionTime: metav1.NewTime(midnight)}
)

// Cases of what a change of one status makes of the body, with base and edit.
func TestBodies(t *testing.T) {
	for _, tt := range []struct {
		name string
		base v1.JobStatus
		edit func(*v1.JobStatusPatch)
		body string // "" for no request
	}{
		{
			name: "7 and 27: condition and fields, one PATCH (cluster-api 8706, karpenter 2324)",
			base: v1.JobStatus{ObservedGeneration: 1, Phase: "A", Conditions: []metav1.Condition{ready}},
			edit: func(p *v1.JobStatusPatch) {
				p.SetReadyCondition("True", "Other", "m")
				p.Status.Phase = "B"
				p.SetCounters(2, 1)
			},
			body: `{"metadata":{"resourceVersion":"RV"},"status":{"replicas":2,"readyReplicas":1,"phase":"B","conditions":[{"type":"Ready","status":"True","observedGeneration":1,"lastTransitionTime":"2026-01-02T00:00:00Z","reason":"Other","message":"m"}]}}`,
		},
		{
			name: "36: the same condition at another time (knative serving 1181)",
			base: v1.JobStatus{ObservedGeneration: 1, Conditions: []metav1.Condition{ready}},
			edit: func(p *v1.JobStatusPatch) { p.SetReadyCondition("True", "AllReady", "") },
		},
		{
			name: "38: the same, with a time of the caller's (kfp-operator 625)",
			base: v1.JobStatus{ObservedGeneration: 1, Conditions: []metav1.Condition{ready}},
			edit: func(p *v1.JobStatusPatch) {
				again := ready
				again.LastTransitionTime = metav1.NewTime(midnight.Add(time.Hour))
				p.Status.Conditions = []metav1.Condition{again}
			},
		},
		{
			name: "40: nil and empty are one where they are left out (cloud-on-k8s 5532)",
			base: v1.JobStatus{ObservedGeneration: 1},
			edit: func(p *v1.JobStatusPatch) { p.Status.Names = []string{} },
		},
		{
			name: "40: nil and empty are two where they are written",
			base: v1.JobStatus{ObservedGeneration: 1},
			edit: func(p *v1.JobStatusPatch) { p.Status.Written = []string{} },
			body: `{"metadata":{"resourceVersion":"RV"},"status":{"written":[]}}`,
		},
		{
			name: "42: nothing changed (kueue 15237)",
			base: v1.JobStatus{ObservedGeneration: 1, Replicas: 1, Names: []string{"a"}, Artifact: &v1.Artifact{Revision: "r"}},
			edit: func(p *v1.JobStatusPatch) {
				p.SetCounters(1, 0)
				p.Status.Names = []string{"a"}
				p.Status.Artifact = &v1.Artifact{Revision: "r"}
			},
		},
		{
			name: "43: the same second (longhorn 14062)",
			base: v1.JobStatus{ObservedGeneration: 1, At: metav1.NewTime(midnight)},
			edit: func(p *v1.JobStatusPatch) { p.Status.At = metav1.NewTime(midnight.Add(123456789)) },
		},
		{
			name: "43: the same second in another zone",
			base: v1.JobStatus{ObservedGeneration: 1, At: metav1.NewTime(midnight)},
			edit: func(p *v1.JobStatusPatch) {
				p.Status.At = metav1.NewTime(midnight.In(time.FixedZone("", -7200)))
			},
		},
		{
			name: "45: equal quantities (apimachinery 75)",
			base: v1.JobStatus{ObservedGeneration: 1, CPU: quantity("2"), Capacity: map[string]resource.Quantity{"memory": resource.MustParse("1Gi")}},
			edit: func(p *v1.JobStatusPatch) {
				p.Status.CPU = quantity("2000m")
				p.Status.Capacity = map[string]resource.Quantity{"memory": resource.MustParse("1024Mi")}
			},
		},
		{
			name: "48: no body of metadata alone (kubernetes 88591)",
			base: v1.JobStatus{ObservedGeneration: 1, Phase: "A"},
			edit: func(*v1.JobStatusPatch) {},
		},
		{
			name: "52: a counter that becomes zero (node-healthcheck-operator 144)",
			base: v1.JobStatus{ObservedGeneration: 1, Replicas: 3},
			edit: func(p *v1.JobStatusPatch) { p.SetCounters(0, 1) },
			body: `{"metadata":{"resourceVersion":"RV"},"status":{"replicas":null,"readyReplicas":1}}`,
		},
		{
			name: "52: the zero mate of a counter, a null for a key that is not there",
			base: v1.JobStatus{ObservedGeneration: 1, Replicas: 3},
			edit: func(p *v1.JobStatusPatch) { p.SetCounters(4, 0) },
			body: `{"metadata":{"resourceVersion":"RV"},"status":{"replicas":4,"readyReplicas":null}}`,
		},
		{
			name: "52: a pointer from nil to zero",
			base: v1.JobStatus{ObservedGeneration: 1},
			edit: func(p *v1.JobStatusPatch) { p.Status.Count = new(int32) },
			body: `{"metadata":{"resourceVersion":"RV"},"status":{"count":0}}`,
		},
		{
			name: "59: the last condition goes (kong-operator 4248)",
			base: v1.JobStatus{ObservedGeneration: 1, Conditions: []metav1.Condition{ready}},
			edit: func(p *v1.JobStatusPatch) { p.RemoveReadyCondition() },
			body: `{"metadata":{"resourceVersion":"RV"},"status":{"conditions":null}}`,
		},
		{
			name: "59: the same through a library",
			base: v1.JobStatus{ObservedGeneration: 1, Conditions: []metav1.Condition{ready}},
			edit: func(p *v1.JobStatusPatch) { meta.RemoveStatusCondition(&p.Object().Status.Conditions, "Ready") },
			body: `{"metadata":{"resourceVersion":"RV"},"status":{"conditions":null}}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				job := b.job(t, tt.base)
				b.patch(t, job, tt.edit)
				if tt.body == "" {
					b.wantBodies(t)
				} else {
					b.wantBodies(t, tt.body)
				}
				if b.reads != 0 {
					t.Errorf("%d reads, want none", b.reads)
				}
				// 71, 35: never the type.
				if all := strings.Join(b.bodies, ""); strings.Contains(all, "apiVersion") || strings.Contains(all, "kind") {
					t.Errorf("a body has the type: %s", all)
				}
				// 76: the caller has the version that is stored.
				if live := b.live(t, job); job.ResourceVersion != live.ResourceVersion {
					t.Errorf("resourceVersion %s, stored is %s", job.ResourceVersion, live.ResourceVersion)
				}
				b.forget()
				b.patch(t, job, tt.edit)
				b.wantBodies(t) // once more, nothing
			})
		})
	}
}

func quantity(text string) *resource.Quantity {
	q := resource.MustParse(text)
	return &q
}

// A null for an absent key changes nothing on the server (52).
func TestNullForAnAbsentKeyIsFree(t *testing.T) {
	b := newServer(t)
	job := b.job(t, v1.JobStatus{ObservedGeneration: 1, Replicas: 3})
	b.patch(t, job, func(p *v1.JobStatusPatch) { p.SetCounters(4, 0) })
	before := job.ResourceVersion
	b.otherWrites(t, job, func(s *v1.JobStatus) { s.ReadyReplicas = 0 })
	if live := b.live(t, job); live.ResourceVersion != before || live.Status.Replicas != 4 || live.Status.ReadyReplicas != 0 {
		t.Errorf("stored %+v at %s, want 4/0 at %s", live.Status, live.ResourceVersion, before)
	}
}

// Cases on required fields: what a first status, a nested struct and a null need.
func TestRequiredFields(t *testing.T) {
	for _, tt := range []struct {
		name string
		base *v1.StrictStatus
		edit func(*v1.StrictStatus)
		opts []v1.StatusPatchLock
		body string
	}{
		{
			name: "51: a first status has its required zeros (controller-runtime 703)",
			edit: func(s *v1.StrictStatus) { s.Phase = "x" },
			body: `{"metadata":{"resourceVersion":"RV"},"status":{"n":0,"phase":"x"}}`,
		},
		{
			name: "54: so has a struct, and those in it (korifi 2580)",
			base: &v1.StrictStatus{N: 1},
			edit: func(s *v1.StrictStatus) { s.Outer = &v1.Outer{Note: "x"} },
			body: `{"metadata":{"resourceVersion":"RV"},"status":{"outer":{"name":"","inner":{"ready":false,"tags":[]},"note":"x"}}}`,
		},
		{
			name: "54: both at once",
			edit: func(s *v1.StrictStatus) { s.Outer = &v1.Outer{} },
			body: `{"metadata":{"resourceVersion":"RV"},"status":{"n":0,"outer":{"name":"","inner":{"ready":false,"tags":[]}}}}`,
		},
		{
			name: "53: a null that has to be stored (hypershift 8562)",
			base: &v1.StrictStatus{N: 1, Sub: &v1.Sub{Au: []string{"a"}}},
			edit: func(s *v1.StrictStatus) { s.Sub.Au = nil },
			body: `[{"op":"replace","path":"/metadata/resourceVersion","value":"RV"},{"op":"replace","path":"/status/sub/au","value":null}]`,
		},
		{
			name: "53: the same in a struct that is new",
			base: &v1.StrictStatus{N: 1},
			edit: func(s *v1.StrictStatus) { s.Sub = &v1.Sub{} },
			body: `[{"op":"replace","path":"/metadata/resourceVersion","value":"RV"},{"op":"add","path":"/status/sub","value":{"au":null}}]`,
		},
		{
			name: "56: a JSON patch adds a status that is not there (external-snapshotter 601)",
			opts: []v1.StatusPatchLock{v1.StatusPatchLockFields, v1.StatusPatchLockNone},
			edit: func(s *v1.StrictStatus) { s.Phase = "x" },
			body: `[{"op":"test","path":"/metadata/uid","value":"UID"},{"op":"test","path":"/status","value":null},{"op":"add","path":"/status","value":{"n":0,"phase":"x"}}]`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			locks := tt.opts
			if locks == nil {
				locks = []v1.StatusPatchLock{v1.StatusPatchLockObject}
			}
			for _, lock := range locks {
				onBoth(t, func(t *testing.T, b *backend) {
					strict := b.strict(t, tt.base)
					edit := func(p *v1.StrictStatusPatch) error { tt.edit(p.Status); return nil }
					if err := v1.PatchStrictStatus(t.Context(), b.client, strict, edit, v1.WithStatusPatchLock(lock)); err != nil {
						t.Fatal(err)
					}
					b.wantBodies(t, strings.ReplaceAll(tt.body, "UID", string(strict.UID)))
				})
			}
		})
	}
}
