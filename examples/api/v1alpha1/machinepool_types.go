package v1alpha1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MachinePool is a set of machines that are made from one template.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Replicas",type=integer,JSONPath=`.status.replicas`
// +statuspatch
type MachinePool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   MachinePoolSpec   `json:"spec,omitempty"`
	Status MachinePoolStatus `json:"status,omitempty"`
}

// MachinePoolSpec is what the owner of a pool asks for.
type MachinePoolSpec struct {
	// Replicas is the number of machines wanted.
	Replicas int32 `json:"replicas,omitempty"`
	// Image is the image that each machine boots.
	Image string `json:"image,omitempty"`
}

// MachinePoolStatus is what the controllers of a pool have seen.
//
// The counters of one look at the machines belong together, and so does the
// verdict on availability with the number it was made from.
//
// +statuspatch:group=replicas,readyReplicas
// +statuspatch:group:name=availability,fields=rollout.availableReplicas;conditions[Available]
// +statuspatch:condition:type=Ready,reasons=AllReady;Scaling
// +statuspatch:condition=Paused
type MachinePoolStatus struct {
	// ObservedGeneration is the generation of the spec that this status was computed for.
	// +statuspatch:observedGeneration
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// Replicas is the number of machines that exist.
	Replicas int32 `json:"replicas,omitempty"`
	// ReadyReplicas is the number of machines that are ready.
	ReadyReplicas int32 `json:"readyReplicas,omitempty"`
	// UpdatedReplicas is the number of machines of the newest image; nil while it is unknown.
	UpdatedReplicas *int32 `json:"updatedReplicas,omitempty"`
	// Phase says in a word what the pool is doing.
	Phase string `json:"phase,omitempty"`
	// Rollout is how far a change of the image has come; nil where none is under way.
	Rollout *MachinePoolRollout `json:"rollout,omitempty"`
	// Capacity is what the machines of the pool offer together.
	Capacity map[string]resource.Quantity `json:"capacity,omitempty"`
	// Zones are the failure domains in use.
	// +listType=set
	Zones []string `json:"zones,omitempty"`
	// Machines are the machines of the pool.
	// +listType=map
	// +listMapKey=name
	Machines []MachineReference `json:"machines,omitempty"`
	// Conditions are Ready, Available, Paused, and those of other controllers.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// MachinePoolRollout is the progress of a change of the image.
type MachinePoolRollout struct {
	// Image is the image that is being rolled out.
	Image string `json:"image,omitempty"`
	// AvailableReplicas is the number of machines that serve.
	AvailableReplicas *int32 `json:"availableReplicas,omitempty"`
	// StartedAt is when the rollout began.
	StartedAt *metav1.Time `json:"startedAt,omitempty"`
}

// MachineReference names a machine of the pool.
type MachineReference struct {
	// Name is the name of the machine.
	Name string `json:"name"`
	// Zone is the failure domain it is in.
	Zone string `json:"zone,omitempty"`
}

// MachinePoolList is a list of pools.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type MachinePoolList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []MachinePool `json:"items"`
}
