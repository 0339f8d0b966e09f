package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Cage is cluster-scoped, has its status by pointer, and requires what it can.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,path=cages
// +statuspatch
type Cage struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   Spec        `json:"spec,omitempty"`
	Status *CageStatus `json:"status,omitempty"`
}

// CageStatus has required fields of all kinds, several structs deep.
//
// +statuspatch:group=capacity,occupied
type CageStatus struct {
	Phase    string `json:"phase,omitempty"`
	Capacity int32  `json:"capacity"`
	Occupied *int32 `json:"occupied,omitempty"`

	Animals []string          `json:"animals"`
	Labels  map[string]string `json:"labels"`
	Digest  []byte            `json:"digest,omitempty"`

	// MustSay is required although a zero is left out.
	// +required
	MustSay string `json:"mustSay,omitempty"`
	// +required
	// +nullable
	Keeper *string `json:"keeper"`
	// +required
	// +nullable
	Au []string `json:"au"`
	// +optional
	Plain int32 `json:"plain"`

	Door    Door            `json:"door"`
	Window  *Door           `json:"window,omitempty"`
	Hatches []Door          `json:"hatches,omitempty"`
	Scalars RequiredScalars `json:"scalars"`

	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Door is required, and so are its parts.
type Door struct {
	Lock  Lock   `json:"lock"`
	Color string `json:"color,omitempty"`
	Wide  bool   `json:"wide"`
}

// Lock is part of a door.
type Lock struct {
	Turns int64    `json:"turns"`
	Keys  []string `json:"keys"`
	Bolt  Bolt     `json:"bolt"`
}

// Bolt is part of a lock.
type Bolt struct {
	Length int32 `json:"length"`
	Rusty  bool  `json:"rusty,omitempty"`
}

// CageList is a list of cages.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type CageList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Cage `json:"items"`
}
