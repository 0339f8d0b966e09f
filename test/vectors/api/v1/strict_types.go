package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Strict has its status by pointer, with required fields.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +statuspatch
type Strict struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status *StrictStatus `json:"status,omitempty"`
}

// StrictStatus has required fields.
type StrictStatus struct {
	N     int32  `json:"n"`
	Phase string `json:"phase,omitempty"`
	Outer *Outer `json:"outer,omitempty"`
	Sub   *Sub   `json:"sub,omitempty"`
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Outer has required children.
type Outer struct {
	Name  string `json:"name"`
	Inner Inner  `json:"inner"`
	Note  string `json:"note,omitempty"`
}

// Inner has required children.
type Inner struct {
	Ready bool     `json:"ready"`
	Tags  []string `json:"tags"`
}

// Sub has a field that is required and may be null.
type Sub struct {
	// +required
	// +nullable
	Au []string `json:"au"`
}

// StrictList is a list of stricts.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type StrictList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Strict `json:"items"`
}
