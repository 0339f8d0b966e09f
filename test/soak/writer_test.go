package soak_test

import (
	"context"
	"fmt"
	"math/rand"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// counterGap is between the two members of the group of counters.
const counterGap = 1000

var (
	anyLock = []v1alpha1.StatusPatchLock{v1alpha1.StatusPatchLockObject, v1alpha1.StatusPatchLockFields, v1alpha1.StatusPatchLockNone}
	backoff = v1alpha1.WithStatusPatchBackoff(wait.Backoff{Duration: 5 * time.Millisecond, Factor: 3, Cap: 300 * time.Millisecond, Steps: 15})
)

// tally is what a writer knows of its updates of one number: those that were
// acknowledged, and the failed ones, which may be stored all the same.
type tally struct {
	acknowledged, failed int
	// last is the number that was last acknowledged.
	last int
}

// writer makes updates of pools that it shares with others.
type writer struct {
	id     int
	c      client.Client
	random *rand.Rand
	held   map[string]*v1alpha1.MachinePool
	key    func(pool string) client.ObjectKey

	counters   map[string]*tally // increments of the shared counter, by pool
	conditions map[string]*tally // numbers in the writer's own condition
	capacities map[string]*tally // numbers under the writer's own key
	others     tally
	next       int
}

func newWriter(id int, c client.Client, seed int64, key func(string) client.ObjectKey) *writer {
	return &writer{
		id: id, c: c, random: rand.New(rand.NewSource(seed)), key: key, held: map[string]*v1alpha1.MachinePool{},
		counters: map[string]*tally{}, conditions: map[string]*tally{}, capacities: map[string]*tally{},
	}
}

func (w *writer) own() string { return fmt.Sprintf("Writer%d", w.id) }

func of(tallies map[string]*tally, pool string) *tally {
	if tallies[pool] == nil {
		tallies[pool] = &tally{}
	}
	return tallies[pool]
}

// object is the pool as the writer last saw it, now and then read again.
func (w *writer) object(ctx context.Context, pool string) (*v1alpha1.MachinePool, error) {
	if held := w.held[pool]; held != nil && w.random.Intn(4) > 0 {
		return held, nil
	}
	fresh := &v1alpha1.MachinePool{}
	if err := w.c.Get(ctx, w.key(pool), fresh); err != nil {
		return nil, err
	}
	w.held[pool] = fresh
	return fresh, nil
}

// update makes one update at random, and reports whether it was acknowledged.
func (w *writer) update(ctx context.Context, pool string) bool {
	obj, err := w.object(ctx, pool)
	if err != nil {
		return false
	}
	w.next++
	n := w.next
	lock := anyLock[w.random.Intn(len(anyLock))]
	var t *tally
	deferred := w.random.Intn(2) == 0
	var edit func(p *v1alpha1.MachinePoolStatusPatch)
	switch w.random.Intn(5) {
	case 0: // counts only in the closure form, under a lock that loses nothing
		t, deferred = of(w.counters, pool), false
		if lock == v1alpha1.StatusPatchLockNone {
			lock = v1alpha1.StatusPatchLockFields
		}
		edit = func(p *v1alpha1.MachinePoolStatusPatch) {
			p.SetReplicasAndReadyReplicas(p.Status.Replicas+1, p.Status.Replicas+1+counterGap)
		}
	case 1:
		t = of(w.conditions, pool)
		edit = w.setOwnCondition(n)
	case 2:
		t = of(w.capacities, pool)
		edit = w.setOwnCapacity(n)
	case 3:
		t, edit = &w.others, w.setAvailability(n)
	default:
		t, edit = &w.others, w.flipReady
	}
	if err := w.write(ctx, obj, edit, deferred, v1alpha1.WithStatusPatchLock(lock)); err != nil {
		delete(w.held, pool) // in the deferred form the edits are still in it
		t.failed++
		return false
	}
	t.acknowledged++
	t.last = n
	return true
}

func (w *writer) write(ctx context.Context, obj *v1alpha1.MachinePool, edit func(*v1alpha1.MachinePoolStatusPatch), deferred bool, lock client.SubResourcePatchOption) error {
	if deferred {
		p := v1alpha1.NewMachinePoolStatusPatcher(obj)
		edit(&p.MachinePoolStatusPatch)
		return p.Patch(ctx, w.c, backoff, lock)
	}
	return v1alpha1.PatchMachinePoolStatus(ctx, w.c, obj, func(p *v1alpha1.MachinePoolStatusPatch) error {
		edit(p)
		return nil
	}, backoff, lock)
}

func (w *writer) setOwnCondition(n int) func(*v1alpha1.MachinePoolStatusPatch) {
	status := metav1.ConditionFalse
	if w.random.Intn(3) == 0 {
		status = metav1.ConditionTrue
	}
	return func(p *v1alpha1.MachinePoolStatusPatch) {
		p.SetCondition(metav1.Condition{Type: w.own(), Status: status, Reason: "Counted", Message: strconv.Itoa(n)})
	}
}

func (w *writer) setOwnCapacity(n int) func(*v1alpha1.MachinePoolStatusPatch) {
	return func(p *v1alpha1.MachinePoolStatusPatch) {
		if p.Status.Capacity == nil {
			p.Status.Capacity = map[string]resource.Quantity{}
		}
		p.Status.Capacity[w.own()] = *resource.NewQuantity(int64(n), resource.DecimalSI)
	}
}

func (w *writer) setAvailability(n int) func(*v1alpha1.MachinePoolStatusPatch) {
	count := int32(w.id*1_000_000 + n)
	if n%7 == 0 {
		return func(p *v1alpha1.MachinePoolStatusPatch) {
			p.SetAvailability(nil, &metav1.Condition{Status: "Unknown", Reason: "Uncounted", Message: "nil"})
		}
	}
	return func(p *v1alpha1.MachinePoolStatusPatch) {
		p.SetAvailability(&count, &metav1.Condition{Status: "True", Reason: "Counted", Message: strconv.Itoa(int(count))})
	}
}

func (w *writer) flipReady(p *v1alpha1.MachinePoolStatusPatch) {
	if c := p.ReadyCondition(); c != nil && c.Status == metav1.ConditionTrue {
		p.SetReadyCondition(metav1.ConditionFalse, v1alpha1.MachinePoolReadyConditionReasonScaling, "")
		return
	}
	p.SetReadyCondition(metav1.ConditionTrue, v1alpha1.MachinePoolReadyConditionReasonAllReady, "")
}
