// Package soak_test writes one set of objects from many sides for a long time,
// while requests and answers fail at random and the API server is killed and
// started again, and checks what is stored.
//
// SOAK_UPDATES is how many updates are to be acknowledged, SOAK_SEED the seed of
// all that is random but the order of events; `make soak` sets the first high.
//
//	soak_test.go     the run, and the check of the final state
//	writer_test.go   what is written, and what the writer knows of it
//	faults_test.go   what happens to requests
//	watch_test.go    the check of each version that is stored
package soak_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

func TestMain(m *testing.M) {
	os.Exit(testenv.Main(m, "../../examples/config/crd"))
}

const (
	writerCount = 16
	poolCount   = 12
	// updatesPerCrash is how many updates are acknowledged between two crashes of the server.
	updatesPerCrash = 4000
)

// setting is a number from the environment.
func setting(t *testing.T, name string, otherwise int64) int64 {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatalf("%s=%s: give it a number", name, text)
	}
	return n
}

func TestSoak(t *testing.T) {
	env := testenv.Require(t)
	wanted, seed := setting(t, "SOAK_UPDATES", 1000), setting(t, "SOAK_SEED", 1)
	scheme := apiruntime.NewScheme()
	utilruntime.Must(v1alpha1.AddToScheme(scheme))
	c, namespace := env.NewClient(t, scheme, nil), env.NewNamespace(t)
	key := func(pool string) client.ObjectKey { return client.ObjectKey{Namespace: namespace, Name: pool} }
	names := make([]string, poolCount)
	from := ""
	for i := range names {
		names[i] = fmt.Sprintf("pool-%d", i)
		pool := &v1alpha1.MachinePool{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: names[i]}}
		if err := c.Create(t.Context(), pool); err != nil {
			t.Fatal(err)
		}
		from = pool.ResourceVersion
	}

	observing, stopObserving := context.WithCancel(t.Context())
	observed := &observer{c: c, namespace: namespace, last: map[string]*v1alpha1.MachinePool{}}
	var background sync.WaitGroup
	background.Go(func() { observed.observe(observing, from) })

	start := time.Now()
	in := newInjector(seed)
	var acknowledged, failed atomic.Int64
	writing, stopWriting := context.WithTimeout(t.Context(), 50*time.Minute)
	var work sync.WaitGroup
	writers := make([]*writer, writerCount)
	for i := range writers {
		config := env.NewConfig(nil)
		config.Wrap(in.wrap)
		faulty, err := client.New(config, client.Options{Scheme: scheme})
		if err != nil {
			t.Fatal(err)
		}
		w := newWriter(i, faulty, seed*1000+int64(i), key)
		writers[i] = w
		work.Go(func() {
			for writing.Err() == nil && acknowledged.Load() < wanted {
				if w.update(writing, names[w.random.Intn(len(names))]) {
					acknowledged.Add(1)
				} else {
					failed.Add(1)
					time.Sleep(10 * time.Millisecond)
				}
			}
		})
	}
	crashes := crashNowAndThen(writing, t, env, &acknowledged, wanted)
	work.Wait()
	took := time.Since(start)
	stopWriting()

	finals := map[string]*v1alpha1.MachinePool{}
	for _, name := range names {
		pool := &v1alpha1.MachinePool{}
		if err := c.Get(t.Context(), key(name), pool); err != nil {
			t.Fatal(err)
		}
		finals[name] = pool
	}
	waitFor(t, "the observer to catch up", func() bool {
		observed.mu.Lock()
		defer observed.mu.Unlock()
		for name, final := range finals {
			if observed.last[name] == nil || observed.last[name].ResourceVersion != final.ResourceVersion {
				return false
			}
		}
		return true
	})
	stopObserving()
	background.Wait()

	if n := acknowledged.Load(); n < wanted {
		t.Errorf("%d updates were acknowledged in %s, want %d", n, took, wanted)
	}
	for name, final := range finals {
		checkFinal(t, name, &final.Status, writers)
	}
	versions, broken := observed.seen()
	for i, b := range broken {
		if i == 10 {
			t.Errorf("and %d more", len(broken)-i)
			break
		}
		t.Error(b)
	}
	checkNothingRuns(t)
	t.Logf("%d updates acknowledged, %d failed, in %.1f s; %d versions checked; %d crashes of the server; faults: %v",
		acknowledged.Load(), failed.Load(), took.Seconds(), versions, crashes, in.happened)
}

// crashNowAndThen crashes the server as the updates go on, at least once, and
// returns how often when they are through.
func crashNowAndThen(ctx context.Context, t *testing.T, env *testenv.Env, acknowledged *atomic.Int64, wanted int64) int {
	crashes := 0
	for next := min(wanted/2, updatesPerCrash); next < wanted; next += updatesPerCrash {
		for acknowledged.Load() < next {
			select {
			case <-ctx.Done():
				return crashes
			case <-time.After(20 * time.Millisecond):
			}
		}
		if err := env.Crash(ctx, 300*time.Millisecond); err != nil {
			t.Error(err)
			return crashes
		}
		crashes++
		t.Logf("crash %d of the server, after %d updates", crashes, acknowledged.Load())
	}
	return crashes
}

// checkFinal checks that each acknowledged update is in a pool's final status.
func checkFinal(t *testing.T, name string, s *v1alpha1.MachinePoolStatus, writers []*writer) {
	t.Helper()
	least, most := 0, 0
	for _, w := range writers {
		increments := of(w.counters, name)
		least += increments.acknowledged
		most += increments.acknowledged + increments.failed
		message, capacity := 0, 0
		if c := find(s.Conditions, w.own()); c != nil {
			message = number(c.Message)
		}
		if q, ok := s.Capacity[w.own()]; ok {
			capacity = int(q.Value())
		}
		// What is newer than the last acknowledged one is one that failed after it was stored.
		if last := of(w.conditions, name).last; message < last {
			t.Errorf("%s: the condition of writer %d shows %d, %d was acknowledged", name, w.id, message, last)
		}
		if last := of(w.capacities, name).last; capacity < last {
			t.Errorf("%s: the capacity of writer %d shows %d, %d was acknowledged", name, w.id, capacity, last)
		}
	}
	if got := int(s.Replicas); got < least || got > most {
		t.Errorf("%s: the counter is %d, want from %d, which were acknowledged, to %d with those that failed", name, got, least, most)
	}
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

// checkNothingRuns checks that no goroutine is in the patchers' code any more.
func checkNothingRuns(t *testing.T) {
	t.Helper()
	stacks := make([]byte, 16<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for _, stack := range strings.Split(string(stacks), "\n\n") {
		if strings.Contains(stack, "examples/api/v1alpha1.") {
			t.Errorf("a goroutine is left behind:\n%s", stack)
		}
	}
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("waited a minute for %s", what)
			return
		}
	}
}
