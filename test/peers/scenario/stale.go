package scenario

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/test/peers/measure"
	"github.com/statuspatch/statuspatcher-gen/test/peers/writers"
	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
)

// halfWritten is the story of Cluster API's issue 11401. The writer holds 3/3, the
// server has 3/2 since, and 4/3 is to be written: 4/2 was computed by nobody. The cache
// that helpers read from is so far behind.
func halfWritten(lag time.Duration) func(context.Context, *World, writers.Writer) (Result, error) {
	return func(ctx context.Context, w *World, by writers.Writer) (Result, error) {
		var r Result
		kcp, err := w.create(ctx, kubeadmControlPlane())
		if err != nil {
			return r, err
		}
		c, stop, err := w.cacheBehind(ctx, kcp, lag)
		if err != nil {
			return r, err
		}
		defer stop()
		other := kcp.DeepCopy()
		other.Status.ReadyReplicas = new(int32(2))
		if err := w.admin.Status().Update(ctx, other); err != nil {
			return r, err
		}
		edit := writers.Edit{Counters: func(*writers.Status) writers.Counters {
			c := writers.AllAlike(3)
			c.Replicas = new(int32(4))
			return c
		}}
		w.meter.Take()
		r.Cost = measure.Of(func() { err = by.Write(ctx, c, kcp, edit, "bench") })
		r.Traffic = w.meter.Take()
		r.note(r.Wall, err)
		stored, err := w.stored(ctx, kcp)
		if err != nil {
			return r, err
		}
		landed := 0
		switch replicas, ready := *stored.Status.Replicas, *stored.Status.ReadyReplicas; {
		case replicas == 4 && ready == 3:
			landed = 1
		case replicas == 4:
			r.Mixed = 1
		}
		r.landed(landed)
		r.finish()
		return r, nil
	}
}

// behind lets one writer count up several times in a row, each time starting from what a
// cache shows that is so far behind.
func behind(lag time.Duration, updates int) func(context.Context, *World, writers.Writer) (Result, error) {
	return func(ctx context.Context, w *World, by writers.Writer) (Result, error) {
		var r Result
		kcp, err := w.create(ctx, kubeadmControlPlane())
		if err != nil {
			return r, err
		}
		before := *kcp.Status.Replicas
		c, stop, err := w.cacheBehind(ctx, kcp, lag)
		if err != nil {
			return r, err
		}
		defer stop()
		w.meter.Take()
		r.Cost = measure.Of(func() {
			for range updates {
				r.note(timed(func() error {
					if err := c.Get(ctx, client.ObjectKeyFromObject(kcp), kcp); err != nil {
						return err
					}
					return by.Write(ctx, c, kcp, countUp(), "bench")
				}))
			}
		})
		r.Traffic = w.meter.Take()
		stored, err := w.stored(ctx, kcp)
		if err != nil {
			return r, err
		}
		r.landed(int(*stored.Status.Replicas - before))
		r.finish()
		return r, nil
	}
}

// recreated deletes the object and creates it anew under its name, after the writer has
// read it. What was computed for the old one has no business on the new.
func recreated(ctx context.Context, w *World, by writers.Writer) (Result, error) {
	var r Result
	kcp, err := w.create(ctx, kubeadmControlPlane())
	if err != nil {
		return r, err
	}
	anew := kubeadmControlPlane()
	anew.Name, anew.GenerateName = kcp.Name, ""
	if err := w.admin.Delete(ctx, kcp.DeepCopy()); err != nil {
		return r, err
	}
	if _, err := w.create(ctx, anew); err != nil {
		return r, err
	}
	edit := writers.Edit{
		Counters: func(*writers.Status) writers.Counters { return writers.AllAlike(7) },
		Conditions: func(*writers.Status) []metav1.Condition {
			return []metav1.Condition{{Type: "ScalingUp", Status: "False", Reason: "Benchmark", Message: "old"}}
		},
	}
	w.meter.Take()
	r.Cost = measure.Of(func() { err = by.Write(ctx, w.writer, kcp, edit, "bench") })
	r.Traffic = w.meter.Take()
	r.note(r.Wall, err)
	stored, err := w.stored(ctx, &realtypes.KubeadmControlPlane{ObjectMeta: metav1.ObjectMeta{Namespace: anew.Namespace, Name: anew.Name}})
	if err != nil {
		return r, err
	}
	if *stored.Status.Replicas == 7 || hasMessage(&stored.Status, "ScalingUp", "old") {
		r.Misplaced = 1
	}
	r.finish()
	return r, nil
}
