// Package typeerrors does not compile.
package typeerrors

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/missing"
	unused "example.com/missing/too"
)

// Foo is a root type.
// +kubebuilder:subresource:status
// +statuspatch:group=replicas,readyReplicas
type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   NoSuchSpec `json:"spec,omitempty"`
	Status FooStatus  `json:"status,omitempty"`
}

// FooStatus is its status.
type FooStatus struct {
	Replicas      NoSuchType           `json:"replicas,omitempty"`
	ReadyReplicas metav1.NoSuchType    `json:"readyReplicas,omitempty"`
	Times         []Times              `json:"times,omitempty"`
	Elsewhere     missing.Type         `json:"elsewhere,omitempty"`
	Pair          Pair[string, string] `json:"pair,omitempty"`
	Fine          string               `json:"fine,omitempty"`
}

// Times is used by the status.
type Times struct {
	First [size]tiem `json:"first,omitempty"`
}

// Pair wants a number.
type Pair[K comparable, V number] struct {
	Key   K `json:"key"`
	Value V `json:"value"`
}

type number interface{ ~int32 | ~int64 }

const size = 2

// Unused is used by nothing that matters.
type Unused struct {
	Broken unused.Type
	Wrong  AlsoNoSuchType
}

func wrong() string { return 1 + undefined }
