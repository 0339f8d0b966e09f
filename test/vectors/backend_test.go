package vectors_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/statuspatch/statuspatcher-gen/test/testenv"
	v1 "github.com/statuspatch/statuspatcher-gen/test/vectors/api/v1"
	v2 "github.com/statuspatch/statuspatcher-gen/test/vectors/api/v2"
)

// backend is what a case runs against: the client whose requests are looked at, and
// another one for everybody else.
type backend struct {
	client, other client.Client
	namespace     string
	fake          bool

	mu     sync.Mutex
	bodies []string
	urls   []string
	reads  int
}

// onBoth runs a case on the real API server and on the fake client.
func onBoth(t *testing.T, test func(*testing.T, *backend)) {
	t.Helper()
	t.Run("server", func(t *testing.T) { test(t, newServer(t)) })
	t.Run("fake", func(t *testing.T) { test(t, newFake()) })
}

func newServer(t *testing.T) *backend {
	t.Helper()
	env := testenv.Require(t)
	rec := &testenv.Recorder{}
	b := &backend{client: env.NewClient(t, newScheme(), rec), other: env.NewClient(t, newScheme(), nil), namespace: env.NewNamespace(t)}
	rec.Before(func(req *http.Request) (*http.Response, error) {
		if req.Method == http.MethodGet && strings.HasPrefix(req.URL.Path, "/apis/vectors.statuspatch.dev/") && strings.Contains(req.URL.Path, "/namespaces/") {
			b.read() // discovery aside
		}
		if req.Method != http.MethodPatch {
			return nil, nil
		}
		body, err := io.ReadAll(req.Body)
		if err == nil {
			b.sent(req.URL.Path, string(body))
		}
		return nil, err
	})
	return b
}

func newFake() *backend {
	other := fake.NewClientBuilder().WithScheme(newScheme()).WithStatusSubresource(&v1.Job{}, &v1.Strict{}, &v2.Job{}).Build()
	b := &backend{other: other, namespace: "default", fake: true}
	b.client = interceptor.NewClient(other, interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
			b.read()
			return c.Get(ctx, key, obj, opts...)
		},
		SubResourcePatch: func(ctx context.Context, c client.Client, sub string, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
			body, err := patch.Data(obj)
			if err != nil {
				return err
			}
			b.sent("", string(body))
			return c.SubResource(sub).Patch(ctx, obj, patch, opts...)
		},
	})
	return b
}

func (b *backend) sent(url, body string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.urls, b.bodies = append(b.urls, url), append(b.bodies, body)
}

func (b *backend) read() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reads++
}

// forget drops the requests so far.
func (b *backend) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.urls, b.bodies, b.reads = nil, nil, 0
}

// wantBodies checks the PATCHes that were sent, in which RV stands for any
// resourceVersion and UID for any UID.
func (b *backend) wantBodies(t *testing.T, want ...string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	var got []string
	for _, body := range b.bodies {
		got = append(got, masked(masked(body, `"resourceVersion":"`, "RV"), `"path":"/metadata/resourceVersion","value":"`, "RV"))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("bodies (-want +got):\n%s", diff)
	}
}

// masked puts a name in place of what follows a text up to the next quote.
func masked(body, after, name string) string {
	head, tail, ok := strings.Cut(body, after)
	if !ok {
		return body
	}
	_, tail, _ = strings.Cut(tail, `"`)
	return head + after + name + `"` + tail
}

// job stores a Job with a status at generation 1.
func (b *backend) job(t *testing.T, status v1.JobStatus) *v1.Job {
	t.Helper()
	job := &v1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: b.namespace, Name: "job"}}
	b.create(t, job)
	b.otherWrites(t, job, func(s *v1.JobStatus) { *s = status })
	if err := b.other.Get(t.Context(), client.ObjectKeyFromObject(job), job); err != nil {
		t.Fatal(err)
	}
	return job
}

// strict stores a Strict with a status, nil for none.
func (b *backend) strict(t *testing.T, status *v1.StrictStatus) *v1.Strict {
	t.Helper()
	strict := &v1.Strict{ObjectMeta: metav1.ObjectMeta{Namespace: b.namespace, Name: "strict"}}
	b.create(t, strict)
	if status != nil {
		strict.Status = status
		if err := b.other.Status().Update(t.Context(), strict); err != nil {
			t.Fatal(err)
		}
	}
	return strict
}

func (b *backend) create(t *testing.T, obj client.Object) {
	t.Helper()
	if b.fake { // what a server sets itself
		obj.SetGeneration(1)
		obj.SetUID(types.UID("uid-of-" + obj.GetName()))
	}
	if err := b.other.Create(t.Context(), obj); err != nil {
		t.Fatal(err)
	}
}

// otherWrites has another writer edit the stored status of a job.
func (b *backend) otherWrites(t *testing.T, job *v1.Job, edit func(*v1.JobStatus)) {
	t.Helper()
	live := b.live(t, job)
	edit(&live.Status)
	if err := b.other.Status().Update(t.Context(), live); err != nil {
		t.Fatal(err)
	}
}

// live is a job as the server has it.
func (b *backend) live(t *testing.T, job *v1.Job) *v1.Job {
	t.Helper()
	live := &v1.Job{}
	if err := b.other.Get(t.Context(), client.ObjectKeyFromObject(job), live); err != nil {
		t.Fatal(err)
	}
	return live
}

// patch patches a job's status and fails the test on an error.
func (b *backend) patch(t *testing.T, job *v1.Job, mutate func(*v1.JobStatusPatch), opts ...client.SubResourcePatchOption) {
	t.Helper()
	err := v1.PatchJobStatus(t.Context(), b.client, job, func(p *v1.JobStatusPatch) error { mutate(p); return nil }, opts...)
	if err != nil {
		t.Fatal(err)
	}
}
