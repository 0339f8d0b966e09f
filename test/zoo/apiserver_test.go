package zoo_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/test/testenv"
	zoov1 "github.com/statuspatch/statuspatcher-gen/test/zoo/api/v1"
)

// serverPairs is how many random pairs of statuses go through the real server, for
// each kind and lock.
const serverPairs = 120

func TestZoosOnTheAPIServer(t *testing.T)  { testOnServer(t, &zoos) }
func TestCagesOnTheAPIServer(t *testing.T) { testOnServer(t, &cages) }

// testOnServer holds laws e and f: what the server has after a patch is what it has
// after an update of the whole object.
func testOnServer[T, S any](t *testing.T, s *species[T, S]) {
	env := testenv.Require(t)
	sch, err := readSchema(s.crd)
	if err != nil {
		t.Fatal(err)
	}
	rec := &testenv.Recorder{}
	pair := &serverPair{t: t, c: env.NewClient(t, newScheme(), rec), rec: rec}
	namespace := env.NewNamespace(t)
	for i, name := range []string{namespace + "-patched", namespace + "-updated"} {
		object := &unstructured.Unstructured{}
		object.SetAPIVersion(zoov1.GroupVersion.String())
		object.SetKind(s.kind)
		object.SetName(name)
		if s.kind == "Zoo" {
			object.SetNamespace(namespace)
		}
		if err := pair.c.Create(t.Context(), object); err != nil {
			t.Fatal(err)
		}
		pair.objects[i] = object
	}
	for _, lock := range locks {
		t.Run(string(lock), func(t *testing.T) {
			pair.t = t
			used := 0
			for seed := uint64(0); used < serverPairs; seed++ {
				if seed > 100*serverPairs {
					t.Fatalf("only %d of %d random pairs are accepted by the server", used, seed)
				}
				if comparePair(pair, s, sch, lock, randomBytes(1000+seed)) {
					used++
				}
				if t.Failed() {
					t.Fatalf("seed %d", 1000+seed)
				}
			}
		})
	}
}

// serverPair is two objects of one kind, of which one is patched and one updated.
type serverPair struct {
	t       *testing.T
	c       client.Client
	rec     *testenv.Recorder
	objects [2]*unstructured.Unstructured
}

// update writes the status of both or one of the objects, which is JSON, and reports
// whether the server takes it.
func (p *serverPair) update(status map[string]any, objects ...*unstructured.Unstructured) bool {
	p.t.Helper()
	for _, object := range objects {
		object.Object["status"] = deepCopyTree(status)
		if err := p.c.Status().Update(p.t.Context(), object); apierrors.IsInvalid(err) {
			return false
		} else if err != nil {
			p.t.Fatal(err)
		}
	}
	return true
}

func comparePair[T, S any](p *serverPair, s *species[T, S], sch *crdSchema, lock zoov1.StatusPatchLock, data []byte) bool {
	p.t.Helper()
	c := &choices{bytes: data}
	if !p.update(s.json(sch, s.random(c)), p.objects[:]...) {
		return false
	}
	obj := new(T)
	key := client.ObjectKeyFromObject(p.objects[0])
	if err := p.c.Get(p.t.Context(), key, s.object(obj)); err != nil {
		p.t.Fatal(err)
	}
	want := s.edited(c, obj)
	before, _ := deepCopyTree(p.objects[0].Object["status"]).(map[string]any)
	if !p.update(s.json(sch, want), p.objects[1]) {
		return false
	}
	after, _ := deepCopyTree(p.objects[1].Object["status"]).(map[string]any)

	p.rec.Reset()
	err := s.patch(context.Background(), p.c, obj, func() *S { return s.copyOf(want) }, zoov1.WithStatusPatchLock(lock))
	var bodies []string
	for _, r := range p.rec.Requests("patch", "") {
		bodies = append(bodies, r.Body)
	}
	if err != nil {
		p.t.Errorf("%v\nsent %s", err, strings.Join(bodies, "\n"))
		return true
	}
	if err := p.c.Get(p.t.Context(), key, p.objects[0]); err != nil {
		p.t.Fatal(err)
	}
	stored, _ := deepCopyTree(p.objects[0].Object["status"]).(map[string]any)
	read, wanted := s.zeroless(p.t, sch, p.objects[0].Object), s.zeroless(p.t, sch, p.objects[1].Object)
	if lock == zoov1.StatusPatchLockNone {
		read, wanted = withoutEmpty(read), withoutEmpty(wanted) // a map is cleared key by key
	}
	if diff := cmp.Diff(wanted, read); diff != "" {
		p.t.Errorf("law e: the stored status does not read as what was wanted (-wanted +stored):\n%s\nbase %s\nsent %s", diff, encodeTree(before), strings.Join(bodies, "\n"))
	}
	if len(bodies) > 0 {
		expected := sch.inOrder(withoutLacking(deepCopyTree(after).(map[string]any), before, stored))
		if diff := cmp.Diff(expected, sch.inOrder(withoutLacking(stored, before, after))); diff != "" {
			p.t.Errorf("law f: stored is not what an update stored (-update +patch):\n%s\nbase %s\nsent %s", diff, encodeTree(before), strings.Join(bodies, "\n"))
		}
	}
	fresh := new(T)
	if err := p.c.Get(p.t.Context(), key, s.object(fresh)); err != nil {
		p.t.Fatal(err)
	}
	if len(bodies) > 0 {
		if diff := cmp.Diff(mustJSON(s.status(fresh)), mustJSON(s.status(obj))); diff != "" {
			p.t.Errorf("the caller's status is not the server's (-server +caller):\n%s", diff)
		}
	}
	if got := s.object(obj).GetResourceVersion(); got != s.object(fresh).GetResourceVersion() {
		p.t.Errorf("the caller's resourceVersion is %s, the server's %s: %s", got, s.object(fresh).GetResourceVersion(), strings.Join(bodies, "\n"))
	}
	return true
}
