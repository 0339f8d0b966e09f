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
	Field(v, "name", OmitEmpty, &s.Base.Name, &s.Want.Name, &s.Live.Name, Scalar[string]())
	Field(v, "ready", Required, &s.Base.Ready, &s.Want.Ready, &s.Live.Ready, Scalar[int32]())
}

func visitFooEntry(v *Visitor, s Values[FooEntry]) {
	Field(v, "key", Required, &s.Base.Key, &s.Want.Key, &s.Live.Key, Scalar[string]())
	Field(v, "value", OmitEmpty, &s.Base.Value, &s.Want.Value, &s.Live.Value, Scalar[string]())
}

func visitFooStatus(v *Visitor, s Values[FooStatus]) {
	Field(v, "observedGeneration", OmitEmpty, &s.Base.ObservedGeneration, &s.Want.ObservedGeneration, &s.Live.ObservedGeneration, Scalar[int64]())
	Field(v, "replicas", OmitEmpty, &s.Base.Replicas, &s.Want.Replicas, &s.Live.Replicas, Scalar[int32]())
	Field(v, "readyReplicas", OmitEmpty, &s.Base.ReadyReplicas, &s.Want.ReadyReplicas, &s.Live.ReadyReplicas, Scalar[int32]())
	Field(v, "phase", OmitEmpty, &s.Base.Phase, &s.Want.Phase, &s.Live.Phase, Scalar[string]())
	Field(v, "count", OmitEmpty, &s.Base.Count, &s.Want.Count, &s.Live.Count, PointerTo(Scalar[int32]()))
	Field(v, "required", Required, &s.Base.Required, &s.Want.Required, &s.Live.Required, Scalar[int32]())
	Field(v, "names", Required, &s.Base.Names, &s.Want.Names, &s.Live.Names, ListOf[[]string](Scalar[string]()))
	Field(v, "tags", OmitEmpty, &s.Base.Tags, &s.Want.Tags, &s.Live.Tags, SetOf[[]string](Scalar[string]()))
	Field(v, "labels", OmitEmpty, &s.Base.Labels, &s.Want.Labels, &s.Live.Labels, MapOf[map[string]string](Scalar[string]()))
	Field(v, "nested", OmitEmpty, &s.Base.Nested, &s.Want.Nested, &s.Live.Nested, PointerTo(StructOf(visitFooNested, nil)))
	Field(v, "byValue", OmitEmpty, &s.Base.ByValue, &s.Want.ByValue, &s.Live.ByValue, StructOf(visitFooNested, nil))
	Field(v, "entries", OmitEmpty, &s.Base.Entries, &s.Want.Entries, &s.Live.Entries,
		KeyedListOf[[]FooEntry](func(e *FooEntry) string { return e.Key }, StructOf(visitFooEntry, nil)))
	Field(v, "at", OmitEmpty, &s.Base.At, &s.Want.At, &s.Live.At, Time())
	DefaultedField(v, "retries", OmitEmpty, "3", &s.Base.Retries, &s.Want.Retries, &s.Live.Retries, Scalar[int32]())
	Field(v, "au", Required|Nullable, &s.Base.Au, &s.Want.Au, &s.Live.Au, ListOf[[]string](Scalar[string]()))
	Field(v, "conditions", OmitEmpty, &s.Base.Conditions, &s.Want.Conditions, &s.Live.Conditions,
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
	Freeze: func(old, s *FooStatus) {
		FreezePointer(&old.Count, &s.Count)
		FreezeList(&old.Names, &s.Names)
		FreezeList(&old.Tags, &s.Tags)
		FreezeList(&old.Entries, &s.Entries)
		FreezeList(&old.Au, &s.Au)
		FreezeList(&old.Conditions, &s.Conditions)
	},
	Groups: []Group[FooStatus]{
		{Setter: "SetReplicasAndReadyReplicas", Mark: "MarkReplicasAndReadyReplicasComputed", Members: [][]string{{"replicas"}, {"readyReplicas"}},
			Values: func(to *MemberValues, s *FooStatus) {
				to.Add(&s.Replicas)
				to.Add(&s.ReadyReplicas)
			}},
		{Setter: "SetHealth", Mark: "MarkHealthComputed", Members: [][]string{{"nested", "ready"}, {"conditions", "[Healthy]"}},
			Values: func(to *MemberValues, s *FooStatus) {
				to.Add(&OrZero(s.Nested).Ready)
				AddCondition(to, s.Conditions, MetaCondition, "Healthy")
			}},
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
	return Run(ctx, c, fooType, obj, mutate, newFooPatch, opts)
}

func newFooPatch(e *Edit[Foo, FooStatus]) (*fooPatch, **FooStatus) {
	p := &fooPatch{Status: e.Status, edit: e}
	return p, &p.Status
}
