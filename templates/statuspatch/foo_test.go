package statuspatch

import (
	"context"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Foo is what the generator would be given, and the rest of this file what it
// would make of it.
type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FooSpec   `json:"spec,omitempty"`
	Status            FooStatus `json:"status,omitempty"`
}

type FooSpec struct {
	Size int32 `json:"size,omitempty"`
}

type FooStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Replicas           int32              `json:"replicas,omitempty"`
	ReadyReplicas      int32              `json:"readyReplicas,omitempty"`
	Phase              string             `json:"phase,omitempty"`
	Count              *int32             `json:"count,omitempty"`
	Required           int32              `json:"required"`
	Names              []string           `json:"names"`
	Tags               []string           `json:"tags,omitempty"`
	Labels             map[string]string  `json:"labels,omitempty"`
	Nested             *FooNested         `json:"nested,omitempty"`
	ByValue            FooNested          `json:"byValue,omitempty"`
	Entries            []FooEntry         `json:"entries,omitempty"`
	At                 metav1.Time        `json:"at,omitempty"`
	Retries            int32              `json:"retries,omitempty"`
	Au                 []string           `json:"au"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type FooNested struct {
	Name  string `json:"name,omitempty"`
	Ready int32  `json:"ready"`
}

type FooEntry struct {
	Key   string `json:"key"`
	Value string `json:"value,omitempty"`
}

type FooList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Foo `json:"items"`
}

func deepCopyJSON[T any](x *T) *T {
	raw, err := json.Marshal(x)
	if err != nil {
		panic(err)
	}
	out := new(T)
	if err := json.Unmarshal(raw, out); err != nil {
		panic(err)
	}
	return out
}

func (f *Foo) DeepCopyObject() runtime.Object     { return deepCopyJSON(f) }
func (f *FooList) DeepCopyObject() runtime.Object { return deepCopyJSON(f) }

func visitFooNested(v *Visitor, s Values[FooNested]) {
	Field(v, s, "name", OmitEmpty, func(s *FooNested) *string { return &s.Name }, Scalar[string]())
	Field(v, s, "ready", Required, func(s *FooNested) *int32 { return &s.Ready }, Scalar[int32]())
}

func visitFooEntry(v *Visitor, s Values[FooEntry]) {
	Field(v, s, "key", Required, func(s *FooEntry) *string { return &s.Key }, Scalar[string]())
	Field(v, s, "value", OmitEmpty, func(s *FooEntry) *string { return &s.Value }, Scalar[string]())
}

func visitFooStatus(v *Visitor, s Values[FooStatus]) {
	Field(v, s, "observedGeneration", OmitEmpty, func(s *FooStatus) *int64 { return &s.ObservedGeneration }, Scalar[int64]())
	Field(v, s, "replicas", OmitEmpty, func(s *FooStatus) *int32 { return &s.Replicas }, Scalar[int32]())
	Field(v, s, "readyReplicas", OmitEmpty, func(s *FooStatus) *int32 { return &s.ReadyReplicas }, Scalar[int32]())
	Field(v, s, "phase", OmitEmpty, func(s *FooStatus) *string { return &s.Phase }, Scalar[string]())
	Field(v, s, "count", OmitEmpty, func(s *FooStatus) **int32 { return &s.Count }, PointerTo(Scalar[int32]()))
	Field(v, s, "required", Required, func(s *FooStatus) *int32 { return &s.Required }, Scalar[int32]())
	Field(v, s, "names", Required, func(s *FooStatus) *[]string { return &s.Names }, ListOf[[]string](Scalar[string]()))
	Field(v, s, "tags", OmitEmpty, func(s *FooStatus) *[]string { return &s.Tags }, SetOf[[]string](Scalar[string]()))
	Field(v, s, "labels", OmitEmpty, func(s *FooStatus) *map[string]string { return &s.Labels }, MapOf[map[string]string](Scalar[string]()))
	Field(v, s, "nested", OmitEmpty, func(s *FooStatus) **FooNested { return &s.Nested }, PointerTo(StructOf(visitFooNested, nil)))
	Field(v, s, "byValue", OmitEmpty, func(s *FooStatus) *FooNested { return &s.ByValue }, StructOf(visitFooNested, nil))
	Field(v, s, "entries", OmitEmpty, func(s *FooStatus) *[]FooEntry { return &s.Entries },
		KeyedListOf[[]FooEntry](func(e *FooEntry) string { return e.Key }, StructOf(visitFooEntry, nil)))
	Field(v, s, "at", OmitEmpty, func(s *FooStatus) *metav1.Time { return &s.At }, Time())
	DefaultedField(v, s, "retries", OmitEmpty, "3", func(s *FooStatus) *int32 { return &s.Retries }, Scalar[int32]())
	Field(v, s, "au", Required|Nullable, func(s *FooStatus) *[]string { return &s.Au }, ListOf[[]string](Scalar[string]()))
	Field(v, s, "conditions", OmitEmpty, func(s *FooStatus) *[]metav1.Condition { return &s.Conditions },
		ConditionsOf[[]metav1.Condition](MetaCondition))
}

var fooType = NewType(Type[Foo, FooStatus]{
	Kind:         "Foo",
	Resource:     schema.GroupResource{Group: "test.dev", Resource: "foos"},
	Object:       func(f *Foo) client.Object { return f },
	Status:       func(f *Foo) *FooStatus { return &f.Status },
	SetStatus:    func(f *Foo, s *FooStatus) { f.Status = *s },
	Visit:        visitFooStatus,
	Observed:     func(s *FooStatus, _ bool) *int64 { return &s.ObservedGeneration },
	ObservedPath: []string{"observedGeneration"},
	Lock:         LockObject,
	Groups: []Group{
		{Setter: "SetReplicasAndReadyReplicas", Mark: "MarkReplicasAndReadyReplicasComputed", Members: [][]string{{"replicas"}, {"readyReplicas"}}},
		{Setter: "SetHealth", Mark: "MarkHealthComputed", Members: [][]string{{"nested", "ready"}, {"conditions", "[Healthy]"}}},
	},
})

type fooPatch struct {
	Status *FooStatus
	edit   *Edit[Foo, FooStatus]
}

func (p *fooPatch) setReplicas(replicas, readyReplicas int32) {
	p.Status.Replicas = replicas
	p.Status.ReadyReplicas = readyReplicas
	p.edit.Wrote(p.Status, 0)
}

func patchFoo(ctx context.Context, c Client, obj *Foo, mutate func(*fooPatch) error, opts ...client.SubResourcePatchOption) error {
	return Run(ctx, c, fooType, obj, mutate, func(e *Edit[Foo, FooStatus]) (*fooPatch, **FooStatus) {
		p := &fooPatch{Status: e.Status, edit: e}
		return p, &p.Status
	}, opts)
}
