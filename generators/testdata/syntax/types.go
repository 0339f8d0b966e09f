// Package syntax does not parse.
package syntax

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Foo is a root type.
// +kubebuilder:subresource:status
// +statuspatch:condition=Raedy
type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status FooStatus `json:"status,omitempty"`
}

// FooStatus is its status.
type FooStatus struct {
	Replicas int32 `json:"replicas,omitempty"`

func
