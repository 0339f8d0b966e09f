// Package rich has a bit of everything that a patcher can handle.
//
// +groupName=rich.example.com
package rich

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// +kubebuilder:resource:path=foozes,scope=Cluster,shortName=fz
// +kubebuilder:subresource:status

// Foo is a root type, with markers in the comment before this one.
// +statuspatch:lock=none
// +statuspatch:condition:type=Ready,reasons=AllReady;Scaling_up
// +statuspatch:condition:type=example.com/Synced,name=synced,path=v1beta2.conditions
// +statuspatch:group:name=counters,fields=replicas;ready.ready;ready.total;phase;observed
// +statuspatch:group=type,conditions[Live]
type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status *FooStatus `json:"status,omitempty"`
}

// FooStatus is its status.
// +statuspatch:lock=fields
type FooStatus struct {
	Shared `json:",inline"`
	// +statuspatch:observedGeneration
	Observed int64 `json:"observed,omitempty"`
	// +kubebuilder:default:=3
	Replicas int32 `json:"replicas"`
	// +optional
	// +kubebuilder:default={a: 1, b: "x"}
	Ready *Counters `json:"ready"`
	// +default="Pending"
	Phase Phase `json:"phase,omitempty"`
	// +required
	// +nullable
	Type     *string                       `json:"type,omitempty"`
	Quoted   *int64                        `json:"quoted,string,omitempty"`
	Bytes    []byte                        `json:"bytes,omitempty"`
	Time     metav1.Time                   `json:"time,omitempty,omitzero"`
	Micro    *metav1.MicroTime             `json:"micro,omitempty"`
	Amount   resource.Quantity             `json:"amount,omitempty"`
	Port     intstr.IntOrString            `json:"port,omitempty"`
	Timeout  *metav1.Duration              `json:"timeout,omitempty"`
	Raw      runtime.RawExtension          `json:"raw,omitempty"`
	JSON     *apiextensionsv1.JSON         `json:"json,omitempty"`
	Fields   metav1.FieldsV1               `json:"fields,omitempty"`
	Array    [3]int32                      `json:"array,omitempty"`
	Lists    [2][]string                   `json:"lists,omitempty"`
	Capacity corev1.ResourceList           `json:"capacity,omitempty"`
	ByPhase  map[Phase]map[string]Counters `json:"byPhase,omitempty"`
	// +listType=set
	Names []string `json:"names,omitempty"`
	// +listType=map
	// +listMapKey=name
	// +listMapKey=zone
	Nodes   Nodes                                 `json:"nodes,omitempty"`
	Pair    Pair[string, *Pair[bool, []Counters]] `json:"pair,omitempty"`
	Tree    *Tree                                 `json:"tree,omitempty"`
	Inner   struct{ A, B string }                 `json:"inner,omitempty"`
	V1Beta2 *Versioned                            `json:"v1beta2,omitempty"`
	Skipped any                                   `json:"-"`
	unseen  any
	Untagged,
	Second string
	// +kubebuilder:validation:MaxLength=10
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Shared is embedded; its phase loses to the outer one.
type Shared struct {
	Zone  string `json:"zone"`
	Phase string `json:"phase"`
}

// Phase is a word.
type Phase string

// Counters are counters.
type Counters struct {
	Ready int32 `json:"ready,omitempty"`
	Total int32 `json:"total,omitempty"`
}

// Nodes has a list type of its own, which the field overrides.
// +listType=atomic
type Nodes []corev1.NodeAddress

// Pair is generic.
type Pair[K comparable, V any] struct {
	Key   K `json:"key"`
	Value V `json:"value"`
}

// Tree holds itself in all ways.
type Tree struct {
	Name     string           `json:"name"`
	Children []Tree           `json:"children,omitempty"`
	Left     *Tree            `json:"left,omitempty"`
	ByName   map[string]*Tree `json:"byName,omitempty"`
}

// Versioned has conditions of its own kind.
type Versioned struct {
	Conditions Conditions `json:"conditions,omitempty"`
}

// Conditions is a named list.
type Conditions []Condition

// Condition is an own kind of condition, which can hold more of its kind.
type Condition struct {
	Type               string                 `json:"type"`
	Status             corev1.ConditionStatus `json:"status"`
	Severity           Severity               `json:"severity,omitempty"`
	LastTransitionTime metav1.Time            `json:"lastTransitionTime,omitempty"`
	LastHeartbeatTime  metav1.Time            `json:"lastHeartbeatTime,omitempty"`
	Reason             string                 `json:"reason,omitempty"`
	// +kubebuilder:validation:MaxLength=100
	Message string      `json:"message,omitempty"`
	Causes  []Condition `json:"causes,omitempty"`
}

// Severity is how bad it is.
type Severity string

// Bar shares the status struct, so that all its markers hold here too.
// +genclient
// +statuspatch:condition:type=Ready,reasons=AllReady;Broken
// +statuspatch:group=zone,names
type Bar struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status FooStatus `json:"status,omitempty"`
}

// Set is a type of Kubernetes.
// +kubebuilder:subresource:status
// +statuspatch:group=replicas,readyReplicas,availableReplicas
// +statuspatch:observedGeneration=observedGeneration
// +statuspatch:condition=Progressing
type Set = appsv1.StatefulSet

// Node is one without a namespace.
// +kubebuilder:subresource:status
// +statuspatch:condition=Ready
type Node = corev1.Node

// Baz is defined by the name of a root type, and has nothing of its markers.
// +kubebuilder:subresource:status
// +statuspatch:group=phase,type
type Baz Bar
