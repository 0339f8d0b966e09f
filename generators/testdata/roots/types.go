// Package roots has markers on what is no root type.
//
// +statuspatch
package roots

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// NoStatus has no status.
// +statuspatch
type NoStatus struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// NoMetadata has no metadata.
// +statuspatch
type NoMetadata struct {
	metav1.TypeMeta `json:",inline"`

	Status Status `json:"status,omitempty"`
}

// NoTypeMeta has metadata only.
// +kubebuilder:subresource:status
// +statuspatch
type NoTypeMeta struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status Status `json:"status,omitempty"`
}

// NoSubresource has no status subresource.
// +statuspatch
type NoSubresource struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status Status `json:"status,omitempty"`
}

// NoStatusClient has a client without status.
// +genclient
// +genclient:noStatus
// +statuspatch
type NoStatusClient struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status Status `json:"status,omitempty"`
}

// Fine has a client with status.
// +genclient
// +statuspatch
type Fine struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status Status `json:"status,omitempty"`
}

// OptedOut is not generated for, whatever it lacks.
// +statuspatch=false
// +statuspatch:condition=Ready
type OptedOut struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status Status `json:"status,omitempty"`
}

// Status is a status.
type Status struct {
	Replicas int32 `json:"replicas,omitempty"`
}

// hidden is not exported.
// +kubebuilder:subresource:status
// +statuspatch
type hidden struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status Status `json:"status,omitempty"`
}

// Word has a status that is a string.
// +kubebuilder:subresource:status
// +statuspatch
type Word struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status string `json:"status,omitempty"`
}

// Inline has a status without a name.
// +kubebuilder:subresource:status
// +statuspatch
type Inline struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status struct{} `json:"status,omitempty"`
}

// Spec is no status.
// +statuspatch:condition=Ready
type Spec struct {
	// +statuspatch:observedGeneration
	Replicas int64 `json:"replicas,omitempty"`
}

// Node is somebody else's, and lacks the alias's own marker.
// +statuspatch
type Node = corev1.Node

// Quantity is no root type.
// +kubebuilder:subresource:status
// +statuspatch
type Quantity = corev1.ResourceName

// Toleration is a struct, and no root type.
// +kubebuilder:subresource:status
// +statuspatch
type Toleration = corev1.Toleration

// Names is a list.
// +statuspatch=package
type Names []string

// +statuspatch:condition=Ready
func use(hidden) {}
