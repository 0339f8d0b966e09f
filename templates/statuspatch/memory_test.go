package statuspatch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// echo is a client that answers each PATCH with the object and the next resourceVersion.
type echo struct {
	mu     sync.Mutex
	bodies []string
	seen   []*Foo
	fail   error // of the next PATCH
}

func (e *echo) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return errors.New("not expected")
}

func (e *echo) Status() client.SubResourceWriter { return echoStatus{e: e} }

type echoStatus struct {
	client.SubResourceWriter
	e *echo
}

func (w echoStatus) Patch(_ context.Context, obj client.Object, patch client.Patch, _ ...client.SubResourcePatchOption) error {
	w.e.mu.Lock()
	defer w.e.mu.Unlock()
	body, err := patch.Data(obj)
	if err != nil {
		return err
	}
	w.e.bodies = append(w.e.bodies, string(body))
	foo, ok := obj.(*Foo)
	if !ok {
		return fmt.Errorf("a %T was patched", obj)
	}
	w.e.seen = append(w.e.seen, foo)
	if err := w.e.fail; err != nil {
		w.e.fail = nil
		return err
	}
	foo.ResourceVersion = "8"
	foo.Status.Phase = fmt.Sprintf("answer %d to %s", len(w.e.bodies), foo.Name)
	foo.Status.Names = []string{foo.Name}
	return nil
}

// What a caller keeps of a patch is his: it is not the memory of later calls, and
// editing it reaches none.
func TestKeptPatches(t *testing.T) {
	e := &echo{}
	var kept []*fooPatch
	for i := range 3 {
		err := patchFoo(t.Context(), e, fooAt("7", FooStatus{Phase: "A"}), func(p *fooPatch) error {
			for _, old := range kept {
				old.setReplicas(9, 9) // of a call that is over
			}
			p.setReplicas(int32(i+1), 0)
			p.Status.Names = []string{fmt.Sprint("call ", i)}
			kept = append(kept, p)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, p := range kept {
		if got := p.Status.Names[0]; got != fmt.Sprint("call ", i) {
			t.Errorf("the patch of call %d holds %q", i, got)
		}
		if want := fmt.Sprintf(`"replicas":%d,"readyReplicas":null`, i+1); !strings.Contains(e.bodies[i], want) {
			t.Errorf("call %d sent %s, want %s in it", i, e.bodies[i], want)
		}
	}
}

// A patch that an earlier attempt of the same call edited is as dead as one of an
// earlier call.
func TestPatchOfAnEarlierAttempt(t *testing.T) {
	s := &script{t: t, patches: []any{errConflict, fooAt("9", FooStatus{})}, gets: []any{fooAt("8", FooStatus{ReadyReplicas: 2})}}
	var first *fooPatch
	err := patchFoo(t.Context(), s, fooAt("7", FooStatus{}), func(p *fooPatch) error {
		if first == nil {
			first = p
			p.setReplicas(1, 2)
			return nil
		}
		first.setReplicas(3, 2) // no word for what this attempt writes
		p.Status.Replicas = 3
		return nil
	}, atOnce)
	if err == nil || !strings.Contains(err.Error(), "past its setter") {
		t.Errorf("error %v, want one about the setter", err)
	}
}

// The object that an answer is read into is used again once it is answered. After an
// error it is not: a client that gave up waiting may still be filling it in.
func TestObjectsForAnswers(t *testing.T) {
	e := &echo{fail: errors.New("timed out")}
	first := fooAt("7", FooStatus{})
	edit := func(p *fooPatch) error { p.Status.Phase = "edited"; return nil }
	if err := patchFoo(t.Context(), e, first, edit); err == nil {
		t.Fatal("the client's error is lost")
	}
	objects := make([]*Foo, 4)
	for i := range objects {
		objects[i] = fooAt("7", FooStatus{})
		objects[i].Name = fmt.Sprint("foo-", i)
		if err := patchFoo(t.Context(), e, objects[i], edit); err != nil {
			t.Fatal(err)
		}
	}
	for i, foo := range objects {
		if want := fmt.Sprintf("answer %d to foo-%d", i+2, i); foo.Status.Phase != want || foo.Status.Names[0] != foo.Name {
			t.Errorf("object %d has %+v, want the phase %q", i, foo.Status, want)
		}
		if e.seen[i+1] == e.seen[0] {
			t.Errorf("call %d reads into the object of the call that failed", i)
		}
	}
}

// A mutate that panics, or calls the patcher of another object, is no one else's concern.
func TestCallsWithinCalls(t *testing.T) {
	e := &echo{}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		_ = patchFoo(t.Context(), e, fooAt("7", FooStatus{}), func(p *fooPatch) error {
			p.setReplicas(5, 5)
			panic("in mutate")
		})
	}()
	inner, outer := fooAt("7", FooStatus{Phase: "A"}), fooAt("7", FooStatus{Replicas: 1})
	inner.Name = "inner"
	err := patchFoo(t.Context(), e, outer, func(p *fooPatch) error {
		p.setReplicas(2, 1)
		if err := patchFoo(t.Context(), e, inner, func(p *fooPatch) error { p.setReplicas(3, 3); return nil }); err != nil {
			return err
		}
		p.Status.Phase = "outer"
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"metadata":{"resourceVersion":"7"},"status":{"observedGeneration":1,"replicas":3,"readyReplicas":3}}`,
		`{"metadata":{"resourceVersion":"7"},"status":{"observedGeneration":1,"replicas":2,"readyReplicas":1,"phase":"outer"}}`,
	}
	for i := range want {
		if e.bodies[i] != want[i] {
			t.Errorf("body %d:\n got %s\nwant %s", i, e.bodies[i], want[i])
		}
	}
}

func TestConcurrentCalls(t *testing.T) {
	e := &echo{}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range 50 {
				foo := fooAt("7", FooStatus{Replicas: -1})
				foo.Name = fmt.Sprintf("foo-%d-%d", i, j)
				err := patchFoo(t.Context(), e, foo, func(p *fooPatch) error {
					p.setReplicas(int32(i+1), int32(j+1))
					p.Status.Labels = map[string]string{"by": foo.Name}
					return nil
				})
				if err != nil || !strings.HasSuffix(foo.Status.Phase, foo.Name) || foo.Status.Names[0] != foo.Name {
					t.Errorf("%s: %v, %+v", foo.Name, err, foo.Status)
				}
			}
		}()
	}
	wg.Wait()
	sent := map[string]bool{}
	for _, body := range e.bodies {
		sent[body] = true
	}
	for i := range 8 {
		for j := range 50 {
			want := fmt.Sprintf(`{"metadata":{"resourceVersion":"7"},"status":{"observedGeneration":1,"replicas":%d,"readyReplicas":%d,"labels":{"by":"foo-%d-%d"}}}`, i+1, j+1, i, j)
			if !sent[want] {
				t.Fatalf("no call sent %s", want)
			}
		}
	}
}

// A large status is not remembered for ever.
func TestLargeMemoryIsLetGo(t *testing.T) {
	e := &echo{}
	err := patchFoo(t.Context(), e, fooAt("7", FooStatus{}), func(p *fooPatch) error {
		p.Status.Phase = strings.Repeat("x", 1<<17)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		w := fooType.call()
		if w.memory.visitor.memory.spacious() {
			t.Errorf("%d bytes are kept", cap(w.memory.visitor.memory.text))
		}
	}
}

// Members that are written otherwise and mean the same do not make their group go out.
func TestMembersThatMeanTheSame(t *testing.T) {
	base := FooStatus{Nested: &FooNested{Ready: 3}, Conditions: []metav1.Condition{cond("Healthy", "True", "R", "", 1, at("10:00:00"))}}
	want := base
	want.Conditions = []metav1.Condition{cond("Healthy", "True", "R", "", 1, metav1.NewTime(at("10:00:00").Add(time.Millisecond)))}
	want.Phase = "B"
	const wanted = `{"metadata":{"resourceVersion":"7"},"status":{"phase":"B"}}`
	if got := body(t, base, want, LockObject); got != wanted {
		t.Errorf("got %s\nwant %s", got, wanted)
	}
	want.Conditions[0].LastTransitionTime = metav1.Time{}
	if got := body(t, base, want, LockObject); got != wanted {
		t.Errorf("got %s\nwant %s", got, wanted)
	}
}
