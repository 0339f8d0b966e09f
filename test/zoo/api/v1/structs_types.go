package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Embedding embeds structs in all ways.
type Embedding struct {
	Inline   `json:",inline"`
	Untagged `json:",inline"`
	Wrapped  `json:"wrapped,omitempty"`
	*Hung    `json:"hung,omitempty"`

	// Shadowed hides the field of Untagged.
	Shadowed string    `json:"shadowed,omitempty"`
	Alias    PairAlias `json:"alias,omitempty"`
}

// Inline is embedded with the option inline.
type Inline struct {
	InlineName  string `json:"inlineName,omitempty"`
	InlineCount int32  `json:"inlineCount"`
}

// Untagged is embedded without a tag.
type Untagged struct {
	UntaggedName string `json:"untaggedName,omitempty"`
	Shadowed     string `json:"shadowed,omitempty"`
}

// Wrapped is embedded with a name.
type Wrapped struct {
	Name string `json:"name,omitempty"`
}

// Hung is embedded by pointer with a name.
type Hung struct {
	Weight int32 `json:"weight"`
}

// PairAlias is another name of Pair.
type PairAlias = Pair

// Generics are instantiated generic types, which deepcopy-gen gets wrong in maps.
//
// +k8s:deepcopy-gen=false
type Generics struct {
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Texts Box[string] `json:"texts,omitempty"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Pairs *Box[Pair] `json:"pairs,omitempty"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Numbers map[string]Box[int64] `json:"numbers,omitempty"`
}

// Box holds a value and more of the same.
//
// +k8s:deepcopy-gen=false
type Box[T any] struct {
	Value T   `json:"value"`
	More  []T `json:"more,omitempty"`
}

// Names need escaping in Go, JSON or a JSON pointer.
type Names struct {
	Slash   string `json:"a/b,omitempty"`
	Tilde   string `json:"a~b,omitempty"`
	Angle   string `json:"<a>&b,omitempty"`
	Space   string `json:"a b,omitempty"`
	Dot     string `json:"a.b,omitempty"`
	Unicode string `json:"größe,omitempty"`
	//lint:ignore SA5008 a key may be called -
	Dash    string            `json:"-,omitempty"`
	Bracket string            `json:"[x],omitempty"`
	Keys    map[string]string `json:"ke~/ys,omitempty"`
	Struct  *Pair             `json:"st/ruct,omitempty"`
}

// OmitZeros are left out by the option omitzero.
type OmitZeros struct {
	Int32    int32             `json:"int32,omitzero"`
	String   string            `json:"string,omitzero"`
	Pair     Pair              `json:"pair,omitzero"`
	Tags     TagList           `json:"tagList,omitzero"`
	Time     metav1.Time       `json:"time,omitzero"`
	Quantity resource.Quantity `json:"quantity,omitzero"`
	List     []string          `json:"list,omitzero"`
	Map      map[string]string `json:"map,omitzero"`
	Array    [2]int32          `json:"array,omitzero"`
	Level    Threshold         `json:"level,omitzero"`
	Both     []string          `json:"both,omitempty,omitzero"`
}

// TagList is a struct that is not zero where its list is empty.
type TagList struct {
	Tags []string `json:"tags,omitempty"`
}

// Threshold says itself when it is zero.
type Threshold struct {
	Value int32 `json:"value"`
}

// IsZero says that one is nothing.
func (t Threshold) IsZero() bool { return t.Value <= 1 }

// Trees are recursive.
type Trees struct {
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Tree *Tree `json:"tree,omitempty"`
}

// Tree holds trees.
type Tree struct {
	Name     string           `json:"name"`
	Children []Tree           `json:"children,omitempty"`
	Left     *Tree            `json:"left,omitempty"`
	ByName   map[string]*Tree `json:"byName,omitempty"`
}

// DeepCopyInto copies a box, whose values hold no pointers.
func (b *Box[T]) DeepCopyInto(out *Box[T]) {
	out.Value = b.Value
	out.More = append([]T(nil), b.More...)
	if b.More != nil && out.More == nil {
		out.More = []T{}
	}
}

// DeepCopy copies a box.
func (b *Box[T]) DeepCopy() *Box[T] {
	if b == nil {
		return nil
	}
	out := new(Box[T])
	b.DeepCopyInto(out)
	return out
}

// DeepCopyInto copies the boxes.
func (g *Generics) DeepCopyInto(out *Generics) {
	g.Texts.DeepCopyInto(&out.Texts)
	out.Pairs = g.Pairs.DeepCopy()
	out.Numbers = nil
	if g.Numbers != nil {
		out.Numbers = make(map[string]Box[int64], len(g.Numbers))
		for name, box := range g.Numbers {
			out.Numbers[name] = *box.DeepCopy()
		}
	}
}

// DeepCopy copies the boxes.
func (g *Generics) DeepCopy() *Generics {
	if g == nil {
		return nil
	}
	out := new(Generics)
	g.DeepCopyInto(out)
	return out
}
