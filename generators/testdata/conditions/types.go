// Package conditions has mistakes in conditions.
package conditions

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Foo is a root type.
// +kubebuilder:subresource:status
// +statuspatch:condition=not a type
// +statuspatch:condition=example.com/Synced
// +statuspatch:condition:type=example.com/Seen,name=two-words
// +statuspatch:condition:type=Ready,reasons=AllReady;all-ready;Done_
// +statuspatch:condition:type=Ready
// +statuspatch:condition:type=Live,reasons=Up;Up
// +statuspatch:condition:type=Old,path=v1beta1.condition
// +statuspatch:condition:type=Older,path=replicas
// +statuspatch:condition:type=Oldest,path=names
type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status FooStatus `json:"status,omitempty"`
}

// FooStatus is its status.
type FooStatus struct {
	Replicas   int32              `json:"replicas,omitempty"`
	Names      []string           `json:"names,omitempty"`
	V1Beta1    *V1Beta1           `json:"v1beta1,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// V1Beta1 is of a version.
type V1Beta1 struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Bar has its conditions elsewhere.
// +kubebuilder:subresource:status
// +statuspatch:condition=Ready
type Bar struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status BarStatus `json:"status,omitempty"`
}

// BarStatus is its status.
type BarStatus struct {
	V1Beta1 *V1Beta1 `json:"v1beta1,omitempty"`
}

// Baz has none.
// +kubebuilder:subresource:status
// +statuspatch:condition=Ready
type Baz struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status BazStatus `json:"status,omitempty"`
}

// BazStatus is its status.
type BazStatus struct {
	Name string `json:"name,omitempty"`
}

// Qux has conditions that are none.
// +kubebuilder:subresource:status
// +statuspatch:condition=Ready
type Qux struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status QuxStatus `json:"status,omitempty"`
}

// QuxStatus is its status.
type QuxStatus struct {
	Conditions []string `json:"conditions,omitempty"`
}
