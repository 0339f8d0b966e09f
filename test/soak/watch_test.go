package soak_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// observer sees every version that is stored, and checks each.
type observer struct {
	c         client.WithWatch
	namespace string

	mu       sync.Mutex
	last     map[string]*v1alpha1.MachinePool
	versions int
	broken   []string
}

// observe watches until ctx ends, over restarts of the server.
func (o *observer) observe(ctx context.Context, from string) {
	for ctx.Err() == nil {
		w, err := o.c.Watch(ctx, &v1alpha1.MachinePoolList{}, client.InNamespace(o.namespace),
			&client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: from}})
		if err != nil {
			select {
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond):
			}
			continue
		}
		from = o.follow(w, from)
		w.Stop()
	}
}

// follow takes in events until the watch ends, and tells where to go on.
func (o *observer) follow(w watch.Interface, from string) string {
	for event := range w.ResultChan() {
		pool, ok := event.Object.(*v1alpha1.MachinePool)
		if !ok {
			// Some versions may have gone by unseen: start anew from what is there.
			o.mu.Lock()
			o.last = map[string]*v1alpha1.MachinePool{}
			o.mu.Unlock()
			return ""
		}
		o.check(pool)
		from = pool.ResourceVersion
	}
	return from
}

func (o *observer) check(pool *v1alpha1.MachinePool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.versions++
	s := &pool.Status
	if (s.Replicas != 0 || s.ReadyReplicas != 0) && s.ReadyReplicas != s.Replicas+counterGap {
		o.breaks(pool, "mixed counters %d/%d", s.Replicas, s.ReadyReplicas)
	}
	if c := find(s.Conditions, "Available"); c != nil && c.Message != availabilityOf(s) {
		o.breaks(pool, "condition of %s beside availableReplicas %s", c.Message, availabilityOf(s))
	}
	if last := o.last[pool.Name]; last != nil {
		for _, c := range s.Conditions {
			was := find(last.Status.Conditions, c.Type)
			if was != nil && (was.Status == c.Status) != was.LastTransitionTime.Equal(&c.LastTransitionTime) && !sameSecond(was, &c) {
				o.breaks(pool, "condition %s went from %s at %s to %s at %s", c.Type, was.Status, was.LastTransitionTime, c.Status, c.LastTransitionTime)
			}
		}
	}
	o.last[pool.Name] = pool
}

// sameSecond allows for a flip within the second of the last one.
func sameSecond(was, is *metav1.Condition) bool {
	return was.Status != is.Status && was.LastTransitionTime.Equal(&is.LastTransitionTime)
}

func (o *observer) breaks(pool *v1alpha1.MachinePool, format string, args ...any) {
	o.broken = append(o.broken, fmt.Sprintf("%s at %s: ", pool.Name, pool.ResourceVersion)+fmt.Sprintf(format, args...))
}

// seen is how many versions were checked, and what was wrong in them.
func (o *observer) seen() (versions int, broken []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.versions, append([]string(nil), o.broken...)
}

func find(list []metav1.Condition, conditionType string) *metav1.Condition {
	for i := range list {
		if list[i].Type == conditionType {
			return &list[i]
		}
	}
	return nil
}

func availabilityOf(s *v1alpha1.MachinePoolStatus) string {
	if s.Rollout == nil || s.Rollout.AvailableReplicas == nil {
		return "nil"
	}
	return fmt.Sprint(*s.Rollout.AvailableReplicas)
}
