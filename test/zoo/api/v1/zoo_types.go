package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Zoo has its status by value, and all shapes in it.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=zoos
// +statuspatch
type Zoo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   Spec      `json:"spec,omitempty"`
	Status ZooStatus `json:"status,omitempty"`
}

// Spec is there for the generation.
type Spec struct {
	Size int32 `json:"size,omitempty"`
}

// ZooStatus has a struct for each subject, and groups across them.
//
// +statuspatch:group=replicas,readyReplicas
// +statuspatch:group:name=deep,fields=deep.counts.total;deep.counts.ready;deep.note;conditions[Deep]
// +statuspatch:group:name=whole,fields=wholeList;wholeMap;wholeStruct
// +statuspatch:condition:type=Ready,reasons=Open;Closed
type ZooStatus struct {
	// +statuspatch:observedGeneration
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	Replicas      int32 `json:"replicas,omitempty"`
	ReadyReplicas int32 `json:"readyReplicas,omitempty"`
	Phase         Phase `json:"phase,omitempty"`

	Scalars   Scalars          `json:"scalars,omitempty"`
	Required  *RequiredScalars `json:"required,omitempty"`
	Unmarked  UnmarkedScalars  `json:"unmarked,omitempty"`
	Pointers  *Pointers        `json:"pointers,omitempty"`
	Nullables *Nullables       `json:"nullables,omitempty"`
	Defaults  *Defaults        `json:"defaults,omitempty"`
	Times     Times            `json:"times,omitempty"`
	Lists     *Lists           `json:"lists,omitempty"`
	Maps      *Maps            `json:"maps,omitempty"`
	OwnJSON   *OwnJSON         `json:"ownJSON,omitempty"`
	Arrays    Arrays           `json:"arrays,omitempty"`
	Embedding *Embedding       `json:"embedding,omitempty"`
	Generics  *Generics        `json:"generics,omitempty"`
	Names     Names            `json:"names,omitempty"`
	OmitZeros *OmitZeros       `json:"omitZeros,omitempty"`
	Opaque    *Opaque          `json:"opaque,omitempty"`
	Trees     *Trees           `json:"trees,omitempty"`
	Deep      *Deep            `json:"deep,omitempty"`

	WholeList   []string          `json:"wholeList,omitempty"`
	WholeMap    map[string]string `json:"wholeMap,omitempty"`
	WholeStruct *Pair             `json:"wholeStruct,omitempty"`

	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	Skipped string `json:"-"`
	//lint:ignore U1000 what JSON does not see is no difference
	unseen string `json:"-"`
}

// Deep has members of a group below pointers and values.
type Deep struct {
	Counts *Counts `json:"counts,omitempty"`
	Note   string  `json:"note,omitempty"`
	Other  string  `json:"other,omitempty"`
}

// Counts are members of a group.
type Counts struct {
	Total int32  `json:"total"`
	Ready *int32 `json:"ready,omitempty"`
}

// Pair is a struct that is a member as a whole.
type Pair struct {
	Left  string `json:"left,omitempty"`
	Right int32  `json:"right"`
}

// ZooList is a list of zoos.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type ZooList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Zoo `json:"items"`
}
