package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Region is a place where pools can run. Several controllers write its status
// side by side, so its patcher guards fields one by one.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:subresource:status
// +statuspatch
// +statuspatch:lock=fields
// +statuspatch:condition=Reachable
// +statuspatch:condition:type=example.com/Synced,name=Synced
type Region struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   RegionSpec   `json:"spec,omitempty"`
	Status RegionStatus `json:"status,omitempty"`
}

// RegionSpec is where a region is.
type RegionSpec struct {
	// Endpoint is the address of its API.
	Endpoint string `json:"endpoint,omitempty"`
}

// RegionStatus is what is known of a region.
type RegionStatus struct {
	// Pools is the number of pools in the region.
	Pools int32 `json:"pools"`
	// Quota is the number of machines left for each kind of machine.
	Quota map[string]int64 `json:"quota,omitempty"`
	// LastContact is when the region last answered.
	LastContact metav1.Time `json:"lastContact,omitempty"`
	// Conditions are Reachable, example.com/Synced, and those of other controllers.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// RegionList is a list of regions.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type RegionList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Region `json:"items"`
}
