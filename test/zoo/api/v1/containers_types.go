package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Lists are lists of everything.
type Lists struct {
	Strings []string  `json:"strings,omitempty"`
	Phases  []Phase   `json:"phases,omitempty"`
	Ints    []int64   `json:"ints,omitempty"`
	Floats  []float64 `json:"floats,omitempty"`
	Bools   []bool    `json:"bools,omitempty"`
	Bytes   []byte    `json:"bytes,omitempty"`
	// Blob is one that controller-gen has no schema for.
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:Format=byte
	Blob     Blob                `json:"blob,omitempty"`
	Blobs    [][]byte            `json:"blobs,omitempty"`
	Lists    [][]string          `json:"lists,omitempty"`
	Pointers []*Pair             `json:"pointers,omitempty"`
	Structs  []Entry             `json:"structs,omitempty"`
	Scalars  []Scalars           `json:"scalars,omitempty"`
	Nullable []Nullables         `json:"nullable,omitempty"`
	Maps     []map[string]string `json:"maps,omitempty"`
	Times    []metav1.Time       `json:"times,omitempty"`
	Named    Entries             `json:"named,omitempty"`

	// +listType=set
	Set []string `json:"set,omitempty"`
	// +listType=set
	IntSet []int32 `json:"intSet,omitempty"`
	// +listType=map
	// +listMapKey=name
	Keyed []Entry `json:"keyed,omitempty"`
	// +listType=map
	// +listMapKey=name
	// +listMapKey=port
	TwoKeys []Endpoint `json:"twoKeys,omitempty"`
	// +listType=atomic
	Atomic []string `json:"atomic,omitempty"`

	Required []string `json:"required"`
	// +listType=set
	RequiredSet []string `json:"requiredSet"`
	// +optional
	Written []string `json:"written"`
	// +optional
	WrittenBytes  []byte `json:"writtenBytes"`
	RequiredBytes []byte `json:"requiredBytes"`
}

// Blob is a named byte slice.
type Blob []byte

// Entries is a named list.
type Entries []Entry

// Entry is an entry of a list.
type Entry struct {
	Name  string   `json:"name"`
	Value string   `json:"value,omitempty"`
	Count *int32   `json:"count,omitempty"`
	Tags  []string `json:"tags,omitempty"`
}

// Endpoint is an entry of a list with two keys.
type Endpoint struct {
	Name  string `json:"name"`
	Port  int32  `json:"port"`
	Ready bool   `json:"ready,omitempty"`
}

// Maps are maps of everything.
type Maps struct {
	Strings  map[string]string             `json:"strings,omitempty"`
	Named    map[Phase]Level               `json:"named,omitempty"`
	Labels   Labels                        `json:"labels,omitempty"`
	Ints     map[string]int64              `json:"ints,omitempty"`
	Floats   map[string]float64            `json:"floats,omitempty"`
	Bools    map[string]bool               `json:"bools,omitempty"`
	Bytes    map[string][]byte             `json:"bytes,omitempty"`
	Lists    map[string][]string           `json:"lists,omitempty"`
	Maps     map[string]map[string]string  `json:"maps,omitempty"`
	Structs  map[string]Pair               `json:"structs,omitempty"`
	Pointers map[string]*Pair              `json:"pointers,omitempty"`
	Scalars  map[string]*int32             `json:"scalars,omitempty"`
	Times    map[string]metav1.Time        `json:"times,omitempty"`
	Deep     map[string]map[string][]Entry `json:"deep,omitempty"`
	Required map[string]string             `json:"required"`
	// +optional
	Written map[string]string `json:"written"`
}

// Labels is a named map.
type Labels map[string]string

// Arrays have a fixed length.
type Arrays struct {
	Ints    [3]int32  `json:"ints,omitempty"`
	Strings [2]string `json:"strings,omitempty"`
	Bytes   [4]byte   `json:"bytes,omitempty"`
	Structs [2]Pair   `json:"structs,omitempty"`
}
