// Package shapes has status fields that no patcher can compare.
package shapes

import (
	"go/token"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statuspatch/statuspatcher-gen/generators/testdata/foreign"
)

// Foo is a root type.
// +kubebuilder:subresource:status
// +statuspatch
type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   Spec      `json:"spec,omitempty"`
	Status FooStatus `json:"status,omitempty"`
}

// Spec may have any type.
type Spec struct {
	Any any `json:"any,omitempty"`
}

// FooStatus is its status.
type FooStatus struct {
	*Embedded `json:",inline"`
	Any       any               `json:"any,omitempty"`
	Error     error             `json:"error,omitempty"`
	Chan      chan int          `json:"chan,omitempty"`
	Func      func()            `json:"func,omitempty"`
	Complex   complex128        `json:"complex,omitempty"`
	ByNumber  map[int]string    `json:"byNumber,omitempty"`
	Deep      []map[string]*Any `json:"deep,omitempty"`
	Hidden    foreign.Holder    `json:"hidden,omitempty"`
	One       string            `json:"one,omitempty"`
	Other     string            `json:"one,omitempty"`
	Skipped   any               `json:"-"`
	unseen    any
	Fine      time.Duration         `json:"fine,omitempty"`
	Kind      token.Pos             `json:"kind,omitempty"`
	Container corev1.ContainerState `json:"container,omitempty"`
	Tree      *Tree                 `json:"tree,omitempty"`
}

// Any holds anything.
type Any struct {
	Value any `json:"value,omitempty"`
}

// Embedded is embedded.
type Embedded struct {
	X int32 `json:"x,omitempty"`
}

// Tree is recursive.
type Tree struct {
	Children []Tree           `json:"children,omitempty"`
	Left     *Tree            `json:"left,omitempty"`
	ByName   map[string]*Tree `json:"byName,omitempty"`
}
