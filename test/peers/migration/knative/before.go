// Package knative shows the move away from a set of conditions of which one sums up the
// others, as Knative's apis.ConditionSet is.
package knative

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// ConditionSet is a condition that is true if all others of the set are.
type ConditionSet struct {
	Happy      string
	Dependents []string
}

// Manager marks the conditions of an object.
type Manager struct {
	set  ConditionSet
	pool *v1alpha1.MachinePool
}

// Manage is the manager of an object's conditions.
func (s ConditionSet) Manage(pool *v1alpha1.MachinePool) Manager { return Manager{s, pool} }

// MarkTrue marks a dependent condition, and the happy one if it was the last.
func (m Manager) MarkTrue(conditionType string) {
	m.mark(conditionType, metav1.ConditionTrue, "Ready", "")
	for _, d := range m.set.Dependents {
		if !meta.IsStatusConditionTrue(m.pool.Status.Conditions, d) {
			return
		}
	}
	m.mark(m.set.Happy, metav1.ConditionTrue, "AllReady", "")
}

// MarkFalse marks a dependent condition and the happy one.
func (m Manager) MarkFalse(conditionType, reason, message string) {
	m.mark(conditionType, metav1.ConditionFalse, reason, message)
	m.mark(m.set.Happy, metav1.ConditionFalse, reason, message)
}

func (m Manager) mark(conditionType string, status metav1.ConditionStatus, reason, message string) {
	meta.SetStatusCondition(&m.pool.Status.Conditions, metav1.Condition{
		Type: conditionType, Status: status, Reason: reason, Message: message, ObservedGeneration: m.pool.Generation,
	})
}

// poolConditions are those of a pool.
var poolConditions = ConditionSet{Happy: "Ready", Dependents: []string{"NetworkReady", "DisksReady"}}

// Before marks the conditions of the object and sends it whole.
func Before(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool) error {
	pool.Status.ObservedGeneration = pool.Generation
	manager := poolConditions.Manage(pool)
	manager.MarkTrue("NetworkReady")
	manager.MarkFalse("DisksReady", "Scaling", "two disks are missing")
	return c.Status().Update(ctx, pool)
}
