// Package constructs has a type for each construct of generated code.
//
// +groupName=constructs.example.com
package constructs

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Trivial has nothing but one field.
// +kubebuilder:subresource:status
// +statuspatch
type Trivial struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status TrivialStatus `json:"status,omitempty"`
}

// TrivialStatus is its status.
type TrivialStatus struct {
	Phase string `json:"phase,omitempty"`
}

// Grouped has groups of all sizes, with parents and without, and a pointer status.
// +kubebuilder:subresource:status
// +statuspatch:group=replicas,readyReplicas
// +statuspatch:group:name=rollout,fields=rollout.image;rollout.counters.updated;conditions[Progressing]
// +statuspatch:group:name=capacity,fields=cpu;memory.total;memory.free;zones;since;observedGeneration
// +statuspatch:condition:type=Ready,reasons=AllReady;Scaling
// +statuspatch:lock=fields
type Grouped struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status *GroupedStatus `json:"status,omitempty"`
}

// GroupedStatus is its status.
type GroupedStatus struct {
	// +statuspatch:observedGeneration
	ObservedGeneration int64             `json:"observedGeneration,omitempty"`
	Replicas           int32             `json:"replicas,omitempty"`
	ReadyReplicas      *int32            `json:"readyReplicas,omitempty"`
	Rollout            *Rollout          `json:"rollout,omitempty"`
	CPU                resource.Quantity `json:"cpu,omitempty"`
	Memory             *Memory           `json:"memory,omitempty"`
	// +listType=set
	Zones []string    `json:"zones,omitempty"`
	Since metav1.Time `json:"since,omitempty"`
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Rollout is a parent of members.
type Rollout struct {
	Image    string    `json:"image,omitempty"`
	Counters *Counters `json:"counters,omitempty"`
}

// Counters are in it.
type Counters struct {
	Updated int32 `json:"updated"`
}

// Memory is another.
type Memory struct {
	Total resource.Quantity `json:"total,omitempty"`
	Free  resource.Quantity `json:"free,omitempty"`
}

// Condition is a kind of conditions of this package, which hold others.
type Condition struct {
	Type               ConditionType `json:"type"`
	Status             Truth         `json:"status"`
	Severity           string        `json:"severity,omitempty"`
	LastTransitionTime metav1.Time   `json:"lastTransitionTime,omitempty"`
	// +kubebuilder:validation:MaxLength=64
	Reason  string      `json:"reason,omitempty"`
	Message string      `json:"message,omitempty"`
	Because []Condition `json:"because,omitempty"`
}

type (
	// ConditionType is the type of a condition.
	ConditionType string
	// Truth is its status.
	Truth string
)

// Own has conditions of its own kind, below a parent.
// +kubebuilder:subresource:status
// +statuspatch:condition:type=example.com/Synced,name=Synced,path=details.conditions
type Own struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status SharedStatus `json:"status,omitempty"`
}

// Twin shares its status struct.
// +kubebuilder:subresource:status
type Twin struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status SharedStatus `json:"status,omitempty"`
}

// SharedStatus is the status of both.
// +statuspatch:condition:type=Healthy,path=details.conditions,reasons=Up;Down
// +statuspatch:observedGeneration=details.generation
// +statuspatch:lock=none
type SharedStatus struct {
	Inline  `json:",inline"`
	Details *Details `json:"details,omitempty"`
}

// Inline is embedded.
type Inline struct {
	// +kubebuilder:default=Pending
	Phase string `json:"phase"`
	// +nullable
	Note *string `json:"note"`
}

// Details has the list of conditions.
type Details struct {
	Generation int64       `json:"generation,omitempty"`
	Conditions []Condition `json:"conditions,omitempty"`
	// +listType=map
	// +listMapKey=name
	Parts []Part                          `json:"parts,omitempty"`
	Tree  *Tree                           `json:"tree,omitempty"`
	Sums  map[string]Pair[int32, *string] `json:"sums,omitempty"`
	Raw   *runtime.RawExtension           `json:"raw,omitempty"`
	Blob  []byte                          `json:"blob,omitempty"`
	Array [2]int32                        `json:"array,omitempty"`
	Bare  struct {
		A int64 `json:"a,omitempty"`
	} `json:"bare,omitempty"`
}

// Part is an entry of a keyed list.
type Part struct {
	Name  string `json:"name"`
	Ready bool   `json:"ready,omitempty"`
}

// Tree holds itself.
type Tree struct {
	Left, Right *Tree  `json:"-"`
	Value       int64  `json:"value,omitempty"`
	Leaves      []Tree `json:"leaves,omitempty"`
}

// Pair is generic.
type Pair[A comparable, B any] struct {
	First  A `json:"first"`
	Second B `json:"second,omitempty"`
}

// StatefulSet is a type of another module.
// +kubebuilder:subresource:status
// +statuspatch:group=readyReplicas,currentReplicas
// +statuspatch:observedGeneration=observedGeneration
type StatefulSet = appsv1.StatefulSet

// DeepCopyObject implements runtime.Object as far as compiling needs it.
func (in *Trivial) DeepCopyObject() runtime.Object { return in }

// DeepCopyObject implements runtime.Object as far as compiling needs it.
func (in *Grouped) DeepCopyObject() runtime.Object { return in }

// DeepCopyObject implements runtime.Object as far as compiling needs it.
func (in *Own) DeepCopyObject() runtime.Object { return in }

// DeepCopyObject implements runtime.Object as far as compiling needs it.
func (in *Twin) DeepCopyObject() runtime.Object { return in }
