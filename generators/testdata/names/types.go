// Package names has names that are taken.
package names

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// PatchFooStatus is what a patcher is called.
func PatchFooStatus() {}

// FooCounters is what the group's struct is called.
type FooCounters struct{}

// StatusPatchClient is in the support code.
type StatusPatchClient interface{}

// The constant of a reason, and the type of another condition's reasons.
const (
	FooReadyConditionReasonAllReady = ""
	FooLiveConditionReason          = ""
)

// Foo is a root type.
// +kubebuilder:subresource:status
// +statuspatch:group:name=counters,fields=a;b;c;d
// +statuspatch:group:name=ReadyCondition,fields=e;f
// +statuspatch:group:name=Condition,fields=g;h
// +statuspatch:condition:type=Ready,reasons=AllReady
// +statuspatch:condition:type=Live,reasons=Up
// +statuspatch:condition:type=example.com/Ready,name=Ready
// +statuspatch:condition=Set
type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status FooStatus `json:"status,omitempty"`
}

// FooStatus is its status.
type FooStatus struct {
	A          int32              `json:"a,omitempty"`
	B          int32              `json:"b,omitempty"`
	C          int32              `json:"c,omitempty"`
	D          int32              `json:"d,omitempty"`
	E          int32              `json:"e,omitempty"`
	F          int32              `json:"f,omitempty"`
	G          int32              `json:"g,omitempty"`
	H          int32              `json:"h,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
