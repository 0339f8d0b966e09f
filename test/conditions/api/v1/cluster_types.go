package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Cluster has conditions in the form of Cluster API's v1beta1: a named slice of a
// struct with severity, behind a getter and a setter.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Cluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status ClusterStatus `json:"status,omitempty"`
}

// GetConditions returns the conditions.
func (c *Cluster) GetConditions() Conditions { return c.Status.Conditions }

// SetConditions replaces the conditions.
func (c *Cluster) SetConditions(conditions Conditions) { c.Status.Conditions = conditions }

// ClusterStatus is the status of a cluster.
//
// +statuspatch:condition=Ready
// +statuspatch:condition:type=InfrastructureReady,reasons=WaitingForMachines
type ClusterStatus struct {
	Phase string `json:"phase,omitempty"`
	// +listType=map
	// +listMapKey=type
	Conditions Conditions `json:"conditions,omitempty"`
}

// ConditionType is the type of a condition.
type ConditionType string

// ReadyCondition sums up the others.
const ReadyCondition ConditionType = "Ready"

// ConditionSeverity says how bad a condition that is False is.
type ConditionSeverity string

// The severities.
const (
	ConditionSeverityError   ConditionSeverity = "Error"
	ConditionSeverityWarning ConditionSeverity = "Warning"
	ConditionSeverityInfo    ConditionSeverity = "Info"
	ConditionSeverityNone    ConditionSeverity = ""
)

// Condition is an observation of a cluster.
type Condition struct {
	Type     ConditionType          `json:"type"`
	Status   corev1.ConditionStatus `json:"status"`
	Severity ConditionSeverity      `json:"severity,omitempty"`
	// LastTransitionTime is when the status flipped.
	LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
	Reason             string      `json:"reason,omitempty"`
	Message            string      `json:"message,omitempty"`
}

// Conditions are conditions.
type Conditions []Condition

// ClusterList is a list of clusters.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type ClusterList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Cluster `json:"items"`
}
