package statuspatch

import (
	"regexp"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ConditionFields are the fields of a condition, by address. What the
// condition's type does not have is nil.
type ConditionFields struct {
	Type, Status, Reason, Message *string
	Severity                      *string
	ObservedGeneration            *int64
	LastTransitionTime            *metav1.Time
	LastUpdateTime                *metav1.Time
	// Seen are heartbeat and probe times: they are never a change of their own.
	Seen [2]*metav1.Time
}

// ConditionType is what is known of a type of conditions.
type ConditionType[C any] struct {
	// Fields gives the fields of a condition.
	Fields func(*C) ConditionFields
	// Visit goes through all fields, for comparison; nil for metav1.Condition.
	Visit func(*Visitor, Values[C])
	// TypeKey is the JSON name of the type's field where it is not "type".
	TypeKey string
	// Rules are checked of conditions that a call changes.
	Rules ConditionRules

	// Type gives a condition's type without the other fields; may be nil.
	Type func(*C) string
	// Same is a quick look at whether two conditions are the same, as for StructOf.
	Same func(a, b *C) bool

	same   func(a, b *C) bool
	encode func([]byte, []C) ([]byte, error)
	rooms  sync.Pool // of *[]C
}

// room is what a list can be put into until it is given back.
func (t *ConditionType[C]) room() *[]C {
	if room, ok := t.rooms.Get().(*[]C); ok {
		return room
	}
	return new([]C)
}

func (t *ConditionType[C]) giveBack(room *[]C) {
	if cap(*room) <= 2*shortList {
		clear((*room)[:cap(*room)])
		t.rooms.Put(room)
	}
}

// ConditionRules are the schema's rules for a condition. Zero means no rule.
type ConditionRules struct {
	ReasonRequired     bool
	ReasonPattern      *regexp.Regexp
	TypePattern        *regexp.Regexp
	Statuses           []string
	MaxType, MaxReason int // characters
	MaxMessage         int // characters; a longer message is cut

	camelCase bool // words of letters and digits match both patterns
}

func (t *ConditionType[C]) equal(v *Visitor, a, b *C) bool {
	switch {
	case t.Same != nil && t.Same(a, b):
		return true
	case t.same != nil:
		return t.same(a, b)
	}
	return StructOf(t.Visit, t.Same).equal(v, a, b)
}

// appendList appends the JSON of a list.
func (t *ConditionType[C]) appendList(to []byte, list []C) ([]byte, error) {
	if t.encode != nil {
		return t.encode(to, list)
	}
	if list == nil {
		return append(to, "[]"...), nil
	}
	return appendJSON(to, list)
}

func (t *ConditionType[C]) typeKey() string {
	if t.TypeKey == "" {
		return "type"
	}
	return t.TypeKey
}

func (t *ConditionType[C]) typeOf(c *C) string {
	if t.Type != nil {
		return t.Type(c)
	}
	return *t.Fields(c).Type
}

// find is the index of the last condition of a type, -1 if there is none.
func (t *ConditionType[C]) find(list []C, conditionType string) int {
	for i := len(list) - 1; i >= 0; i-- {
		if t.typeOf(&list[i]) == conditionType {
			return i
		}
	}
	return -1
}

// conditionIndex finds conditions in a list by type.
type conditionIndex struct {
	types    [shortList]string // of a short list, in which looking is faster
	n        int
	distinct bool           // no two are the same
	at       map[string]int // of a longer list
}

// shortList is the length up to which a list is looked through.
const shortList = 16

func (t *ConditionType[C]) index(list []C) conditionIndex {
	if len(list) > shortList {
		x := conditionIndex{at: make(map[string]int, len(list))}
		for i := range list {
			x.at[t.typeOf(&list[i])] = i
		}
		return x
	}
	x := conditionIndex{n: len(list), distinct: true}
	for i := range list {
		x.types[i] = t.typeOf(&list[i])
		x.distinct = x.distinct && !slices.Contains(x.types[:i], x.types[i])
	}
	return x
}

// find is the index of the last condition of a type, -1 if there is none. near
// is where it may well be.
func (x *conditionIndex) find(conditionType string, near int) int {
	if x.at != nil {
		if at, in := x.at[conditionType]; in {
			return at
		}
		return -1
	}
	if x.distinct && near < x.n && x.types[near] == conditionType {
		return near
	}
	for i := x.n - 1; i >= 0; i-- {
		if x.types[i] == conditionType {
			return i
		}
	}
	return -1
}
