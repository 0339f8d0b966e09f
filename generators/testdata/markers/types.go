// Package markers has mistakes in the markers themselves.
package markers

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Foo is a root type.
// +kubebuilder:subresource:status
// +statuspatch=yes
// +statuspatch:lock=objects
// +statuspatch:grup=replicas,readyReplicas
// +statuspatch:wholly-different
// +statuspach:condition=Ready
// +statuspatch:group:nmae=counters,fields=replicas;readyReplicas
// +statuspatch:group:name=counters
// +statuspatch:group:name=counters,fields=replicas;;readyReplicas
// +statuspatch:group:name=a,name=b,fields=replicas;readyReplicas
// +statuspatch:group:fields=replicas,readyReplicas
// +statuspatch:group=name=counters,fields=replicas;readyReplicas
// +statuspatch:group=
// +statuspatch:group
// +statuspatch:group=replicas,,readyReplicas
// +statuspatch:condition
// +statuspatch:condition:type=
// +statuspatch:condition:type=Ready,reason=AllReady
// +statuspatch:condition:reasons=AllReady
// +statuspatch:observedGeneration
// +statuspatch:lock:kind=object
// +statuspatch generates a patcher
type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status FooStatus `json:"status,omitempty"`
}

// FooStatus is its status.
type FooStatus struct {
	// +statuspatch:observedGeneration=generation
	Generation int64 `json:"generation,omitempty"`
	// +statuspatch:group=replicas,readyReplicas
	Replicas      int32 `json:"replicas,omitempty"`
	ReadyReplicas int32 `json:"readyReplicas,omitempty"` // +statuspatch:observedGeneration
	// The marker behind the field above does not leak onto this one.
	Name       string             `json:"name,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
