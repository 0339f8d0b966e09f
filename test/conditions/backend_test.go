package conditions_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/uuid"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	v1 "github.com/statuspatch/statuspatcher-gen/test/conditions/api/v1"
	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

// backend is what a test runs against: the client whose requests it looks at, and
// another one for everybody else who writes.
type backend struct {
	client    client.Client
	other     client.Client
	namespace string
	fake      bool

	mu     sync.Mutex
	bodies []string
	before func(n int)
}

// onBoth runs a test on the real API server and on the fake client.
func onBoth(t *testing.T, test func(*testing.T, *backend)) {
	t.Helper()
	t.Run("server", func(t *testing.T) { test(t, newServer(t)) })
	t.Run("fake", func(t *testing.T) { test(t, newFake()) })
}

func newServer(t *testing.T) *backend {
	t.Helper()
	env := testenv.Require(t)
	rec := &testenv.Recorder{}
	b := &backend{
		client:    env.NewClient(t, newScheme(), rec),
		other:     env.NewClient(t, newScheme(), nil),
		namespace: env.NewNamespace(t),
	}
	rec.Before(func(req *http.Request) (*http.Response, error) {
		if req.Method == http.MethodPatch && strings.HasSuffix(req.URL.Path, "/status") {
			body, err := io.ReadAll(req.Body)
			if err != nil {
				return nil, err
			}
			b.sent(string(body))
		}
		return nil, nil
	})
	return b
}

func newFake() *backend {
	other := fake.NewClientBuilder().WithScheme(newScheme()).
		WithStatusSubresource(&v1.Backup{}, &v1.Probe{}, &v1.Cluster{}, &corev1.Node{}, &corev1.Pod{}, &appsv1.Deployment{}, &batchv1.Job{}).Build()
	b := &backend{other: other, namespace: "default", fake: true}
	b.client = interceptor.NewClient(other, interceptor.Funcs{
		SubResourcePatch: func(ctx context.Context, c client.Client, sub string, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
			body, err := patch.Data(obj)
			if err != nil {
				return err
			}
			b.sent(string(body))
			return c.SubResource(sub).Patch(ctx, obj, patch, opts...)
		},
	})
	return b
}

// sent notes the body of a PATCH that is about to be carried out.
func (b *backend) sent(body string) {
	b.mu.Lock()
	b.bodies = append(b.bodies, body)
	n, before := len(b.bodies), b.before
	b.mu.Unlock()
	if before != nil {
		before(n)
	}
}

// patches are the bodies of the PATCHes that were sent since the last call.
func (b *backend) patches() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	bodies := b.bodies
	b.bodies = nil
	return bodies
}

// beforePatch sets what happens just before the nth PATCH from now on is carried out.
func (b *backend) beforePatch(before func(n int)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bodies, b.before = nil, before
}

// create stores obj with its status, and reads into it what is stored.
func create[T any, P interface {
	*T
	client.Object
}](t *testing.T, b *backend, obj P, setStatus func(P)) P {
	t.Helper()
	if obj.GetNamespace() == "" {
		obj.SetNamespace(b.namespace)
	}
	if b.fake { // what a server sets itself
		obj.SetGeneration(1)
		obj.SetUID(uuid.NewUUID())
	}
	if err := b.other.Create(t.Context(), obj); err != nil {
		t.Fatal(err)
	}
	if setStatus != nil {
		otherWrites(t, b, obj, setStatus)
	}
	return stored(t, b, obj)
}

// stored is the object as the server has it.
func stored[T any, P interface {
	*T
	client.Object
}](t *testing.T, b *backend, obj P) P {
	t.Helper()
	live := P(new(T))
	if err := b.other.Get(t.Context(), client.ObjectKeyFromObject(obj), live); err != nil {
		t.Fatal(err)
	}
	return live
}

// otherWrites changes the stored status the way another writer does.
func otherWrites[T any, P interface {
	*T
	client.Object
}](t *testing.T, b *backend, obj P, change func(P)) {
	t.Helper()
	live := stored[T, P](t, b, obj)
	change(live)
	if err := b.other.Status().Update(t.Context(), live); err != nil {
		t.Fatal(err)
	}
}

// respecified changes the spec by change, which makes a new generation, and returns the result.
func respecified[T any, P interface {
	*T
	client.Object
}](t *testing.T, b *backend, obj P, change func(P)) P {
	t.Helper()
	live := stored[T, P](t, b, obj)
	change(live)
	if b.fake {
		live.SetGeneration(live.GetGeneration() + 1)
	}
	if err := b.other.Update(t.Context(), live); err != nil {
		t.Fatal(err)
	}
	return stored[T, P](t, b, obj)
}

// without replaces in a body what differs from run to run.
func without(body string, obj client.Object, versions ...string) string {
	for _, version := range append(versions, obj.GetResourceVersion()) {
		body = strings.ReplaceAll(body, `"resourceVersion":"`+version+`"`, `"resourceVersion":"RV"`)
		body = strings.ReplaceAll(body, `"path":"/metadata/resourceVersion","value":"`+version+`"`, `"path":"/metadata/resourceVersion","value":"RV"`)
	}
	return strings.ReplaceAll(body, string(obj.GetUID()), "UID")
}
