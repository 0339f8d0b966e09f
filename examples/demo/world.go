package main

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

// world is the API server with a client whose requests are counted.
type world struct {
	client client.Client
	rec    *testenv.Recorder
}

func newWorld(ctx context.Context, env *testenv.Env) (*world, error) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	w := &world{rec: &testenv.Recorder{}}
	var err error
	if w.client, err = client.New(env.NewConfig(w.rec), client.Options{Scheme: scheme}); err != nil {
		return nil, err
	}
	// The first request asks the server for its API, which is no matter of the stories.
	return w, w.client.List(ctx, &v1alpha1.MachinePoolList{})
}

// newPool makes a pool with these counters.
func (w *world) newPool(ctx context.Context, replicas, readyReplicas int32) (*v1alpha1.MachinePool, error) {
	pool := &v1alpha1.MachinePool{ObjectMeta: metav1.ObjectMeta{Namespace: "default", GenerateName: "pool-"}}
	if err := w.client.Create(ctx, pool); err != nil {
		return nil, err
	}
	pool.Status.Replicas, pool.Status.ReadyReplicas = replicas, readyReplicas
	return pool, w.client.Status().Update(ctx, pool)
}

// stored is what the server has of a pool.
func (w *world) stored(ctx context.Context, pool *v1alpha1.MachinePool) (*v1alpha1.MachinePool, error) {
	stored := &v1alpha1.MachinePool{}
	return stored, w.client.Get(ctx, client.ObjectKeyFromObject(pool), stored)
}

// requests is how many requests were sent since the last rec.Reset.
func (w *world) requests() int { return w.rec.Count("", "") }

// staleCache is a client whose reads show an old pool until the cache has caught up.
type staleCache struct {
	client.Client
	old   *v1alpha1.MachinePool
	until time.Time
}

// Get reads from the cache while that is behind, and then what the server has.
func (c *staleCache) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	if time.Now().After(c.until) {
		return c.Client.Get(ctx, key, obj, opts...)
	}
	pool, ok := obj.(*v1alpha1.MachinePool)
	if !ok {
		return fmt.Errorf("the cache holds machine pools, not %T", obj)
	}
	c.old.DeepCopyInto(pool)
	return nil
}
