package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Probe has a condition struct of its own, with every field that one may have.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Probe struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Size makes generations.
	Size   int32        `json:"size,omitempty"`
	Status *ProbeStatus `json:"status,omitempty"`
}

// ProbeStatus is what was probed.
//
// +statuspatch:condition:type=Alive,reasons=Answered;Silent
// +statuspatch:condition:type=Checked,path=history
type ProbeStatus struct {
	// +listType=map
	// +listMapKey=kind
	Conditions ProbeConditions `json:"conditions,omitempty"`
	// History is a list that must be there, if it be empty.
	// +listType=map
	// +listMapKey=kind
	History ProbeConditions `json:"history"`
}

// ProbeConditions is a named type.
type ProbeConditions []ProbeCondition

// Severity says how bad it is.
type Severity string

// The severities.
const (
	SeverityInfo  Severity = "Info"
	SeverityError Severity = "Error"
)

// ProbeCondition is a condition with all that others have, and more, and a name of its
// own for its type.
type ProbeCondition struct {
	// +kubebuilder:validation:MaxLength=20
	Type     string                 `json:"kind"`
	Status   metav1.ConditionStatus `json:"status"`
	Severity Severity               `json:"severity,omitempty"`
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=30
	Reason string `json:"reason"`
	// +kubebuilder:validation:MaxLength=40
	Message            string      `json:"message,omitempty"`
	ObservedGeneration int64       `json:"observedGeneration,omitempty"`
	LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
	LastUpdateTime     metav1.Time `json:"lastUpdateTime,omitempty"`
	LastHeartbeatTime  metav1.Time `json:"lastHeartbeatTime,omitempty"`
	LastProbeTime      metav1.Time `json:"lastProbeTime,omitempty"`
	// Owner is a field that no condition helper knows.
	Owner string `json:"owner,omitempty"`
}

// ProbeList is a list of probes.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type ProbeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Probe `json:"items"`
}
