package controller

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

const (
	// PoolLabel is the label of a machine that names its pool.
	PoolLabel = "example.statuspatch.dev/pool"
	// ZoneLabel is the label of a machine that names the region it is in.
	ZoneLabel = "example.statuspatch.dev/zone"
	// ReadyAnnotation is the annotation of a machine that is "true" once it is ready.
	ReadyAnnotation = "example.statuspatch.dev/ready"
)

// isReady tells whether a machine is ready.
func isReady(machine *corev1.ConfigMap) bool {
	return machine.Annotations[ReadyAnnotation] == "true"
}

// scale makes or deletes machines until the pool has as many as its spec asks for,
// and returns those that it has then, by name.
func (r *MachinePoolReconciler) scale(ctx context.Context, pool *v1alpha1.MachinePool) ([]corev1.ConfigMap, error) {
	var list corev1.ConfigMapList
	if err := r.Client.List(ctx, &list, client.InNamespace(pool.Namespace), client.MatchingLabels{PoolLabel: pool.Name}); err != nil {
		return nil, fmt.Errorf("listing the machines of pool %s: %w", pool.Name, err)
	}
	have := map[string]*corev1.ConfigMap{}
	for i := range list.Items {
		have[list.Items[i].Name] = &list.Items[i]
	}

	var machines []corev1.ConfigMap
	for i := range pool.Spec.Replicas {
		name := fmt.Sprintf("%s-%d", pool.Name, i)
		machine := have[name]
		delete(have, name)
		if machine == nil {
			made, err := r.makeMachine(ctx, pool, name)
			if err != nil {
				return nil, err
			}
			machine = made
		}
		machines = append(machines, *machine)
	}
	for _, machine := range have {
		if err := r.Client.Delete(ctx, machine); client.IgnoreNotFound(err) != nil {
			return nil, fmt.Errorf("deleting machine %s: %w", machine.Name, err)
		}
	}
	slices.SortFunc(machines, func(a, b corev1.ConfigMap) int { return cmp.Compare(a.Name, b.Name) })
	return machines, nil
}

// makeMachine makes a machine of a pool.
func (r *MachinePoolReconciler) makeMachine(ctx context.Context, pool *v1alpha1.MachinePool, name string) (*corev1.ConfigMap, error) {
	machine := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: pool.Namespace, Name: name,
			Labels: map[string]string{PoolLabel: pool.Name},
		},
		Data: map[string]string{"image": pool.Spec.Image},
	}
	if err := controllerutil.SetControllerReference(pool, machine, r.Client.Scheme()); err != nil {
		return nil, fmt.Errorf("making machine %s: %w", name, err)
	}
	err := r.Client.Create(ctx, machine)
	if err != nil && !apierrors.IsAlreadyExists(err) { // the cache may not have shown it yet
		return nil, fmt.Errorf("making machine %s: %w", name, err)
	}
	return machine, nil
}
