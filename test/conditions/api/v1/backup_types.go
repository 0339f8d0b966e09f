package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Backup has metav1.Condition in several lists.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`
// +kubebuilder:printcolumn:name="Since",type=date,JSONPath=`.status.conditions[?(@.type=="Ready")].lastTransitionTime`
type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BackupSpec   `json:"spec,omitempty"`
	Status BackupStatus `json:"status,omitempty"`
}

// BackupSpec says what to back up.
type BackupSpec struct {
	Size int32 `json:"size,omitempty"`
}

// BackupStatus is what was backed up.
//
// +statuspatch:condition:type=Ready,reasons=AllReady;Scaling
// +statuspatch:condition:type=example.com/Synced,name=Synced
// +statuspatch:condition:type=EtcdCluster.Healthy,name=EtcdHealthy,reasons=Quorum
// +statuspatch:condition:type=Ready,path=replica.conditions,name=ReplicaReady
// +statuspatch:condition:type=Ready,path=deprecated.v1beta1.conditions,name=V1Beta1Ready,reasons=Old
// +statuspatch:condition=Paused
// +statuspatch:group:name=verification,fields=bytes;conditions[Verified]
type BackupStatus struct {
	// +statuspatch:observedGeneration
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// Phase says in a word how far it is.
	Phase string `json:"phase,omitempty"`
	// Bytes is the size that was verified.
	Bytes int64 `json:"bytes,omitempty"`
	// Replica is the copy elsewhere.
	Replica ReplicaStatus `json:"replica,omitempty"`
	// Deprecated is what older versions show.
	Deprecated *BackupDeprecatedStatus `json:"deprecated,omitempty"`
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// ReplicaStatus is the status of a copy.
type ReplicaStatus struct {
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// BackupDeprecatedStatus groups what older versions show.
type BackupDeprecatedStatus struct {
	V1Beta1 *BackupV1Beta1Status `json:"v1beta1,omitempty"`
}

// BackupV1Beta1Status is what v1beta1 shows.
type BackupV1Beta1Status struct {
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// BackupList is a list of backups.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type BackupList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Backup `json:"items"`
}
