package statuspatch

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// body is the patch from base to want under a lock.
func body(t *testing.T, base, want FooStatus, lock Lock) string {
	t.Helper()
	w := &call[Foo, FooStatus]{t: fooType, memory: &callMemory[Foo, FooStatus]{}, generation: 0, uid: "u1"}
	if err := w.o.read(nil, lock); err != nil {
		t.Fatal(err)
	}
	w.clock.now = func() time.Time { return noon }
	w.base = base2(&base)
	p, err := w.prepare(&want, lock)
	if err != nil {
		return "error: " + err.Error()
	}
	return string(p.body)
}

func base2(s *FooStatus) base[FooStatus] {
	return base[FooStatus]{status: s, first: true, resourceVersion: "7"}
}

func ptr[T any](x T) *T { return &x }

func TestBodies(t *testing.T) {
	old := metav1.NewTime(noon.Add(-time.Hour))
	ready := func(status, reason string) metav1.Condition {
		return metav1.Condition{Type: "Ready", Status: metav1.ConditionStatus(status), Reason: reason, LastTransitionTime: old}
	}
	for _, tt := range []struct {
		name       string
		base, want FooStatus
		lock       Lock
		body       string
	}{
		{name: "nothing", lock: LockObject},
		{
			name: "a key with a zero value goes where a null is stored beside it", lock: LockObject,
			base: FooStatus{Phase: "A", Labels: map[string]string{"a": "", "b": "x"}, Au: []string{"x"}},
			want: FooStatus{Phase: "A", Labels: map[string]string{"b": "x"}},
			body: `[{"op":"replace","path":"/metadata/resourceVersion","value":"7"},{"op":"remove","path":"/status/labels/a"},{"op":"replace","path":"/status/au","value":null}]`,
		},
		{
			name: "one field", lock: LockObject,
			base: FooStatus{Phase: "A", Replicas: 3}, want: FooStatus{Phase: "B", Replicas: 3},
			body: `{"metadata":{"resourceVersion":"7"},"status":{"phase":"B"}}`,
		},
		{
			name: "group goes out whole", lock: LockObject,
			base: FooStatus{Replicas: 3, ReadyReplicas: 3}, want: FooStatus{Replicas: 4, ReadyReplicas: 3},
			body: `{"metadata":{"resourceVersion":"7"},"status":{"replicas":4,"readyReplicas":3}}`,
		},
		{
			name: "group with zero", lock: LockObject,
			base: FooStatus{Replicas: 3, ReadyReplicas: 0}, want: FooStatus{Replicas: 4},
			body: `{"metadata":{"resourceVersion":"7"},"status":{"replicas":4,"readyReplicas":null}}`,
		},
		{
			name: "group under fields", lock: LockFields,
			base: FooStatus{Replicas: 3, ReadyReplicas: 3}, want: FooStatus{Replicas: 4, ReadyReplicas: 3},
			body: `[{"op":"test","path":"/metadata/uid","value":"u1"},{"op":"test","path":"/status/observedGeneration","value":null},{"op":"test","path":"/status/replicas","value":3},{"op":"test","path":"/status/readyReplicas","value":3},{"op":"replace","path":"/status/replicas","value":4}]`,
		},
		{
			name: "group under none", lock: LockNone,
			base: FooStatus{Replicas: 3, ReadyReplicas: 3}, want: FooStatus{Replicas: 4, ReadyReplicas: 3},
			body: `[{"op":"test","path":"/metadata/uid","value":"u1"},{"op":"test","path":"/status/observedGeneration","value":null},{"op":"add","path":"/status/replicas","value":4},{"op":"add","path":"/status/readyReplicas","value":3}]`,
		},
		{
			name: "first status carries required zeros", lock: LockObject,
			want: FooStatus{Phase: "x", Au: []string{}},
			body: `{"metadata":{"resourceVersion":"7"},"status":{"phase":"x","required":0,"names":[],"retries":0,"au":[]}}`,
		},
		{
			// An optional struct by value that stays zero is no change; one that is made is sent as it is.
			name: "first status without what nobody set", lock: LockObject,
			want: FooStatus{Nested: &FooNested{}, Au: []string{}},
			body: `{"metadata":{"resourceVersion":"7"},"status":{"required":0,"names":[],"nested":{"ready":0},"retries":0,"au":[]}}`,
		},
		{
			name: "default: zero is sent", lock: LockObject,
			base: FooStatus{Retries: 3}, want: FooStatus{Retries: 0, Phase: "x"},
			body: `{"metadata":{"resourceVersion":"7"},"status":{"phase":"x","retries":0}}`,
		},
		{
			name: "pointer to zero", lock: LockObject,
			base: FooStatus{Phase: "x"}, want: FooStatus{Phase: "x", Count: ptr(int32(0))},
			body: `{"metadata":{"resourceVersion":"7"},"status":{"count":0}}`,
		},
		{
			name: "required nullable nil", lock: LockObject,
			base: FooStatus{Phase: "x", Au: []string{"a"}}, want: FooStatus{Phase: "x"},
			body: `[{"op":"replace","path":"/metadata/resourceVersion","value":"7"},{"op":"replace","path":"/status/au","value":null}]`,
		},
		{
			name: "nil to empty", lock: LockObject,
			base: FooStatus{Phase: "x"}, want: FooStatus{Phase: "x", Names: []string{}, Tags: []string{}},
			body: `{"metadata":{"resourceVersion":"7"},"status":{"names":[]}}`,
		},
		{
			name: "nested removed, created", lock: LockObject,
			base: FooStatus{Phase: "x", Nested: &FooNested{Name: "n"}}, want: FooStatus{Phase: "x", ByValue: FooNested{Name: "v"}},
			body: `{"metadata":{"resourceVersion":"7"},"status":{"nested":null,"byValue":{"name":"v","ready":0}}}`,
		},
		{
			name: "map key by key", lock: LockObject,
			base: FooStatus{Labels: map[string]string{"a": "1", "b": "2", "c": "3"}}, want: FooStatus{Labels: map[string]string{"a": "1", "b": "3", "d": "4"}},
			body: `{"metadata":{"resourceVersion":"7"},"status":{"labels":{"b":"3","c":null,"d":"4"}}}`,
		},
		{
			name: "map under none", lock: LockNone,
			base: FooStatus{Phase: "x", Labels: map[string]string{"a/b": "1"}}, want: FooStatus{Phase: "x"},
			body: `[{"op":"test","path":"/metadata/uid","value":"u1"},{"op":"test","path":"/status/observedGeneration","value":null},{"op":"remove","path":"/status/labels/a~1b"}]`,
		},
		{
			name: "set in another order", lock: LockObject,
			base: FooStatus{Phase: "x", Tags: []string{"a", "b"}, Entries: []FooEntry{{Key: "a"}, {Key: "b"}}},
			want: FooStatus{Phase: "x", Tags: []string{"b", "a"}, Entries: []FooEntry{{Key: "b"}, {Key: "a"}}},
		},
		{
			name: "condition flips", lock: LockObject,
			base: FooStatus{Conditions: []metav1.Condition{ready("False", "No")}}, want: FooStatus{Conditions: []metav1.Condition{{Type: "Ready", Status: "True", Reason: "Yes"}}},
			body: `{"metadata":{"resourceVersion":"7"},"status":{"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-02T12:00:00Z","reason":"Yes","message":""}]}}`,
		},
		{
			name: "condition under fields", lock: LockFields,
			base: FooStatus{Phase: "x", Conditions: []metav1.Condition{{Type: "Other", Status: "True", Reason: "R", LastTransitionTime: old}, ready("False", "No")}},
			want: FooStatus{Phase: "x", Conditions: []metav1.Condition{{Type: "Ready", Status: "False", Reason: "Yes"}, {Type: "Other", Status: "True", Reason: "R", LastTransitionTime: old}}},
			body: `[{"op":"test","path":"/metadata/uid","value":"u1"},{"op":"test","path":"/status/observedGeneration","value":null},{"op":"test","path":"/status/conditions/1/type","value":"Ready"},{"op":"test","path":"/status/conditions/1","value":{"type":"Ready","status":"False","lastTransitionTime":"2026-01-02T11:00:00Z","reason":"No","message":""}},{"op":"replace","path":"/status/conditions/1","value":{"type":"Ready","status":"False","lastTransitionTime":"2026-01-02T11:00:00Z","reason":"Yes","message":""}}]`,
		},
		{
			name: "same condition at another time", lock: LockObject,
			base: FooStatus{Conditions: []metav1.Condition{ready("True", "Yes")}}, want: FooStatus{Conditions: []metav1.Condition{{Type: "Ready", Status: "True", Reason: "Yes", LastTransitionTime: metav1.NewTime(noon)}}},
		},
		{
			name: "bad reason", lock: LockObject,
			want: FooStatus{Conditions: []metav1.Condition{{Type: "Ready", Status: "True", Reason: "Not OK!"}}},
			body: `error: condition "Ready" is invalid: its reason "Not OK!" does not match ^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`,
		},
		{
			name: "condition drags its group", lock: LockObject,
			base: FooStatus{Phase: "x", Nested: &FooNested{Name: "n", Ready: 2}, Conditions: []metav1.Condition{{Type: "Healthy", Status: "True", Reason: "R", LastTransitionTime: old}}},
			want: FooStatus{Phase: "x", Nested: &FooNested{Name: "n", Ready: 1}, Conditions: []metav1.Condition{{Type: "Healthy", Status: "True", Reason: "R", LastTransitionTime: old}}},
			body: `{"metadata":{"resourceVersion":"7"},"status":{"nested":{"ready":1},"conditions":[{"type":"Healthy","status":"True","lastTransitionTime":"2026-01-02T11:00:00Z","reason":"R","message":""}]}}`,
		},
		{
			name: "first status under fields", lock: LockFields,
			want: FooStatus{Replicas: 1, Au: []string{}},
			body: `[{"op":"test","path":"/metadata/uid","value":"u1"},{"op":"test","path":"/status","value":null},{"op":"add","path":"/status","value":{"replicas":1,"required":0,"names":[],"retries":0,"au":[]}}]`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.body, body(t, tt.base, tt.want, tt.lock)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
