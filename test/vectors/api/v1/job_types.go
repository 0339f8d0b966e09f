package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Job has a status like most: all optional, a group of counters and conditions.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +statuspatch
type Job struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   JobSpec   `json:"spec,omitempty"`
	Status JobStatus `json:"status,omitempty"`
}

// JobSpec is what is asked for.
type JobSpec struct {
	Size int32 `json:"size,omitempty"`
}

// JobStatus is what was seen.
//
// +statuspatch:group:name=counters,fields=replicas;readyReplicas
// +statuspatch:condition=Ready
type JobStatus struct {
	// +statuspatch:observedGeneration
	ObservedGeneration int64  `json:"observedGeneration,omitempty"`
	Replicas           int32  `json:"replicas,omitempty"`
	ReadyReplicas      int32  `json:"readyReplicas,omitempty"`
	Phase              string `json:"phase,omitempty"`
	Count              *int32 `json:"count,omitempty"`

	Artifact *Artifact `json:"artifact,omitempty"`
	// +listType=map
	// +listMapKey=name
	Entries []Entry  `json:"entries,omitempty"`
	Names   []string `json:"names,omitempty"`
	// Written is written as [] where it is empty.
	// +optional
	Written []string    `json:"written"`
	At      metav1.Time `json:"at,omitempty"`

	CPU      *resource.Quantity           `json:"cpu,omitempty"`
	Capacity map[string]resource.Quantity `json:"capacity,omitempty"`

	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Artifact is what was made.
type Artifact struct {
	Revision string `json:"revision"`
	Size     int64  `json:"size,omitempty"`
}

// Entry is one of many writers'.
type Entry struct {
	Name  string `json:"name"`
	Value int32  `json:"value,omitempty"`
}

// JobList is a list of jobs.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type JobList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Job `json:"items"`
}
