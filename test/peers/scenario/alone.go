package scenario

//lint:file-ignore SA1019 the fields for readers of v1beta1 are deprecated and written all the same

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statuspatch/statuspatcher-gen/test/peers/measure"
	"github.com/statuspatch/statuspatcher-gen/test/peers/writers"
	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
)

// task is a series of edits, and what tells whether the last of them is stored.
type task struct {
	edit   func(i int) writers.Edit
	stored func(s *writers.Status, i int) bool
}

// alone lets one writer make a series of updates, each from the object as it is stored.
// That read stands for an up-to-date cache and is not measured.
func alone(object func() *realtypes.KubeadmControlPlane, updates int, task task) func(context.Context, *World, writers.Writer) (Result, error) {
	return func(ctx context.Context, w *World, by writers.Writer) (Result, error) {
		var r Result
		kcp, err := w.create(ctx, object())
		if err != nil {
			return r, err
		}
		w.meter.Take()
		for i := range updates {
			if kcp, err = w.stored(ctx, kcp); err != nil {
				return r, err
			}
			edit := task.edit(i)
			cost := measure.Of(func() { err = by.Write(ctx, w.writer, kcp, edit, "bench") })
			r.note(cost.Wall, err)
			r.Cost = r.Cost.Add(cost)
			if kcp, err = w.stored(ctx, kcp); err != nil {
				return r, err
			}
			if task.stored(&kcp.Status, i) {
				r.Landed++
			}
		}
		r.Traffic = w.meter.Take()
		r.landed(r.Landed)
		r.finish()
		return r, nil
	}
}

// oneField changes a plain field.
var oneField = task{
	edit: func(i int) writers.Edit { return retryCount(func(*writers.Status) int32 { return int32(i + 1) }) },
	stored: func(s *writers.Status, i int) bool {
		return s.LastRemediation.RetryCount != nil && *s.LastRemediation.RetryCount == int32(i+1)
	},
}

// retryCount sets a plain field.
func retryCount(count func(*writers.Status) int32) writers.Edit {
	return writers.Edit{
		Plain:       func(s *writers.Status) { s.LastRemediation.RetryCount = new(count(s)) },
		PlainFields: []string{"lastRemediation"},
	}
}

// oneCondition flips a condition.
var oneCondition = task{
	edit: func(i int) writers.Edit { return setConditions(i, "ScalingUp") },
	stored: func(s *writers.Status, i int) bool {
		return hasMessage(s, "ScalingUp", message(i))
	},
}

// tenFields changes the seven counters, three other fields and three conditions.
var tenFields = task{
	edit: func(i int) writers.Edit {
		edit := setConditions(i, "Available", "MachinesReady", "ScalingUp")
		edit.Counters = func(*writers.Status) writers.Counters {
			c := writers.AllAlike(int32(i + 4))
			c.DeprecatedV1Beta1UnavailableReplicas = int32(i + 1)
			return c
		}
		edit.Plain = func(s *writers.Status) {
			s.LastRemediation.RetryCount = new(int32(i + 1))
			s.Version = fmt.Sprintf("v1.36.%d", i+4)
			s.Selector = fmt.Sprintf("cluster.x-k8s.io/cluster-name=production-%d", i)
		}
		edit.PlainFields = []string{"lastRemediation", "version", "selector"}
		return edit
	},
	stored: func(s *writers.Status, i int) bool {
		return *s.Replicas == int32(i+4) && *s.LastRemediation.RetryCount == int32(i+1) &&
			hasMessage(s, "Available", message(i)) && hasMessage(s, "ScalingUp", message(i))
	},
}

// noOp sets counters and a condition to what they are.
var noOp = task{
	edit: func(int) writers.Edit {
		return writers.Edit{
			Counters: func(*writers.Status) writers.Counters { return writers.AllAlike(3) },
			Conditions: func(s *writers.Status) []metav1.Condition {
				return []metav1.Condition{{Type: "ScalingUp", Status: "True", Reason: "ScalingUp", Message: conditionMessage(s, "ScalingUp")}}
			},
		}
	},
	stored: func(s *writers.Status, _ int) bool { return *s.Replicas == 3 },
}

// setConditions flips conditions with each update.
func setConditions(i int, types ...string) writers.Edit {
	status := metav1.ConditionTrue
	if i%2 == 0 {
		status = metav1.ConditionFalse
	}
	return writers.Edit{Conditions: func(*writers.Status) []metav1.Condition {
		var all []metav1.Condition
		for _, t := range types {
			all = append(all, metav1.Condition{Type: t, Status: status, Reason: "Benchmark", Message: message(i)})
		}
		return all
	}}
}

func message(i int) string { return fmt.Sprintf("update %d", i) }

func conditionMessage(s *writers.Status, conditionType string) string {
	for _, c := range s.Conditions {
		if c.Type == conditionType {
			return c.Message
		}
	}
	return ""
}

func hasMessage(s *writers.Status, conditionType, message string) bool {
	return conditionMessage(s, conditionType) == message
}

// timed is how long f took.
func timed(f func() error) (time.Duration, error) {
	start := time.Now()
	err := f()
	return time.Since(start), err
}
