// Package lazy has declarations of which few are needed.
package lazy

import (
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	. "github.com/statuspatch/statuspatcher-gen/generators/load/testdata/dotted"
)

// Foo is a root type.
type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   FooSpec    `json:"spec,omitempty"`
	Status *FooStatus `json:"status,omitempty"`
}

// FooSpec is not needed, and is wrong.
type FooSpec struct {
	Wrong NoSuchType
}

// FooStatus is needed, with all that it names.
type FooStatus struct {
	Array     [size]Small                   `json:"array"`
	Generic   Pair[string, Number]          `json:"generic"`
	Quantity  resource.Quantity             `json:"quantity"`
	Probe     corev1.Probe                  `json:"probe"`
	Duration  metav1.Duration               `json:"duration"`
	Time      time.Time                     `json:"time"`
	Dotted    Dot                           `json:"dotted"`
	Anonymous struct{ Inner map[Key]*Self } `json:"anonymous"`
	Raw       json.RawMessage               `json:"raw"`
	Alias     Short                         `json:"alias"`
	Own       Own                           `json:"own"`
}

// Small is an int8, which must not become a byte.
type Small int8

const (
	zero = iota
	one
	size
)

// Pair is generic; its constraint asks for a method.
type Pair[K comparable, V Valued] struct {
	Key   K `json:"key"`
	Value V `json:"value"`
}

// Valued is a constraint.
type Valued interface {
	~int32
	Double() Number
}

// Number satisfies it.
type Number int32

// Double is needed for that.
func (n Number) Double() Number { return 2 * n }

// Half is not needed, and is wrong.
func (n Number) Half() NoSuchType { return n }

// Key is a key.
type Key string

// Self is recursive.
type Self struct {
	Next *Self `json:"next"`
}

// Short is an alias.
type Short = Pair[string, Number]

// Own has its own JSON.
type Own struct{ x int }

// MarshalJSON implements json.Marshaler.
func (o *Own) MarshalJSON() ([]byte, error) {
	return nil, nil
}

// Bar is an alias of a root type elsewhere.
type Bar = corev1.Node

// Unneeded is wrong.
func Unneeded(NoSuchType) { undefined() }
