package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// story is something that happens to the status of a pool.
type story struct {
	name string
	run  func(ctx context.Context, w *world, by way) (row, error)
}

// stories are the stories that the demo replays.
var stories = []story{
	{"stale cache", staleCacheStory},
	{fmt.Sprintf("%d writers, one pool", writers), contentionStory},
}

const (
	// behind is how long the cache of the first story shows the old pool.
	behind = 1500 * time.Millisecond
	// writers, in the second story, each count up this often.
	writers, updatesEach = 8, 25
)

// staleCacheStory: the cache shows 3 replicas, 3 of them ready, while the server knows
// already that 2 are ready. A machine more is seen, and 4/3 is to be written. The pair
// 4/2 was computed by nobody.
func staleCacheStory(ctx context.Context, w *world, by way) (row, error) {
	pool, err := w.newPool(ctx, 3, 3)
	if err != nil {
		return row{}, err
	}
	cache := &staleCache{Client: w.client, old: pool.DeepCopy(), until: time.Now().Add(behind)}
	if err := w.oneLessReady(ctx, pool.DeepCopy()); err != nil {
		return row{}, err
	}

	w.rec.Reset()
	err = by.write(ctx, cache, pool, func(int32, int32) (int32, int32) { return 4, 3 })
	r := row{wanted: "4/3", requests: w.requests()}
	if apierrors.IsConflict(err) {
		r.conflicts, err = 1, nil
	}
	if err != nil {
		return r, err
	}
	stored, err := w.stored(ctx, pool)
	if err != nil {
		return r, err
	}
	r.stored = pair(stored)
	if r.conflicts == 0 && r.stored != r.wanted {
		r.lost = 1
	}
	return r, nil
}

// oneLessReady is the write of another controller.
func (w *world) oneLessReady(ctx context.Context, pool *v1alpha1.MachinePool) error {
	pool.Status.ReadyReplicas--
	return w.client.Status().Update(ctx, pool)
}

// contentionStory: several writers count one pool up at once, as replicas of a badly
// sharded controller do. A write that was reported as done and is not in the sum is lost.
func contentionStory(ctx context.Context, w *world, by way) (row, error) {
	pool, err := w.newPool(ctx, 0, 0)
	if err != nil {
		return row{}, err
	}
	w.rec.Reset()
	results := make([]writerResult, writers)
	var all sync.WaitGroup
	for i := range results {
		own := pool.DeepCopy()
		all.Go(func() { results[i] = countUp(ctx, w, by, own) })
	}
	all.Wait()

	total := writers * updatesEach
	r := row{wanted: fmt.Sprintf("%d/%d", total, total), requests: w.requests()}
	var errs error
	landed := 0
	for _, result := range results {
		r.conflicts += result.conflicts
		landed += result.landed
		errs = errors.Join(errs, result.err)
	}
	if errs != nil {
		return r, errs
	}
	stored, err := w.stored(ctx, pool)
	if err != nil {
		return r, err
	}
	r.stored = pair(stored)
	r.lost = landed - int(stored.Status.Replicas)
	return r, nil
}

// writerResult is what a writer was told about its updates.
type writerResult struct {
	landed, conflicts int
	err               error
}

// countUp is one writer. A conflict that is returned to it is not tried again.
func countUp(ctx context.Context, w *world, by way, pool *v1alpha1.MachinePool) writerResult {
	var r writerResult
	for range updatesEach {
		err := by.write(ctx, w.client, pool, func(replicas, readyReplicas int32) (int32, int32) {
			return replicas + 1, readyReplicas + 1
		})
		switch {
		case err == nil:
			r.landed++
		case apierrors.IsConflict(err):
			r.conflicts++
		default:
			r.err = err
			return r
		}
	}
	return r
}

// pair is a pool's counters as people write them.
func pair(pool *v1alpha1.MachinePool) string {
	return fmt.Sprintf("%d/%d", pool.Status.Replicas, pool.Status.ReadyReplicas)
}
