package e2e_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

// backend is what one test runs against: the client whose requests it looks at, and
// another one for everybody else who writes.
type backend struct {
	client    client.Client
	other     client.Client
	namespace string
	fake      bool

	// patches are the bodies of the status PATCHes that client sent, and reads how
	// often it read.
	patches func() []string
	reads   func() int
	// beforePatch sets what happens just before the nth status PATCH of client is
	// carried out, n counting from 1.
	beforePatch func(func(n int))
}

// onBoth runs a test on the real API server and on controller-runtime's fake client,
// so that users may trust the second with what the first has shown.
func onBoth(t *testing.T, test func(*testing.T, *backend)) {
	t.Helper()
	t.Run("server", func(t *testing.T) { test(t, newServer(t)) })
	t.Run("fake", func(t *testing.T) { test(t, newFake()) })
}

func newServer(t *testing.T) *backend {
	t.Helper()
	env := testenv.Require(t)
	rec := &testenv.Recorder{}
	return &backend{
		client:    env.NewClient(t, newScheme(), rec),
		other:     env.NewClient(t, newScheme(), nil),
		namespace: env.NewNamespace(t),
		patches: func() (bodies []string) {
			for _, request := range rec.Requests("patch", "machinepools/status") {
				bodies = append(bodies, request.Body)
			}
			return bodies
		},
		reads: func() int { return rec.Count("get", "machinepools") },
		beforePatch: func(hook func(int)) {
			var n counter
			rec.Before(func(req *http.Request) (*http.Response, error) {
				if req.Method == http.MethodPatch && strings.HasSuffix(req.URL.Path, "/status") {
					hook(n.next())
				}
				return nil, nil
			})
		},
	}
}

func newFake() *backend {
	other := fake.NewClientBuilder().WithScheme(newScheme()).
		WithStatusSubresource(&v1alpha1.MachinePool{}, &v1alpha1.Region{}).Build()
	var mu sync.Mutex
	var bodies []string
	var reads, sent counter
	before := func(int) {}
	b := &backend{other: other, namespace: "default", fake: true}
	b.client = interceptor.NewClient(other, interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
			reads.next()
			return c.Get(ctx, key, obj, opts...)
		},
		SubResourcePatch: func(ctx context.Context, c client.Client, sub string, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
			body, err := patch.Data(obj)
			if err != nil {
				return err
			}
			before(sent.next())
			mu.Lock()
			bodies = append(bodies, string(body))
			mu.Unlock()
			return c.SubResource(sub).Patch(ctx, obj, patch, opts...)
		},
	})
	b.patches = func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), bodies...)
	}
	b.reads = reads.value
	b.beforePatch = func(hook func(int)) { sent, before = counter{}, hook }
	return b
}

// pool stores a MachinePool with this status, at generation 1, and returns it as it
// was stored.
func (b *backend) pool(t *testing.T, name string, status v1alpha1.MachinePoolStatus) *v1alpha1.MachinePool {
	t.Helper()
	pool := &v1alpha1.MachinePool{ObjectMeta: metav1.ObjectMeta{Namespace: b.namespace, Name: name}}
	if b.fake { // what a server sets itself
		pool.Generation, pool.UID = 1, uuid.NewUUID()
	}
	if err := b.other.Create(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	b.otherWrites(t, pool, func(s *v1alpha1.MachinePoolStatus) { *s = status })
	return b.stored(t, pool)
}

// otherWrites changes the stored status the way another writer does.
func (b *backend) otherWrites(t *testing.T, pool *v1alpha1.MachinePool, change func(*v1alpha1.MachinePoolStatus)) {
	t.Helper()
	live := b.stored(t, pool)
	change(&live.Status)
	if err := b.other.Status().Update(t.Context(), live); err != nil {
		t.Fatal(err)
	}
}

// stored returns the object as the server has it.
func (b *backend) stored(t *testing.T, pool *v1alpha1.MachinePool) *v1alpha1.MachinePool {
	t.Helper()
	live := &v1alpha1.MachinePool{}
	if err := b.other.Get(t.Context(), client.ObjectKeyFromObject(pool), live); err != nil {
		t.Fatal(err)
	}
	return live
}

// wantPatches compares the bodies sent, byte for byte.
func (b *backend) wantPatches(t *testing.T, want ...string) {
	t.Helper()
	got := b.patches()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("status PATCHes sent:\n\t%s\nwant:\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// wantReads compares how often the client read.
func (b *backend) wantReads(t *testing.T, want int) {
	t.Helper()
	if got := b.reads(); got != want {
		t.Errorf("%d reads, want %d", got, want)
	}
}

// wantCounters compares the counters stored.
func (b *backend) wantCounters(t *testing.T, pool *v1alpha1.MachinePool, replicas, ready int32) {
	t.Helper()
	status := b.stored(t, pool).Status
	if status.Replicas != replicas || status.ReadyReplicas != ready {
		t.Errorf("stored replicas/readyReplicas %d/%d, want %d/%d", status.Replicas, status.ReadyReplicas, replicas, ready)
	}
}

// quick is a backoff that a test need not wait for.
func quick(steps int) client.SubResourcePatchOption {
	return v1alpha1.WithStatusPatchBackoff(wait.Backoff{Duration: time.Millisecond, Steps: steps})
}

// staleCache is a client whose reads are answered with an old object, as a cache
// answers that lags behind, until it has been asked often enough.
type staleCache struct {
	client.Client
	old  *v1alpha1.MachinePool
	left int
}

func (s *staleCache) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	pool, ok := obj.(*v1alpha1.MachinePool)
	if !ok || s.left == 0 {
		return s.Client.Get(ctx, key, obj, opts...)
	}
	s.left--
	s.old.DeepCopyInto(pool)
	return nil
}

// counter counts across goroutines.
type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) next() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n
}

func (c *counter) value() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}
