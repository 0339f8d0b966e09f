package controller

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// MachinePoolReconciler keeps as many machines as a pool asks for, and tells in its
// status how many there are.
type MachinePoolReconciler struct {
	// Client is the manager's, which reads from the cache.
	Client client.Client
	// APIReader asks the API server. After a conflict it spares the wait for the cache.
	APIReader client.Reader
	// Events tells people what has changed.
	Events events.EventRecorder
}

// SetupWithManager makes the manager run the reconciler.
func (r *MachinePoolReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&v1alpha1.MachinePool{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}

// Reconcile makes the machines and reports on them. Whether that went well or not, there
// is one write of the status, or none where it would say what it says already.
//
// +kubebuilder:rbac:groups=example.statuspatch.dev,resources=machinepools,verbs=get;list;watch
// +kubebuilder:rbac:groups=example.statuspatch.dev,resources=machinepools/status,verbs=patch
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch;create;delete
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch
func (r *MachinePoolReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	pool := &v1alpha1.MachinePool{}
	if err := r.Client.Get(ctx, request.NamespacedName, pool); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !pool.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil // the garbage collector deletes the machines
	}
	machines, err := r.scale(ctx, pool)
	if err != nil {
		return ctrl.Result{}, errors.Join(err, r.reportFailure(ctx, pool, err))
	}
	return ctrl.Result{}, r.report(ctx, pool, machines)
}

// report writes what was seen of the machines.
func (r *MachinePoolReconciler) report(ctx context.Context, pool *v1alpha1.MachinePool, machines []corev1.ConfigMap) error {
	// What does not depend on the status is computed outside the closure, which runs
	// again after a conflict.
	wanted, total, ready := pool.Spec.Replicas, int32(len(machines)), int32(0)
	var references []v1alpha1.MachineReference
	var zones []string
	for i := range machines {
		machine := &machines[i]
		if isReady(machine) {
			ready++
		}
		zone := machine.Labels[ZoneLabel]
		if zone != "" && !slices.Contains(zones, zone) {
			zones = append(zones, zone)
		}
		references = append(references, v1alpha1.MachineReference{Name: machine.Name, Zone: zone})
	}
	slices.Sort(zones)

	return r.patch(ctx, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
		p.SetReplicasAndReadyReplicas(total, ready)
		p.SetAvailability(&ready, availability(ready))
		p.Status.Machines, p.Status.Zones = references, zones
		p.RemoveCondition(conditionFailed)
		if total == wanted && ready == wanted {
			p.Status.Phase = "Running"
			p.SetReadyCondition(metav1.ConditionTrue, v1alpha1.MachinePoolReadyConditionReasonAllReady, "")
			return nil
		}
		p.Status.Phase = "Scaling"
		p.SetReadyCondition(metav1.ConditionFalse, v1alpha1.MachinePoolReadyConditionReasonScaling, fmt.Sprintf("%d of %d machines are ready", ready, wanted))
		return nil
	})
}

// availability is the verdict on the number that it is written together with.
func availability(ready int32) *metav1.Condition {
	if ready == 0 {
		return &metav1.Condition{Status: metav1.ConditionFalse, Reason: "NoMachineReady"}
	}
	return &metav1.Condition{Status: metav1.ConditionTrue, Reason: "MachinesReady"}
}

// conditionFailed is a condition that the type has no marker for.
const conditionFailed = "Failed"

// reportFailure writes that the machines could not be made. The counters stay as they
// are, and so does observedGeneration, since this generation was not carried out.
func (r *MachinePoolReconciler) reportFailure(ctx context.Context, pool *v1alpha1.MachinePool, failure error) error {
	return r.patch(ctx, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
		p.Status.Phase = "Failed"
		p.SetCondition(metav1.Condition{Type: conditionFailed, Status: metav1.ConditionTrue, Reason: "MachineError", Message: failure.Error()})
		return nil
	}, v1alpha1.WithStatusPatchObservedGeneration(false))
}

// patch writes the status and makes an event of each condition that changed. It does so
// after the write has landed, from the result: in the closure, which runs again after a
// conflict, it would tell of things twice, or of things that were never stored.
func (r *MachinePoolReconciler) patch(ctx context.Context, pool *v1alpha1.MachinePool, mutate func(*v1alpha1.MachinePoolStatusPatch) error, opts ...client.SubResourcePatchOption) error {
	var result v1alpha1.StatusPatchResult
	opts = append(opts, v1alpha1.WithStatusPatchReader(r.APIReader), v1alpha1.WithStatusPatchResult(&result))
	if err := v1alpha1.PatchMachinePoolStatus(ctx, r.Client, pool, mutate, opts...); err != nil {
		return err
	}
	for _, conditionType := range result.Transitioned {
		condition := describeCondition(pool.Status.Conditions, conditionType)
		r.Events.Eventf(pool, nil, corev1.EventTypeNormal, conditionType, "Reconcile", "%s", condition)
	}
	return nil
}

// describeCondition says in a line what a condition is now.
func describeCondition(conditions []metav1.Condition, conditionType string) string {
	for _, c := range conditions {
		if c.Type == conditionType {
			return fmt.Sprintf("%s is %s (%s) %s", c.Type, c.Status, c.Reason, c.Message)
		}
	}
	return conditionType + " is gone"
}
