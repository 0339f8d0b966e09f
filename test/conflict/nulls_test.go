package conflict_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/test/testenv"
	zoov1 "github.com/statuspatch/statuspatcher-gen/test/zoo/api/v1"
)

// newZoo stores a zoo whose status has a list that a null can replace.
func newZoo(t *testing.T) (*backend, *zoov1.Zoo) {
	env := testenv.Require(t)
	scheme := newScheme()
	if err := zoov1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	b := newBackend(t, env.NewClient(t, scheme, nil), true, env.NewNamespace(t))
	zoo := &zoov1.Zoo{ObjectMeta: metav1.ObjectMeta{Namespace: b.namespace, Name: "zoo"}}
	must(t, b.others.Create(t.Context(), zoo))
	patchZoo(t, b.others, zoo, `{"status":{"observedGeneration":1,"nullables":{"int32":1,"list":["a"],"map":{"a":"b"},"struct":{"right":1},"optional":"o"}}}`)
	return b, zoo
}

// patchZoo writes a zoo's status past the patcher.
func patchZoo(t *testing.T, c client.Client, zoo *zoov1.Zoo, body string) {
	t.Helper()
	must(t, c.Status().Patch(t.Context(), zoo, client.RawPatch("application/merge-patch+json", []byte(body))))
}

// clearList wants a null in place of the list, which only a JSON patch can say.
func clearList(p *zoov1.ZooStatusPatch) error {
	if p.Status.Nullables != nil {
		p.Status.Nullables.List = nil
	}
	return nil
}

// listFrom is the body that clears the list, guarded by a resourceVersion.
func listFrom(resourceVersion string) string {
	return `[{"op":"replace","path":"/metadata/resourceVersion","value":"` + resourceVersion + `"},{"op":"replace","path":"/status/nullables/list","value":null}]`
}

// kubernetes#68202: a JSON patch that is guarded by the resourceVersion conflicts
// like a merge patch, and is retried.
func TestJSONPatchOfAStaleObjectConflicts(t *testing.T) {
	b, zoo := newZoo(t)
	stale, base := zoo.DeepCopy(), zoo.ResourceVersion
	patchZoo(t, b.others, zoo, `{"status":{"nullables":{"int32":2}}}`)
	must(t, zoov1.PatchZooStatus(t.Context(), b.c, stale, clearList, quick))
	wantBodies(t, b, listFrom(base), listFrom(zoo.ResourceVersion))
	if n := stale.Status.Nullables; n.List != nil || *n.Int32 != 2 {
		t.Errorf("status %+v, want the list null, and the other writer's number", n)
	}
}

// The path of a stale JSON patch is gone: the server says 422 before it looks at
// the resourceVersion. That is a conflict too.
func TestJSONPatchOfAGonePathConflicts(t *testing.T) {
	b, zoo := newZoo(t)
	stale := zoo.DeepCopy()
	patchZoo(t, b.others, zoo, `{"status":{"nullables":null}}`)
	must(t, zoov1.PatchZooStatus(t.Context(), b.c, stale, clearList, quick))
	b.wantCalls(1, 1)
	if zoo.Status.Nullables != nil {
		t.Error("the struct came back")
	}
}
