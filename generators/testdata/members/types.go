// Package members has mistakes in the members of groups.
package members

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Foo is a root type.
// +kubebuilder:subresource:status
// +statuspatch:group=repicas,readyReplicas
// +statuspatch:group=Replicas,readyReplicas
// +statuspatch:group=deprecated.v1beta1.redyReplicas,replicas
// +statuspatch:group=nodes.name,replicas
// +statuspatch:group=nodes[0],replicas
// +statuspatch:group=conditions[0],replicas
// +statuspatch:group=conditions.type,replicas
// +statuspatch:group=capacity.cpu,replicas
// +statuspatch:group=replicas.count,readyReplicas
// +statuspatch:group=deprecated..v1beta1,replicas
// +statuspatch:group=conditions,replicas
// +statuspatch:group=conditons[Ready],replicas
// +statuspatch:group=replicas
// +statuspatch:group=replicas,readyReplicas,replicas
// +statuspatch:group=deprecated,deprecated.v1beta1
// +statuspatch:group=a,b,c,d
// +statuspatch:group:name=x-y,fields=a;b
// +statuspatch:group=a,b
// +statuspatch:group=c,b
// +statuspatch:group=conditions[example.com/Synced],c
// +statuspatch:group:name=Outer,fields=nested;c
// +statuspatch:group:name=Inner,fields=nested.x;d
type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status FooStatus `json:"status,omitempty"`
}

// FooStatus is its status.
type FooStatus struct {
	Replicas      int32              `json:"replicas,omitempty"`
	ReadyReplicas int32              `json:"readyReplicas,omitempty"`
	Deprecated    *Deprecated        `json:"deprecated,omitempty"`
	Nodes         []Node             `json:"nodes,omitempty"`
	Capacity      map[string]int32   `json:"capacity,omitempty"`
	A             int32              `json:"a,omitempty"`
	B             int32              `json:"b,omitempty"`
	C             int32              `json:"c,omitempty"`
	D             int32              `json:"d,omitempty"`
	Nested        Nested             `json:"nested,omitempty"`
	Conditions    []metav1.Condition `json:"conditions,omitempty"`
}

// Deprecated is what will go.
type Deprecated struct {
	V1Beta1 *V1Beta1 `json:"v1beta1,omitempty"`
}

// V1Beta1 is of a version.
type V1Beta1 struct {
	ReadyReplicas int32 `json:"readyReplicas,omitempty"`
}

// Node is a node.
type Node struct {
	Name string `json:"name"`
}

// Nested is inside.
type Nested struct {
	X int32 `json:"x,omitempty"`
}
