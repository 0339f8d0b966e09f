package conflict_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

// late delivers what is read from a stream a fixed time after it came in.
type late struct {
	source  io.ReadCloser
	delay   time.Duration
	arrived chan chunk
	rest    bytes.Reader
	closed  chan struct{}
}

type chunk struct {
	data []byte
	at   time.Time
	err  error
}

func newLate(source io.ReadCloser, delay time.Duration) *late {
	l := &late{source: source, delay: delay, arrived: make(chan chunk, 1024), closed: make(chan struct{})}
	go l.receive()
	return l
}

func (l *late) receive() {
	for {
		data := make([]byte, 64<<10)
		n, err := l.source.Read(data)
		select {
		case l.arrived <- chunk{data[:n], time.Now(), err}:
		case <-l.closed:
			return
		}
		if err != nil {
			return
		}
	}
}

func (l *late) Read(into []byte) (int, error) {
	if l.rest.Len() > 0 {
		return l.rest.Read(into)
	}
	select {
	case <-l.closed:
		return 0, io.ErrClosedPipe
	case c := <-l.arrived:
		if c.err != nil && len(c.data) == 0 {
			return 0, c.err
		}
		select {
		case <-time.After(time.Until(c.at.Add(l.delay))):
		case <-l.closed:
			return 0, io.ErrClosedPipe
		}
		l.rest.Reset(c.data)
		return l.rest.Read(into)
	}
}

func (l *late) Close() error {
	close(l.closed)
	return l.source.Close()
}

// managed is a manager whose cache is behind.
type managed struct {
	*backend
	cached client.Client // reads from the cache
	live   client.Reader
	rec    *testenv.Recorder
}

// newManaged starts a manager whose informers get all events late.
func newManaged(t *testing.T, delay time.Duration) *managed {
	env := testenv.Require(t)
	m := &managed{backend: onServer(t), rec: &testenv.Recorder{}}
	m.rec.After(func(req *http.Request, resp *http.Response) (*http.Response, error) {
		if delay > 0 && req.URL.Query().Get("watch") != "" {
			resp.Body = newLate(resp.Body, delay)
		}
		return resp, nil
	})
	mgr, err := manager.New(env.NewConfig(m.rec), manager.Options{
		Scheme: newScheme(), Metrics: server.Options{BindAddress: "0"},
		Cache: cache.Options{DefaultNamespaces: map[string]cache.Config{m.namespace: {}}},
	})
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- mgr.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	if _, err := mgr.GetCache().GetInformer(ctx, &v1alpha1.MachinePool{}); err != nil {
		t.Fatal(err)
	}
	m.cached, m.live = mgr.GetClient(), mgr.GetAPIReader()
	return m
}

// read is the pool from the cache, once the cache is at a resourceVersion.
func (m *managed) read(resourceVersion string) *v1alpha1.MachinePool {
	m.t.Helper()
	pool := &v1alpha1.MachinePool{}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		err := m.cached.Get(m.t.Context(), client.ObjectKey{Namespace: m.namespace, Name: "pool"}, pool)
		if err == nil && pool.ResourceVersion == resourceVersion {
			return pool
		}
		if time.Now().After(deadline) {
			m.t.Fatalf("the cache has %s (%v), want %s", pool.ResourceVersion, err, resourceVersion)
		}
	}
}

// wantRequests checks how many PATCHes of the status, and reads of the object, the server saw.
func (m *managed) wantRequests(patches, gets int) {
	m.t.Helper()
	if p, g := m.rec.Count("patch", "machinepools/status"), m.rec.Count("get", "machinepools"); p != patches || g != gets {
		m.t.Errorf("%d PATCHes and %d reads at the server, want %d and %d", p, g, patches, gets)
	}
}

var cacheDelays = []time.Duration{0, 100 * time.Millisecond, 2 * time.Second}

// A re-read from the cache waits for what the conflict said is there, so that
// there is one PATCH that conflicts and one that lands, however late the cache is.
func TestCacheBehindAfterAConflict(t *testing.T) {
	for _, delay := range cacheDelays {
		for name, form := range forms {
			t.Run(delay.String()+"/"+name, func(t *testing.T) {
				t.Parallel()
				m := newManaged(t, delay)
				obj := m.read(m.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1}).ResourceVersion)
				m.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{"theirs"} })
				must(t, form(t.Context(), m.cached, obj, "Mine"))
				m.wantRequests(2, 0)
				if s := m.stored().Status; s.Phase != "Mine" || len(s.Zones) != 1 {
					t.Errorf("stored %+v, want both writes", s)
				}
			})
		}
	}
}

// With the API reader the re-read is live: nothing waits for the cache.
func TestReaderPassesTheCacheBy(t *testing.T) {
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newManaged(t, 2*time.Second)
			obj := m.read(m.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1}).ResourceVersion)
			m.otherWrites(func(s *v1alpha1.MachinePoolStatus) { s.Zones = []string{"theirs"} })
			start := time.Now()
			must(t, form(t.Context(), m.cached, obj, "Mine", v1alpha1.WithStatusPatchReader(m.live)))
			if took := time.Since(start); took > 1500*time.Millisecond {
				t.Errorf("took %s, as if it had waited for the cache", took)
			}
			m.wantRequests(2, 1)
		})
	}
}

// A reconciler that reads the cache again before each write is behind its own
// writes: each write is one conflict and one PATCH that lands at the most, and
// nothing of the earlier ones is lost.
func TestCacheBehindOwnWrites(t *testing.T) {
	for _, delay := range cacheDelays {
		t.Run(delay.String(), func(t *testing.T) {
			t.Parallel()
			m := newManaged(t, delay)
			m.read(m.pool(v1alpha1.MachinePoolStatus{}).ResourceVersion)
			const writes = 3
			for range writes {
				obj := &v1alpha1.MachinePool{}
				must(t, m.cached.Get(t.Context(), client.ObjectKey{Namespace: m.namespace, Name: "pool"}, obj))
				must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), m.cached, obj, func(p *v1alpha1.MachinePoolStatusPatch) error {
					p.SetReplicasAndReadyReplicas(p.Status.Replicas+1, p.Status.Replicas+1)
					return nil
				}))
			}
			if s := m.stored().Status; s.Replicas != writes || s.ReadyReplicas != writes {
				t.Errorf("counters %d/%d, want %d", s.Replicas, s.ReadyReplicas, writes)
			}
			if n := m.rec.Count("patch", "machinepools/status"); n > 2*writes {
				t.Errorf("%d PATCHes for %d writes, want two each at the most", n, writes)
			}
		})
	}
}

// ai-dynamo/grove#711 with a real cache: it still shows what the controller
// has itself overwritten.
func TestLiveBaseWithACacheBehind(t *testing.T) {
	m := newManaged(t, 2*time.Second)
	obj := m.read(m.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1, Phase: "A"}).ResourceVersion)
	stale := obj.DeepCopy()
	must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), m.cached, obj, setPhase("B")))
	m.rec.Reset()
	must(t, v1alpha1.PatchMachinePoolStatus(t.Context(), m.cached, stale, setPhase("A"),
		v1alpha1.WithStatusPatchLiveBase(), v1alpha1.WithStatusPatchReader(m.live)))
	m.wantRequests(1, 1)
	if m.stored().Status.Phase != "A" {
		t.Error("the phase was not set back")
	}
}

// A cache that still shows an object that was deleted and made anew.
func TestCacheBehindARecreation(t *testing.T) {
	m := newManaged(t, 500*time.Millisecond)
	obj := m.read(m.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1}).ResourceVersion)
	must(t, m.others.Delete(t.Context(), obj.DeepCopy()))
	m.pool(v1alpha1.MachinePoolStatus{ObservedGeneration: 1})
	err := v1alpha1.PatchMachinePoolStatus(t.Context(), m.cached, obj, func(p *v1alpha1.MachinePoolStatusPatch) error {
		p.SetCondition(metav1.Condition{Type: "C", Status: "True", Reason: "R"})
		return nil
	})
	if !apierrors.IsNotFound(err) {
		t.Errorf("error %v, want not found", err)
	}
	m.wantRequests(1, 0)
	if len(m.stored().Status.Conditions) != 0 {
		t.Error("the new object was written to")
	}
}
