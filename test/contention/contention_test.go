// Package contention_test lets many writers write one object's status at once,
// on a real API server, and counts what each way of writing makes of it: updates
// that landed, that came back to the caller as conflicts, that were acknowledged
// and lost, requests and time.
//
//	contention_test.go   the run, the test and the benchmarks
//	tasks_test.go        what the writers do
//	ways_test.go         how they write
package contention_test

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

func TestMain(m *testing.M) {
	os.Exit(testenv.Main(m, "../../examples/config/crd"))
}

// outcome is what came of a run.
type outcome struct {
	landed, returned, lost int
	requests               int
	took                   time.Duration
}

// perLanded is the number of requests for each update that landed.
func (o outcome) perLanded() float64 { return float64(o.requests) / float64(max(o.landed, 1)) }

// contend lets the writers do a task in one way, each its updates one after the
// other from the object it holds, as a reconciler with a cache of its own.
func contend(tb testing.TB, t task, w way, writers, updates int) outcome {
	tb.Helper()
	env := testenv.Require(tb)
	scheme := runtime.NewScheme()
	utilruntime.Must(v1alpha1.AddToScheme(scheme))
	rec := &testenv.Recorder{}
	c := env.NewClient(tb, scheme, rec)
	pool := &v1alpha1.MachinePool{ObjectMeta: metav1.ObjectMeta{Namespace: env.NewNamespace(tb), Name: "pool"}}
	if err := c.Create(tb.Context(), pool); err != nil {
		tb.Fatal(err)
	}
	pool.Status = t.start(writers)
	if err := c.Status().Update(tb.Context(), pool); err != nil {
		tb.Fatal(err)
	}
	rec.Reset()

	var landed, returned atomic.Int64
	var wg sync.WaitGroup
	start := time.Now()
	for writer := range writers {
		wg.Go(func() {
			obj := pool.DeepCopy()
			for range updates {
				err := w.write(tb.Context(), c, obj, func(s *v1alpha1.MachinePoolStatus) { t.raise(s, writer) })
				switch {
				case err == nil:
					landed.Add(1)
				case apierrors.IsConflict(err):
					returned.Add(1)
				default:
					tb.Errorf("%s: %v", w.name, err)
				}
			}
		})
	}
	wg.Wait()
	o := outcome{landed: int(landed.Load()), returned: int(returned.Load()), took: time.Since(start), requests: rec.Count("", "")}
	rec.Reset()
	if err := c.Get(tb.Context(), client.ObjectKeyFromObject(pool), pool); err != nil {
		tb.Fatal(err)
	}
	o.lost = o.landed - t.raised(&pool.Status)
	return o
}

// The size of the runs of the benchmarks.
const (
	writers = 16
	updates = 50
)

// row is one line of a benchmark's table.
type row struct {
	task task
	way  way
}

// table runs the rows and prints what came of them.
func table(b *testing.B, rows []row) map[string]outcome {
	b.Helper()
	outcomes := map[string]outcome{}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(out, "\n%d writers, %d updates each\tlanded\treturned\tlost\trequests/landed\tseconds\n", writers, updates)
	for _, r := range rows {
		o := contend(b, r.task, r.way, writers, updates)
		outcomes[r.task.name+", "+r.way.name] = o
		fmt.Fprintf(out, "%s, %s\t%d\t%d\t%d\t%.2f\t%.2f\n", r.task.name, r.way.name, o.landed, o.returned, o.lost, o.perLanded(), o.took.Seconds())
	}
	if err := out.Flush(); err != nil {
		b.Error(err)
	}
	return outcomes
}

// BenchmarkContention sets the patchers beside what HyperShift does. It fails
// where the patchers return a conflict, lose an update, or need more requests
// than they promise.
func BenchmarkContention(b *testing.B) {
	object := patcher("patcher, lock object", v1alpha1.StatusPatchLockObject, nil)
	fields := patcher("patcher, lock fields", v1alpha1.StatusPatchLockFields, nil)
	for range b.N {
		outcomes := table(b, []row{{counter, object}, {counter, fields}, {counter, getAndPatch}, {conditions, fields}, {conditions, object}, {conditions, getAndPatch}})
		for _, limit := range []struct {
			row      string
			requests float64
		}{
			{counter.name + ", " + object.name, 1.5},
			{conditions.name + ", " + fields.name, 1},
		} {
			o := outcomes[limit.row]
			if o.landed != writers*updates || o.lost != 0 || o.perLanded() > limit.requests {
				b.Errorf("%s: %+v, %.2f requests for each update: want all landed, none lost, %.1f requests at the most", limit.row, o, o.perLanded(), limit.requests)
			}
		}
	}
}

// BenchmarkBackoffs compares backoffs; the default was chosen by it.
func BenchmarkBackoffs(b *testing.B) {
	rows := []row{{counter, patcher("default", v1alpha1.StatusPatchLockObject, nil)}}
	for _, backoff := range []wait.Backoff{
		{Duration: 10 * time.Millisecond, Factor: 2, Cap: 500 * time.Millisecond, Steps: 10},
		{Duration: 20 * time.Millisecond, Factor: 3, Cap: time.Second, Steps: 10},
		{Duration: 20 * time.Millisecond, Factor: 3, Cap: time.Second, Steps: 15},
		{Duration: 20 * time.Millisecond, Factor: 3, Cap: 2 * time.Second, Steps: 12},
		{Duration: 40 * time.Millisecond, Factor: 3, Cap: 2 * time.Second, Steps: 12},
		{Duration: 40 * time.Millisecond, Factor: 3, Cap: 2 * time.Second, Steps: 15},
	} {
		name := fmt.Sprintf("%s ×%.0f up to %s, %d steps", backoff.Duration, backoff.Factor, backoff.Cap, backoff.Steps)
		rows = append(rows, row{counter, patcher(name, v1alpha1.StatusPatchLockObject, &backoff)})
	}
	for range b.N {
		table(b, rows)
	}
}

// TestContention is the benchmark in small: nothing is returned, nothing lost.
func TestContention(t *testing.T) {
	for _, r := range []row{
		{counter, patcher("object", v1alpha1.StatusPatchLockObject, nil)},
		{counter, patcher("fields", v1alpha1.StatusPatchLockFields, nil)},
		{conditions, patcher("fields", v1alpha1.StatusPatchLockFields, nil)},
		{conditions, patcher("none", v1alpha1.StatusPatchLockNone, nil)},
		{conditions, patcher("object", v1alpha1.StatusPatchLockObject, nil)},
	} {
		t.Run(r.task.name+"/"+r.way.name, func(t *testing.T) {
			const writers, updates = 8, 10
			o := contend(t, r.task, r.way, writers, updates)
			if o.landed != writers*updates || o.returned != 0 || o.lost != 0 {
				t.Errorf("%+v, want all %d landed", o, writers*updates)
			}
			if r.task.name == conditions.name && r.way.name != "object" && o.requests != o.landed {
				t.Errorf("%d requests for %d updates, want one each", o.requests, o.landed)
			}
		})
	}
}
