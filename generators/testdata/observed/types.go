// Package observed has mistakes in observedGeneration and in what two root
// types share.
package observed

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Foo is a root type.
// +kubebuilder:subresource:status
// +statuspatch:observedGeneration=observedGneration
type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status SharedStatus `json:"status,omitempty"`
}

// Bar shares its status.
// +kubebuilder:subresource:status
// +statuspatch:observedGeneration=name
type Bar struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status SharedStatus `json:"status,omitempty"`
}

// SharedStatus is the status of both: its mistakes are reported once.
// +statuspatch:group=nmae,other
type SharedStatus struct {
	// +statuspatch:observedGeneration
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// +statuspatch:observedGeneration
	LastGeneration int64 `json:"lastGeneration,omitempty"`
	// +statuspatch:observedGeneration
	Name  string `json:"name,omitempty"`
	Other string `json:"other,omitempty"`
}
