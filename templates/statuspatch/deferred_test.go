package statuspatch

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// healthy is the condition of the group that it shares with nested.ready.
func healthy(status metav1.ConditionStatus) metav1.Condition {
	return metav1.Condition{Type: "Healthy", Status: status, Reason: "R", ObservedGeneration: 1, LastTransitionTime: metav1.NewTime(noon)}
}

// replayed is the status that a deferred patch of edited makes of what others
// made of the snapshot meanwhile, or the error.
func replayed(t *testing.T, snapshot, edited, live FooStatus) (FooStatus, error) {
	t.Helper()
	w := &call[Foo, FooStatus]{t: fooType, generation: 1}
	w.clock.now = func() time.Time { return noon }
	merged, err := w.replay(&snapshot, &edited, &live)
	if err != nil {
		return FooStatus{}, err
	}
	return *merged, nil
}

// A group goes onto the live status whole, also where what holds a member is
// absent on one side.
func TestReplayOfGroups(t *testing.T) {
	list := func(c ...metav1.Condition) []metav1.Condition { return c }
	for _, tt := range []struct {
		name                         string
		snapshot, edited, live, want FooStatus
	}{
		{
			name:     "others made what holds the member",
			snapshot: FooStatus{}, edited: FooStatus{Conditions: list(healthy("False"))},
			live: FooStatus{Nested: &FooNested{Name: "theirs", Ready: 5}, Conditions: list(healthy("True"))},
			want: FooStatus{Nested: &FooNested{Name: "theirs"}, Conditions: list(healthy("False"))},
		},
		{
			name:     "the caller removed it, others changed the member",
			snapshot: FooStatus{Nested: &FooNested{Ready: 3}, Conditions: list(healthy("True"))},
			edited:   FooStatus{Conditions: list(healthy("False"))},
			live:     FooStatus{Nested: &FooNested{Ready: 5}, Conditions: list(healthy("True"))},
			want:     FooStatus{Conditions: list(healthy("False"))},
		},
		{
			name:     "the caller removed it, others put something beside the member",
			snapshot: FooStatus{Nested: &FooNested{Ready: 3}, Conditions: list(healthy("True"))},
			edited:   FooStatus{Conditions: list(healthy("False"))},
			live:     FooStatus{Nested: &FooNested{Name: "theirs", Ready: 3}, Conditions: list(healthy("True"))},
			want:     FooStatus{Nested: &FooNested{Name: "theirs"}, Conditions: list(healthy("False"))},
		},
		{
			name:     "others removed it",
			snapshot: FooStatus{Nested: &FooNested{Name: "n", Ready: 3}, Conditions: list(healthy("True"))},
			edited:   FooStatus{Nested: &FooNested{Name: "n", Ready: 4}, Conditions: list(healthy("True"))},
			live:     FooStatus{},
			want:     FooStatus{Nested: &FooNested{Ready: 4}, Conditions: list(healthy("True"))},
		},
		{
			name:     "others removed the condition, the caller changed the other member",
			snapshot: FooStatus{Nested: &FooNested{Ready: 3}, Conditions: list(healthy("True"))},
			edited:   FooStatus{Nested: &FooNested{Ready: 4}, Conditions: list(healthy("True"))},
			live:     FooStatus{Nested: &FooNested{Ready: 3}},
			want:     FooStatus{Nested: &FooNested{Ready: 4}, Conditions: list(healthy("True"))},
		},
		{
			name:     "others added the condition, the caller changed the other member",
			snapshot: FooStatus{Nested: &FooNested{Ready: 3}},
			edited:   FooStatus{Nested: &FooNested{Ready: 4}},
			live:     FooStatus{Nested: &FooNested{Ready: 3}, Conditions: list(healthy("True"))},
			want:     FooStatus{Nested: &FooNested{Ready: 4}},
		},
		{
			name:     "the caller changed no member",
			snapshot: FooStatus{Phase: "A"}, edited: FooStatus{Phase: "B"},
			live: FooStatus{Phase: "A", Nested: &FooNested{Ready: 5}, Conditions: list(healthy("True"))},
			want: FooStatus{Phase: "B", Nested: &FooNested{Ready: 5}, Conditions: list(healthy("True"))},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := replayed(t, tt.snapshot, tt.edited, tt.live)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Conditions) == 0 {
				got.Conditions = nil
			}
			ignoreTimes(got.Conditions, tt.want.Conditions)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// ignoreTimes sets the times of a to those of b: they are settled when the
// patch is made.
func ignoreTimes(a, b []metav1.Condition) {
	for i := range a {
		if i < len(b) {
			a[i].LastTransitionTime = b[i].LastTransitionTime
		}
	}
}

// Each field that both changed is named.
func TestReplayNamesAllConflicts(t *testing.T) {
	_, err := replayed(t,
		FooStatus{Phase: "A", Names: []string{"a"}, Labels: map[string]string{"k": "1"}, ByValue: FooNested{Name: "n"}},
		FooStatus{Phase: "B", Names: []string{"b"}, Labels: map[string]string{"k": "2"}, ByValue: FooNested{Name: "m"}},
		FooStatus{Phase: "C", Names: []string{"c"}, Labels: map[string]string{"k": "3"}, ByValue: FooNested{Name: "o"}})
	want := `Operation cannot be fulfilled on foos.test.dev "": status.phase, status.names, status.labels.k, status.byValue.name was changed by another writer too`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A replay that comes to nothing sends nothing, and leaves the edits in obj.
func TestReplayToNothing(t *testing.T) {
	live := FooStatus{ObservedGeneration: 1, Phase: "B"}
	s := &script{t: t, patches: []any{errConflict}, gets: []any{fooAt("9", live)}}
	obj := fooAt("7", FooStatus{ObservedGeneration: 1, Phase: "A"})
	p := NewPatcher(fooType, obj)
	obj.Status.Phase = "B"
	if err := p.Patch(context.Background(), s, atOnce); err != nil {
		t.Fatal(err)
	}
	s.wantCalls(1, `{"metadata":{"resourceVersion":"7"},"status":{"phase":"B"}}`)
	if obj.ResourceVersion != "7" || obj.Status.Phase != "B" {
		t.Errorf("obj at %s has phase %s, want it as it was, edit included", obj.ResourceVersion, obj.Status.Phase)
	}
}

// A patcher of an object that is no more than named takes UID and generation
// from the first read, and keeps them.
func TestPatchOfANamedObject(t *testing.T) {
	live := fooAt("7", FooStatus{Retries: 1})
	live.Generation = 5
	obj := &Foo{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "foo"}}
	s := &script{t: t, gets: []any{live}, patches: []any{fooAt("8", FooStatus{ObservedGeneration: 5, Phase: "B", Retries: 1}), fooAt("9", FooStatus{})}}
	p := NewPatcher(fooType, obj)
	for _, phase := range []string{"B", "C"} {
		obj.Status.Phase = phase
		if err := p.Patch(context.Background(), s, WithLock(LockFields)); err != nil {
			t.Fatal(err)
		}
	}
	s.wantCalls(1,
		`[{"op":"test","path":"/metadata/uid","value":"u1"},{"op":"test","path":"/status/observedGeneration","value":null},{"op":"test","path":"/status/phase","value":null},{"op":"add","path":"/status/observedGeneration","value":5},{"op":"add","path":"/status/phase","value":"B"}]`,
		`[{"op":"test","path":"/metadata/uid","value":"u1"},{"op":"test","path":"/status/observedGeneration","value":5},{"op":"test","path":"/status/phase","value":"B"},{"op":"replace","path":"/status/phase","value":"C"}]`)
}

// A result is filled in also where the call ends before it begins: it does not
// go on telling of an earlier one.
func TestResultOfARefusedCall(t *testing.T) {
	ctx, c := context.Background(), &script{t: t}
	for name, call := range map[string]func(*Result) error{
		"no client": func(r *Result) error {
			return patchFoo(ctx, nil, fooAt("7", FooStatus{}), phaseB, WithResult(r))
		},
		"no object": func(r *Result) error { return patchFoo(ctx, c, nil, phaseB, WithResult(r)) },
		"a wrong option": func(r *Result) error {
			return patchFoo(ctx, c, fooAt("7", FooStatus{}), phaseB, WithLock("x"), WithResult(r))
		},
		"a patcher of nothing": func(r *Result) error {
			return NewPatcher[Foo, FooStatus](fooType, nil).Patch(ctx, c, WithResult(r))
		},
		"written outside Keep": func(r *Result) error {
			obj := fooAt("7", FooStatus{})
			p := NewPatcher(fooType, obj)
			obj.ResourceVersion = "8"
			return p.Patch(ctx, c, WithResult(r))
		},
	} {
		r := Result{Changed: true, Attempts: 3, ResourceVersion: "6", Transitioned: []string{"Ready"}}
		if err := call(&r); err == nil || r.Changed || r.Attempts != 0 || r.Transitioned != nil {
			t.Errorf("%s: error %v, result %+v: want an error and no result", name, err, r)
		}
	}
}
