package statuspatch

import (
	"context"
	"errors"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func phaseB(p *fooPatch) error {
	p.Status.Phase = "B"
	return nil
}

const (
	phaseFrom7 = `{"metadata":{"resourceVersion":"7"},"status":{"observedGeneration":1,"phase":"B"}}`
	phaseFrom9 = `{"metadata":{"resourceVersion":"9"},"status":{"observedGeneration":1,"phase":"B"}}`
)

// Reads that are not newer than what was seen are waited out; the next PATCH
// starts from the first that is.
func TestRereadUntilNewer(t *testing.T) {
	s := &script{
		t: t, patches: []any{errConflict, fooAt("10", FooStatus{Phase: "B"})},
		gets: []any{fooAt("7", FooStatus{}), fooAt("6", FooStatus{}), fooAt("7", FooStatus{}), fooAt("9", FooStatus{Retries: 1})},
	}
	obj := fooAt("7", FooStatus{Phase: "A"})
	if err := patchFoo(context.Background(), s, obj, phaseB, atOnce); err != nil {
		t.Fatal(err)
	}
	s.wantCalls(4, phaseFrom7, phaseFrom9)
}

// Where nothing newer is to be had, the newest is taken for the server's, and
// the lock makes that safe.
func TestRereadGivesUpWaiting(t *testing.T) {
	s := &script{t: t, patches: []any{errConflict, fooAt("8", FooStatus{Phase: "B"})}, gets: []any{fooAt("7", FooStatus{Phase: "A"})}}
	if err := patchFoo(context.Background(), s, fooAt("7", FooStatus{Phase: "A"}), phaseB, atOnce); err != nil {
		t.Fatal(err)
	}
	s.wantCalls(staleReads+1, phaseFrom7, phaseFrom7)
}

// A cache that is stuck behind what was seen ends the call with the conflict.
func TestRereadOfAStuckCache(t *testing.T) {
	s := &script{t: t, patches: []any{errConflict}, gets: []any{fooAt("6", FooStatus{Phase: "A"})}}
	err := patchFoo(context.Background(), s, fooAt("7", FooStatus{Phase: "A"}), phaseB, atOnce)
	if !apierrors.IsConflict(err) {
		t.Errorf("error %v, want the conflict", err)
	}
	s.wantCalls(staleReads+1, phaseFrom7)
}

// A failed test on a base that is the server's means that the server holds what
// this type cannot tell: the object's own lock says the rest.
func TestFailedTestOnAFreshBase(t *testing.T) {
	byFields := `[{"op":"test","path":"/metadata/uid","value":"u1"},{"op":"test","path":"/status/observedGeneration","value":1},{"op":"test","path":"/status/phase","value":null},{"op":"add","path":"/status/phase","value":"B"}]`
	byObject := `{"metadata":{"resourceVersion":"7"},"status":{"phase":"B"}}`
	base := FooStatus{ObservedGeneration: 1}
	s := &script{t: t, patches: []any{errFailedTest, fooAt("8", FooStatus{Phase: "B"})}, gets: []any{fooAt("7", base)}}
	if err := patchFoo(context.Background(), s, fooAt("7", base), phaseB, atOnce, WithLock(LockFields)); err != nil {
		t.Fatal(err)
	}
	s.wantCalls(1, byFields, byObject)

	// And if that fails too, it was no failed test.
	s = &script{t: t, patches: []any{errFailedTest}, gets: []any{fooAt("7", base)}}
	err := patchFoo(context.Background(), s, fooAt("7", base), phaseB, atOnce, WithLock(LockFields))
	if !errors.Is(err, errFailedTest) {
		t.Errorf("error %v, want the server's 422", err)
	}
	s.wantCalls(1, byFields, byObject)
}

// A JSON patch under the object's lock is refused with a 422 where its path is
// gone, before the resourceVersion is looked at: a conflict if there was a
// write, else the server's word.
func TestFailedPathUnderTheObjectsLock(t *testing.T) {
	clear := func(p *fooPatch) error {
		p.Status.Au = nil
		return nil
	}
	base := FooStatus{ObservedGeneration: 1, Au: []string{"a"}}
	from := func(rv string) string {
		return `[{"op":"replace","path":"/metadata/resourceVersion","value":"` + rv + `"},{"op":"replace","path":"/status/au","value":null}]`
	}
	s := &script{t: t, patches: []any{errFailedTest, fooAt("10", FooStatus{ObservedGeneration: 1})}, gets: []any{fooAt("9", base)}}
	if err := patchFoo(context.Background(), s, fooAt("7", base), clear, atOnce); err != nil {
		t.Fatal(err)
	}
	s.wantCalls(1, from("7"), from("9"))

	s = &script{t: t, patches: []any{errFailedTest}, gets: []any{fooAt("7", base)}}
	if err := patchFoo(context.Background(), s, fooAt("7", base), clear, atOnce); !errors.Is(err, errFailedTest) {
		t.Errorf("error %v, want the server's 422", err)
	}
	s.wantCalls(1, from("7"))
}

// A field that is required by now is sent as a zero, from a fresh base.
func TestRequiredZeros(t *testing.T) {
	missing := apierrors.NewInvalid(metav1.SchemeGroupVersion.WithKind("Foo").GroupKind(), "foo",
		field.ErrorList{field.Required(field.NewPath("status", "required"), "")})
	base := FooStatus{ObservedGeneration: 1, Names: []string{"n"}, Au: []string{"a"}}
	for _, lock := range []Lock{LockObject, LockFields, LockNone} {
		s := &script{t: t, patches: []any{missing, fooAt("10", FooStatus{})}, gets: []any{fooAt("9", base)}}
		if err := patchFoo(context.Background(), s, fooAt("7", base), phaseB, atOnce, WithLock(lock)); err != nil {
			t.Fatal(err)
		}
		if want := `"resourceVersion":"9"`; s.read != 1 || len(s.sent) != 2 || !strings.Contains(s.sent[1], want) || !strings.Contains(s.sent[1], `"required":0`) {
			t.Errorf("lock %s: %d reads, sent %s: want a second body with %s and the required zero", lock, s.read, s.sent, want)
		}
		s = &script{t: t, patches: []any{missing}, gets: []any{fooAt("9", base)}}
		if err := patchFoo(context.Background(), s, fooAt("7", base), phaseB, atOnce, WithLock(lock)); !apierrors.IsInvalid(err) || len(s.sent) != 2 {
			t.Errorf("lock %s: error %v after %d PATCHes, want the server's 422 after two", lock, err, len(s.sent))
		}
		s = &script{t: t, patches: []any{missing}}
		once := WithBackoff(wait.Backoff{Steps: 1})
		if err := patchFoo(context.Background(), s, fooAt("7", base), phaseB, once, WithLock(lock)); !apierrors.IsInvalid(err) || len(s.sent) != 1 {
			t.Errorf("lock %s: error %v after %d PATCHes, want the server's 422 after the one that Steps allows", lock, err, len(s.sent))
		}
	}
}

// A live base that is behind the caller's object is no base.
func TestLiveBaseFromALateCache(t *testing.T) {
	s := &script{t: t, patches: []any{fooAt("10", FooStatus{})}, gets: []any{fooAt("7", FooStatus{ObservedGeneration: 1, Phase: "B"})}}
	if err := patchFoo(context.Background(), s, fooAt("9", FooStatus{Phase: "A"}), phaseB, WithLiveBase()); err != nil {
		t.Fatal(err)
	}
	s.wantCalls(1, phaseFrom9)
}

// An object that was about to go is gone, whoever sees that first.
func TestGone(t *testing.T) {
	now := metav1.Now()
	going := func() *Foo {
		obj := fooAt("7", FooStatus{Phase: "A"})
		obj.DeletionTimestamp = &now
		return obj
	}
	for name, s := range map[string]*script{
		"the first read": {gets: []any{errGone}},
		"the PATCH":      {patches: []any{errGone}},
		"the re-read":    {patches: []any{errConflict}, gets: []any{errGone}},
	} {
		t.Run(name, func(t *testing.T) {
			s.t = t
			opts := []client.SubResourcePatchOption{atOnce}
			if name == "the first read" {
				opts = append(opts, WithLiveBase())
			}
			obj := going()
			if err := patchFoo(context.Background(), s, obj, phaseB, opts...); err != nil || obj.Status.Phase != "A" {
				t.Errorf("error %v, phase %s: want none, and obj as it was", err, obj.Status.Phase)
			}
			s.read, s.sent = 0, nil
			obj.Finalizers = []string{"f"}
			if err := patchFoo(context.Background(), s, obj, phaseB, opts...); !apierrors.IsNotFound(err) {
				t.Errorf("error %v with a finalizer left, want not found", err)
			}
		})
	}
}

// The status that is observed with the object that has no UID yet is that of
// the first read.
func TestUIDOfTheFirstRead(t *testing.T) {
	again := fooAt("9", FooStatus{})
	again.UID = "u2"
	obj := fooAt("", FooStatus{})
	obj.UID = ""
	s := &script{t: t, patches: []any{errConflict}, gets: []any{fooAt("7", FooStatus{Phase: "A"}), again}}
	err := patchFoo(context.Background(), s, obj, phaseB, atOnce)
	if !apierrors.IsNotFound(err) || !strings.Contains(err.Error(), "u2") {
		t.Errorf("error %v, want that it is another object", err)
	}
	s.wantCalls(2, phaseFrom7)
}

// mutate computes anew on what the conflict brought, and the group goes out whole.
func TestMutateRunsOnTheFreshStatus(t *testing.T) {
	live := FooStatus{ObservedGeneration: 1, Replicas: 5, ReadyReplicas: 4}
	s := &script{t: t, patches: []any{errConflict, fooAt("10", live)}, gets: []any{fooAt("9", live)}}
	err := patchFoo(context.Background(), s, fooAt("7", FooStatus{ObservedGeneration: 1, Replicas: 3, ReadyReplicas: 3}), func(p *fooPatch) error {
		p.setReplicas(p.Status.Replicas+1, p.Status.ReadyReplicas)
		return nil
	}, atOnce)
	if err != nil {
		t.Fatal(err)
	}
	s.wantCalls(1,
		`{"metadata":{"resourceVersion":"7"},"status":{"replicas":4,"readyReplicas":3}}`,
		`{"metadata":{"resourceVersion":"9"},"status":{"replicas":6,"readyReplicas":4}}`)
}

// Another object of the same name ends the call whatever its resourceVersion,
// unless it was created before the caller's: then a late cache holds it still.
func TestAnotherObject(t *testing.T) {
	at := func(resourceVersion, uid string, created int64) *Foo {
		obj := fooAt(resourceVersion, FooStatus{Phase: "A"})
		obj.UID = types.UID(uid)
		if created > 0 {
			obj.CreationTimestamp = metav1.Unix(created, 0)
		}
		return obj
	}
	for name, c := range map[string]struct {
		obj, read *Foo
	}{
		"newer":                          {at("7", "u1", 0), at("9", "u2", 0)},
		"a server that counts anew":      {at("7", "u1", 0), at("1", "u2", 0)},
		"created later":                  {at("7", "u1", 100), at("1", "u2", 101)},
		"created within the same second": {at("7", "u1", 100), at("1", "u2", 100)},
	} {
		t.Run(name, func(t *testing.T) {
			s := &script{t: t, patches: []any{errConflict}, gets: []any{c.read}}
			err := patchFoo(context.Background(), s, c.obj, phaseB, atOnce)
			if !apierrors.IsNotFound(err) || !strings.Contains(err.Error(), "u2") {
				t.Errorf("error %v, want that it is another object", err)
			}
			s.wantCalls(1, phaseFrom7)

			s = &script{t: t, gets: []any{c.read}}
			if err := patchFoo(context.Background(), s, c.obj, phaseB, WithLiveBase()); !apierrors.IsNotFound(err) {
				t.Errorf("error %v with a live base, want that it is another object", err)
			}
			s.wantCalls(1)
		})
	}

	s := &script{
		t: t, patches: []any{errConflict, at("10", "u2", 100)},
		gets: []any{at("5", "u1", 50), at("9", "u2", 100)},
	}
	if err := patchFoo(context.Background(), s, at("7", "u2", 100), phaseB, atOnce); err != nil {
		t.Fatal(err)
	}
	s.wantCalls(2, phaseFrom7, phaseFrom9)
}

// The wait for something newer is made once: a server that answers every PATCH
// with a conflict does not hold the caller for as many waits.
func TestRereadWaitsOnce(t *testing.T) {
	s := &script{t: t, patches: []any{errConflict}, gets: []any{fooAt("7", FooStatus{Phase: "A"})}}
	err := patchFoo(context.Background(), s, fooAt("7", FooStatus{Phase: "A"}), phaseB, atOnce)
	if !apierrors.IsConflict(err) {
		t.Errorf("error %v, want the conflict", err)
	}
	s.wantCalls(staleReads+3, phaseFrom7, phaseFrom7, phaseFrom7, phaseFrom7)
}

// The generation is the caller's, also where his object has no
// resourceVersion; only one who gave none takes that of the first read.
func TestGenerationWithoutResourceVersion(t *testing.T) {
	live := fooAt("7", FooStatus{Phase: "A"})
	live.Generation = 5
	for given, want := range map[int64]string{3: `"observedGeneration":3`, 0: `"observedGeneration":5`} {
		s := &script{t: t, patches: []any{fooAt("8", FooStatus{})}, gets: []any{live}}
		obj := fooAt("", FooStatus{})
		obj.Generation = given
		if err := patchFoo(context.Background(), s, obj, phaseB); err != nil {
			t.Fatal(err)
		}
		if len(s.sent) != 1 || !strings.Contains(s.sent[0], want) {
			t.Errorf("generation %d: sent %s, want %s", given, s.sent, want)
		}
	}
}
