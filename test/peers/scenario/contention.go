package scenario

//lint:file-ignore SA1019 the fields for readers of v1beta1 are deprecated and written all the same

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/test/peers/measure"
	"github.com/statuspatch/statuspatcher-gen/test/peers/writers"
	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
	"github.com/statuspatch/statuspatcher-gen/test/realtypes/sample"
)

// counter lets several writers count the same counters up. Errors are not tried again
// by the caller, only by the writer itself.
func counter(n, each int) func(context.Context, *World, writers.Writer) (Result, error) {
	return func(ctx context.Context, w *World, by writers.Writer) (Result, error) {
		object := kubeadmControlPlane()
		zero := writers.AllAlike(0)
		object.Status.Replicas, object.Status.ReadyReplicas = zero.Replicas, zero.ReadyReplicas
		object.Status.AvailableReplicas, object.Status.UpToDateReplicas = zero.AvailableReplicas, zero.UpToDateReplicas
		object.Status.Deprecated.V1Beta1.ReadyReplicas, object.Status.Deprecated.V1Beta1.UpdatedReplicas = 0, 0
		kcp, err := w.create(ctx, object)
		if err != nil {
			return Result{}, err
		}
		edits := make([]writers.Edit, n)
		for i := range edits {
			edits[i] = countUp()
		}
		r := w.race(ctx, by, kcp, edits, each)
		stored, err := w.stored(ctx, kcp)
		if err != nil {
			return r, err
		}
		r.landed(int(*stored.Status.Replicas))
		if *stored.Status.Replicas != *stored.Status.ReadyReplicas {
			r.Mixed = 1
		}
		return r, nil
	}
}

// countUp adds one to all counters.
func countUp() writers.Edit {
	return writers.Edit{Counters: func(s *writers.Status) writers.Counters { return writers.AllAlike(*s.Replicas + 1) }}
}

// conditions lets several writers each write a condition of its own, which counts in
// its message. All of them are there before.
func conditions(n, each int) func(context.Context, *World, writers.Writer) (Result, error) {
	return func(ctx context.Context, w *World, by writers.Writer) (Result, error) {
		object := kubeadmControlPlane()
		edits := make([]writers.Edit, n)
		for i := range edits {
			conditionType := fmt.Sprintf("Writer%02d", i)
			object.Status.Conditions = append(object.Status.Conditions, metav1.Condition{
				Type: conditionType, Status: "True", Reason: "Benchmark", Message: "0",
				ObservedGeneration: 1, LastTransitionTime: sample.Since,
			})
			edits[i] = countInCondition(conditionType)
		}
		kcp, err := w.create(ctx, object)
		if err != nil {
			return Result{}, err
		}
		r := w.race(ctx, by, kcp, edits, each)
		stored, err := w.stored(ctx, kcp)
		if err != nil {
			return r, err
		}
		landed := 0
		for i := range edits {
			landed += countOf(&stored.Status, fmt.Sprintf("Writer%02d", i))
		}
		r.landed(landed)
		return r, nil
	}
}

// countInCondition adds one to the number that is the condition's message.
func countInCondition(conditionType string) writers.Edit {
	return writers.Edit{Conditions: func(s *writers.Status) []metav1.Condition {
		return []metav1.Condition{{
			Type: conditionType, Status: "True", Reason: "Benchmark", Message: strconv.Itoa(countOf(s, conditionType) + 1),
		}}
	}}
}

// countOf is the number that is a condition's message, 0 if it was lost.
func countOf(s *writers.Status, conditionType string) int {
	c := meta.FindStatusCondition(s.Conditions, conditionType)
	if c == nil {
		return 0
	}
	n, err := strconv.Atoi(c.Message)
	if err != nil {
		return 0
	}
	return n
}

// disjoint lets two controllers write different fields.
func disjoint(each int) func(context.Context, *World, writers.Writer) (Result, error) {
	return func(ctx context.Context, w *World, by writers.Writer) (Result, error) {
		kcp, err := w.create(ctx, kubeadmControlPlane())
		if err != nil {
			return Result{}, err
		}
		before := *kcp.Status.Replicas
		edits := []writers.Edit{countUp(), retryCount(func(s *writers.Status) int32 { return *s.LastRemediation.RetryCount + 1 })}
		r := w.race(ctx, by, kcp, edits, each)
		stored, err := w.stored(ctx, kcp)
		if err != nil {
			return r, err
		}
		r.landed(int(*stored.Status.Replicas-before) + int(*stored.Status.LastRemediation.RetryCount))
		return r, nil
	}
}

// race lets a writer for each edit update the object at once, each so often.
func (w *World) race(ctx context.Context, by writers.Writer, kcp *realtypes.KubeadmControlPlane, edits []writers.Edit, each int) Result {
	var r Result
	results := make([]Result, len(edits))
	w.meter.Take()
	r.Cost = measure.Of(func() {
		var all sync.WaitGroup
		for i, edit := range edits {
			own := kcp.DeepCopy()
			all.Go(func() { results[i] = w.runner(ctx, by, own, edit, each, fmt.Sprintf("writer-%d", i)) })
		}
		all.Wait()
	})
	r.Traffic = w.meter.Take()
	for _, one := range results {
		r.add(one)
	}
	r.finish()
	return r
}

// runner is one of the writers of a race.
func (w *World) runner(ctx context.Context, by writers.Writer, kcp *realtypes.KubeadmControlPlane, edit writers.Edit, each int, owner string) Result {
	var r Result
	for range each {
		took, err := timed(func() error {
			if !by.KeepsUp {
				if err := w.writer.Get(ctx, client.ObjectKeyFromObject(kcp), kcp); err != nil {
					return err
				}
			}
			return by.Write(ctx, w.writer, kcp, edit, owner)
		})
		r.note(took, err)
	}
	return r
}
