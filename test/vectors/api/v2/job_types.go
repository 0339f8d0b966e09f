package v2

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Job is served beside the one of version v1.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +statuspatch
type Job struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status JobStatus `json:"status,omitempty"`
}

// JobStatus is what was seen.
type JobStatus struct {
	Phase string `json:"phase,omitempty"`
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
