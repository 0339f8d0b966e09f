package statuspatch

import (
	"sync"

	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Type is what a patcher knows of an API type T and its status S.
type Type[T, S any] struct {
	// Kind, and Group and Resource for errors and RBAC.
	Kind     string
	Resource schema.GroupResource
	// Object makes a *T known as an object.
	Object func(*T) client.Object
	// Status is the address of an object's status, nil where it has none.
	Status func(*T) *S
	// SetStatus puts a status into an object.
	SetStatus func(*T, *S)
	// Visit goes through the fields of the status.
	Visit func(*Visitor, Values[S])
	// Same is a quick look at whether two statuses are the same, as for StructOf.
	Same func(a, b *S) bool
	// Freeze makes a shallow copy of a status safe from edits of the original's
	// lists and of what it has pointers to, structs and maps behind pointers
	// aside; old is an earlier copy, whose room is used. It may be nil.
	Freeze func(old, status *S)
	// Groups are the atomic groups.
	Groups []Group[S]
	// Observed is the address of the field marked observedGeneration; with
	// allocate it makes the parents that are nil, else it may be nil. Nil for
	// a type without such a field.
	Observed func(status *S, allocate bool) *int64
	// ObservedPath is the JSON path of that field below status.
	ObservedPath []string
	// ObservedRequired is whether it is stored when it is zero.
	ObservedRequired bool
	// Lock is the default lock.
	Lock Lock

	members *memberNode
	calls   *sync.Pool // of *call[T, S]
}

// NewType prepares what is fixed for a type.
func NewType[T, S any](t Type[T, S]) *Type[T, S] {
	t.members, t.calls = newMemberTree(t.Groups), new(sync.Pool)
	return &t
}

// copyOf is a deep copy of an object.
func (t *Type[T, S]) copyOf(obj *T) *T {
	copied, ok := t.Object(obj).DeepCopyObject().(any).(*T)
	if !ok {
		shallow := *obj // a DeepCopyObject of another type is a bug of the API package
		return &shallow
	}
	return copied
}

// copyStatus is a deep copy of a status.
func (t *Type[T, S]) copyStatus(status *S) *S {
	copied := new(S)
	t.copyStatusInto(status, copied)
	return copied
}

func (t *Type[T, S]) copyStatusInto(status, copied *S) {
	if copier, ok := any(status).(interface{ DeepCopyInto(*S) }); ok {
		copier.DeepCopyInto(copied)
		return
	}
	shallow := new(T)
	t.SetStatus(shallow, status)
	*copied = *t.statusOf(t.copyOf(shallow))
}

func (t *Type[T, S]) freeze(old, status *S) {
	if t.Freeze != nil {
		t.Freeze(old, status)
	}
}

// statusOf is an object's status, never nil.
func (t *Type[T, S]) statusOf(obj *T) *S {
	if s := t.Status(obj); s != nil {
		return s
	}
	return new(S)
}

// sameOutside reports whether two objects agree in all but TypeMeta, status,
// resourceVersion and managedFields.
func (t *Type[T, S]) sameOutside(a, b *T) bool {
	return sameObjects(t.outside(a), t.outside(b))
}

// sameObjects reports whether two objects are equal, or have the same JSON.
// Not equality.Semantic, which panics at unexported fields.
func sameObjects(a, b any) bool { return reflect.DeepEqual(a, b) || sameEncoding(a, b) }

func (t *Type[T, S]) outside(obj *T) *T {
	shallow := *obj
	t.SetStatus(&shallow, new(S))
	o := t.Object(&shallow)
	o.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	o.SetResourceVersion("")
	o.SetManagedFields(nil)
	return &shallow
}

// editedOutside names the first field outside status in which two objects
// differ, "" if there is none.
func (t *Type[T, S]) editedOutside(a, b *T) string {
	if t.sameOutside(a, b) {
		return ""
	}
	at, aerr := runtime.DefaultUnstructuredConverter.ToUnstructured(t.outside(a))
	bt, berr := runtime.DefaultUnstructuredConverter.ToUnstructured(t.outside(b))
	if aerr != nil || berr != nil {
		return "the object"
	}
	for _, key := range sortedKeys(at, bt) {
		if sameTree(at[key], bt[key]) {
			continue
		}
		am, aok := at[key].(map[string]any)
		bm, bok := bt[key].(map[string]any)
		if !aok || !bok {
			return key
		}
		for _, below := range sortedKeys(am, bm) {
			if !sameTree(am[below], bm[below]) {
				return key + "." + below
			}
		}
	}
	return "the object"
}
