package model_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	"github.com/statuspatch/statuspatcher-gen/test/model"
)

// form is a form of the patcher.
type form string

const (
	closure  form = "closure"
	deferred form = "deferred"
)

var (
	locks = []v1alpha1.StatusPatchLock{v1alpha1.StatusPatchLockObject, v1alpha1.StatusPatchLockFields, v1alpha1.StatusPatchLockNone}
	forms = []form{closure, deferred}
)

// writer makes its edits one after the other, in one call each.
type writer struct {
	lock  v1alpha1.StatusPatchLock
	form  form
	edits []edit
}

func (w writer) String() string {
	names := make([]string, 0, len(w.edits))
	for _, e := range w.edits {
		names = append(names, e.name)
	}
	return fmt.Sprintf("%s/%s %s", w.lock, w.form, strings.Join(names, ", "))
}

// scenario is the status that the writers meet, and the writers.
type scenario struct {
	start   v1alpha1.MachinePoolStatus
	writers []writer
	stale   int
}

func (s scenario) String() string {
	var b strings.Builder
	for i, w := range s.writers {
		fmt.Fprintf(&b, "\n  writer %d: %s", i, w)
	}
	fmt.Fprintf(&b, "\n  start: %+v, stale reads: %d", s.start, s.stale)
	return b.String()
}

var pools = schema.GroupResource{Group: "example.statuspatch.dev", Resource: "machinepools"}

// play lets the writers of a scenario take turns by choices, and says which law
// was broken, "" if none.
func (s scenario) play(choices *model.Choices) string {
	r, err := newRun(s, choices)
	if err != nil {
		return err.Error()
	}
	writers := make([]func(*model.Client), len(s.writers))
	for i := range s.writers {
		writers[i] = func(c *model.Client) { r.write(i, c) }
	}
	r.world.Run(writers...)
	return r.verdict()
}

// run is a scenario being played.
type run struct {
	scenario
	world   *model.World
	current []edit // of each writer, while it writes
	broken  []string

	increments int32
	mustLand   map[string]func(*v1alpha1.MachinePoolStatus) string // by the edit, the last of its writer
}

func newRun(s scenario, choices *model.Choices) (*run, error) {
	server, err := model.NewServer(pools, &v1alpha1.MachinePool{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "pool", UID: "u1", Generation: 1},
		Status:     s.start,
	})
	if err != nil {
		return nil, err
	}
	r := &run{
		scenario: s, current: make([]edit, len(s.writers)),
		mustLand: map[string]func(*v1alpha1.MachinePoolStatus) string{},
	}
	r.world = &model.World{Server: server, Choices: choices, Stale: s.stale}
	server.Watch = func(before, after []byte) {
		writer := r.world.Writer()
		if broken := checkWrite(before, after, r.mayChange); broken != "" {
			r.breaks("writer %d (%s) %s\n    before: %s\n    after: %s", writer, r.current[writer].name, broken, before, after)
		}
	}
	return r, nil
}

// mayChange reports whether the writer whose turn it is may change a key.
func (r *run) mayChange(key string) bool {
	i := r.world.Writer()
	e := r.current[i]
	if slices.Contains(e.keys, key) {
		return true
	}
	if r.writers[i].lock != v1alpha1.StatusPatchLockNone || e.list == "" || !strings.HasPrefix(key, e.list+"[") {
		return false
	}
	seen, _, err := flatten(r.world.LastRead(i))
	return err == nil && slices.ContainsFunc(slices.Collect(maps.Keys(seen)), func(k string) bool {
		return strings.HasPrefix(k, e.list+"[")
	})
}

func (r *run) breaks(format string, args ...any) {
	r.broken = append(r.broken, fmt.Sprintf(format, args...))
}

// write makes all edits of a writer.
func (r *run) write(i int, c *model.Client) {
	w := r.writers[i]
	opts := []client.SubResourcePatchOption{
		v1alpha1.WithStatusPatchLock(w.lock),
		v1alpha1.WithStatusPatchBackoff(wait.Backoff{Steps: 100}),
	}
	for at, e := range w.edits {
		n := int32(100*(i+1) + at)
		pool := &v1alpha1.MachinePool{}
		if err := c.Get(context.Background(), client.ObjectKey{Namespace: "ns", Name: "pool"}, pool); err != nil {
			r.breaks("writer %d: %v", i, err)
			return
		}
		r.current[i] = e
		err := w.call(c, pool, e, n, opts)
		switch {
		// A writer whose read is behind meets his own last write as another's.
		case err == nil:
			r.acknowledged(w, e, n)
		case w.form == deferred && apierrors.IsConflict(err) && (e.shared || r.scenario.stale > 0) && strings.Contains(err.Error(), "was changed by another writer too"):
		default:
			r.breaks("writer %d (%s): %v", i, e.name, err)
		}
	}
}

func (w writer) call(c *model.Client, pool *v1alpha1.MachinePool, e edit, n int32, opts []client.SubResourcePatchOption) error {
	if w.form == deferred {
		p := v1alpha1.NewMachinePoolStatusPatcher(pool)
		e.apply(&p.MachinePoolStatusPatch, n)
		return p.Patch(context.Background(), c, opts...)
	}
	return v1alpha1.PatchMachinePoolStatus(context.Background(), c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
		e.apply(p, n)
		return nil
	}, opts...)
}

// acknowledged notes what has to be in the final state.
func (r *run) acknowledged(w writer, e edit, n int32) {
	if e.name == increment.name && w.form == closure && w.lock != v1alpha1.StatusPatchLockNone {
		r.increments++
	}
	if e.landed != nil && !(e.list != "" && r.anyUnlocked()) {
		r.mustLand[e.name+e.keys[0]] = func(s *v1alpha1.MachinePoolStatus) string {
			if e.landed(s, n) {
				return ""
			}
			return fmt.Sprintf("the acknowledged edit %s (%d) is lost", e.name, n)
		}
	}
}

// anyUnlocked reports whether a writer locks nothing.
func (r *run) anyUnlocked() bool {
	return slices.ContainsFunc(r.writers, func(w writer) bool { return w.lock == v1alpha1.StatusPatchLockNone })
}

// verdict is the first law that was broken in any write, or at the end.
func (r *run) verdict() string {
	if len(r.broken) > 0 {
		return r.broken[0]
	}
	_, status, err := flatten(r.world.Server.Read(0))
	if err != nil {
		return err.Error()
	}
	for _, landed := range r.mustLand {
		if lost := landed(&status); lost != "" {
			return lost
		}
	}
	if r.onlyIncrements() && status.Replicas != r.start.Replicas+r.increments {
		return fmt.Sprintf("%d increments were acknowledged, the counter went from %d to %d", r.increments, r.start.Replicas, status.Replicas)
	}
	return ""
}

// onlyIncrements reports whether whoever edits the counters increments them,
// under a lock that loses none.
func (r *run) onlyIncrements() bool {
	for _, w := range r.writers {
		for _, e := range w.edits {
			switch {
			case e.name == setCounters.name:
				return false
			case e.name == increment.name && (w.form != closure || w.lock == v1alpha1.StatusPatchLockNone):
				return false
			}
		}
	}
	return true
}

// starts are the statuses that writers meet: none, a full one, and two that lack
// what a member of a group is in.
func starts() []v1alpha1.MachinePoolStatus {
	seven := int32(7)
	condition := func(conditionType, message string) metav1.Condition {
		return metav1.Condition{Type: conditionType, Status: metav1.ConditionTrue, Reason: "Start", Message: message, LastTransitionTime: metav1.Unix(1e9, 0), ObservedGeneration: 1}
	}
	return []v1alpha1.MachinePoolStatus{
		{},
		{
			ObservedGeneration: 1, Replicas: 3, ReadyReplicas: 3 + counterGap, Phase: "Start",
			Rollout:    &v1alpha1.MachinePoolRollout{Image: "start", AvailableReplicas: &seven},
			Zones:      []string{"z"},
			Machines:   []v1alpha1.MachineReference{{Name: "m"}},
			Conditions: []metav1.Condition{condition("Other", "o"), condition("Ready", "r"), condition("Available", "7")},
		},
		{ObservedGeneration: 1, Conditions: []metav1.Condition{condition("Other", "o")}},
		{ObservedGeneration: 1, Rollout: &v1alpha1.MachinePoolRollout{AvailableReplicas: &seven}},
	}
}

// TestAllInterleavings goes through every order of the steps of two writers:
// each pair of edits, lock, form and start.
func TestAllInterleavings(t *testing.T) {
	for _, lock := range locks {
		for _, f := range forms {
			t.Run(fmt.Sprintf("%s/%s", lock, f), func(t *testing.T) {
				t.Parallel()
				runs := 0
				for _, start := range starts() {
					for i, a := range editsOf(0) {
						for _, b := range editsOf(1)[i:] {
							runs += playAll(t, scenario{start: start, writers: []writer{{lock, f, []edit{a}}, {lock, f, []edit{b}}}})
						}
					}
				}
				t.Logf("%d runs", runs)
			})
		}
	}
}

// playAll plays a scenario in every way, up to the first that breaks a law.
func playAll(t *testing.T, s scenario) int {
	return model.All(func(c *model.Choices) bool {
		broken := s.play(c)
		if broken != "" {
			t.Errorf("%s%s", broken, s)
		}
		return broken == ""
	})
}

// randomRuns is the number of random runs of each lock.
const randomRuns = 1500

// TestRandomInterleavings lets three writers, of both forms, make several edits
// each in a random order of steps, with reads that are behind.
func TestRandomInterleavings(t *testing.T) {
	for _, lock := range locks {
		t.Run(string(lock), func(t *testing.T) {
			t.Parallel()
			model.Random(randomRuns, func(seed int64, c *model.Choices) bool {
				s := randomScenario(rand.New(rand.NewSource(seed)), lock)
				broken := s.play(c)
				if broken != "" {
					t.Errorf("seed %d: %s%s", seed, broken, s)
				}
				return broken == ""
			})
		})
	}
}

func randomScenario(r *rand.Rand, lock v1alpha1.StatusPatchLock) scenario {
	s := scenario{start: starts()[r.Intn(len(starts()))], stale: r.Intn(4)}
	for i := range 3 {
		w := writer{lock: lock, form: forms[r.Intn(len(forms))]}
		for range 1 + r.Intn(3) {
			w.edits = append(w.edits, editsOf(i)[r.Intn(len(editsOf(i)))])
		}
		s.writers = append(s.writers, w)
	}
	return s
}

// Locks of other writers do not matter to what a writer is promised.
func TestMixedLocks(t *testing.T) {
	model.Random(randomRuns, func(seed int64, c *model.Choices) bool {
		r := rand.New(rand.NewSource(seed))
		s := randomScenario(r, "")
		for i := range s.writers {
			s.writers[i].lock = locks[r.Intn(len(locks))]
		}
		broken := s.play(c)
		if broken != "" {
			t.Errorf("seed %d: %s%s", seed, broken, s)
		}
		return broken == ""
	})
}
