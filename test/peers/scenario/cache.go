package scenario

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"
	controlplanev1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
)

// cacheBehind is the writers' client with reads from a cache that shows one object as it
// was some time ago. Without lag it reads from the server.
func (w *World) cacheBehind(ctx context.Context, kcp *realtypes.KubeadmControlPlane, lag time.Duration) (client.Client, func(), error) {
	if lag == 0 {
		return w.writer, func() {}, nil
	}
	watcher, err := w.admin.Watch(ctx, &controlplanev1.KubeadmControlPlaneList{}, client.InNamespace(kcp.Namespace),
		client.MatchingFieldsSelector{Selector: fields.OneTermEqualSelector("metadata.name", kcp.Name)})
	if err != nil {
		return nil, nil, err
	}
	c := &laggingCache{Client: w.writer, lag: lag, seen: []sighting{{time.Now().Add(-lag), kcp.DeepCopy()}}}
	go c.follow(watcher)
	return c, watcher.Stop, nil
}

// laggingCache is a cache of one object.
type laggingCache struct {
	client.Client
	lag time.Duration

	mu   sync.Mutex
	seen []sighting
}

// sighting is the object as it came in at a time.
type sighting struct {
	at  time.Time
	kcp *realtypes.KubeadmControlPlane
}

func (c *laggingCache) follow(watcher watch.Interface) {
	for event := range watcher.ResultChan() {
		if kcp, ok := event.Object.(*realtypes.KubeadmControlPlane); ok {
			c.mu.Lock()
			c.seen = append(c.seen, sighting{time.Now(), kcp})
			c.mu.Unlock()
		}
	}
}

// Get gives the newest sighting that is as old as the lag.
func (c *laggingCache) Get(_ context.Context, key client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	into, ok := obj.(*realtypes.KubeadmControlPlane)
	if !ok {
		return fmt.Errorf("the cache holds control planes, not the %T that is asked for", obj)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	shown := c.seen[0]
	for _, s := range c.seen[1:] {
		if time.Since(s.at) >= c.lag {
			shown = s
		}
	}
	shown.kcp.DeepCopyInto(into)
	return nil
}
