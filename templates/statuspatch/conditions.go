package statuspatch

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

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
	Seen []*metav1.Time
}

// ConditionType is what is known of a type of conditions.
type ConditionType[C any] struct {
	// Fields gives the fields of a condition.
	Fields func(*C) ConditionFields
	// Visit goes through all fields, for comparison; nil for metav1.Condition.
	Visit func(*Visitor, Values[C])
	// Rules are checked of conditions that a call changes.
	Rules ConditionRules

	same   func(a, b *C) bool
	encode func([]byte, []C) ([]byte, error)
}

// ConditionRules are the schema's rules for a condition. Zero means no rule.
type ConditionRules struct {
	ReasonRequired     bool
	ReasonPattern      *regexp.Regexp
	TypePattern        *regexp.Regexp
	MaxType, MaxReason int // characters
	MaxMessage         int // characters; a longer message is cut
}

// MetaCondition is metav1.Condition, with the rules of its markers in
// k8s.io/apimachinery/pkg/apis/meta/v1/types.go.
var MetaCondition = &ConditionType[metav1.Condition]{
	Fields: func(c *metav1.Condition) ConditionFields {
		return ConditionFields{
			Type: &c.Type, Status: (*string)(&c.Status), Reason: &c.Reason, Message: &c.Message,
			ObservedGeneration: &c.ObservedGeneration, LastTransitionTime: &c.LastTransitionTime,
		}
	},
	Rules: ConditionRules{
		ReasonRequired: true,
		ReasonPattern:  regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`),
		TypePattern:    regexp.MustCompile(`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`),
		MaxType:        316, MaxReason: 1024, MaxMessage: 32768,
	},
	same:   sameMetaCondition,
	encode: appendMetaConditions,
}

func sameMetaCondition(a, b *metav1.Condition) bool {
	return a.Status == b.Status && a.ObservedGeneration == b.ObservedGeneration &&
		a.Type == b.Type && a.Reason == b.Reason && a.Message == b.Message &&
		a.LastTransitionTime.Unix() == b.LastTransitionTime.Unix()
}

// appendMetaConditions is json.Marshal for the one list that nearly every
// status has, at a tenth of the cost.
func appendMetaConditions(to []byte, list []metav1.Condition) ([]byte, error) {
	to = append(to, '[')
	for i := range list {
		c := &list[i]
		if i > 0 {
			to = append(to, ',')
		}
		to = appendString(append(to, `{"type":`...), c.Type)
		to = appendString(append(to, `,"status":`...), string(c.Status))
		if c.ObservedGeneration != 0 {
			to = appendInt(append(to, `,"observedGeneration":`...), c.ObservedGeneration)
		}
		to = append(to, `,"lastTransitionTime":`...)
		if c.LastTransitionTime.IsZero() {
			to = append(to, "null"...)
		} else {
			to = c.LastTransitionTime.UTC().AppendFormat(append(to, '"'), time.RFC3339)
			to = append(to, '"')
		}
		to = appendString(append(to, `,"reason":`...), c.Reason)
		to = appendString(append(to, `,"message":`...), c.Message)
		to = append(to, '}')
	}
	return append(to, ']'), nil
}

func (t *ConditionType[C]) equal(v *Visitor, a, b *C) bool {
	if t.same != nil {
		return t.same(a, b)
	}
	return StructOf(t.Visit).equal(v, a, b)
}

func (t *ConditionType[C]) encodeList(list []C) ([]byte, error) {
	if t.encode != nil {
		return t.encode(make([]byte, 0, 64+192*len(list)), list)
	}
	if list == nil {
		return []byte("[]"), nil
	}
	return json.Marshal(list)
}

func (t *ConditionType[C]) typeOf(c *C) string { return *t.Fields(c).Type }

// find is the index of the last condition of a type, -1 if there is none.
func (t *ConditionType[C]) find(list []C, conditionType string) int {
	for i := len(list) - 1; i >= 0; i-- {
		if t.typeOf(&list[i]) == conditionType {
			return i
		}
	}
	return -1
}

// normalise makes of an edited list the one to write. What the caller left as
// it was is the base's, times and order included; generation and now fill in
// what he left out.
func (t *ConditionType[C]) normalise(v *Visitor, base, want []C) []C {
	if t.untouched(v, base, want) {
		return base
	}
	out := make([]C, 0, len(want))
	for i := range base {
		conditionType := t.typeOf(&base[i])
		at := t.find(want, conditionType)
		if at < 0 || t.find(out, conditionType) >= 0 {
			continue
		}
		out = append(out, t.update(v, &base[t.find(base, conditionType)], want[at]))
	}
	for i := range want {
		conditionType := t.typeOf(&want[i])
		if t.find(base, conditionType) < 0 && t.find(want, conditionType) == i {
			out = append(out, t.introduce(v, want[i]))
		}
	}
	return out
}

func (t *ConditionType[C]) untouched(v *Visitor, base, want []C) bool {
	if len(base) != len(want) {
		return false
	}
	for i := range want {
		if &base[i] != &want[i] && !t.equal(v, &base[i], &want[i]) {
			return false
		}
	}
	return true
}

// update is the condition to write where the base has one of the same type.
func (t *ConditionType[C]) update(v *Visitor, base *C, want C) C {
	b, w := t.Fields(base), t.Fields(&want)
	t.cut(w.Message)
	own := *w.LastTransitionTime // the caller's, if he set one
	flipped := *b.Status != *w.Status
	*w.LastTransitionTime = *b.LastTransitionTime
	if flipped || b.LastTransitionTime.IsZero() {
		*w.LastTransitionTime = v.momentOr(own, b.LastTransitionTime)
	}
	if t.sameButSeen(v, base, want) {
		return *base
	}
	if w.ObservedGeneration != nil && *w.ObservedGeneration == 0 {
		*w.ObservedGeneration = v.generation
		if t.sameButSeen(v, base, want) {
			return *base
		}
	}
	if w.LastUpdateTime != nil && (flipped || *b.Reason != *w.Reason || *b.Message != *w.Message) {
		*w.LastUpdateTime = v.momentOr(*w.LastUpdateTime, b.LastUpdateTime)
	}
	t.check(v, w)
	return want
}

// sameButSeen reports whether want says what base says, times of updates and
// heartbeats aside.
func (t *ConditionType[C]) sameButSeen(v *Visitor, base *C, want C) bool {
	b, w := t.Fields(base), t.Fields(&want)
	for i := range w.Seen {
		*w.Seen[i] = *b.Seen[i]
	}
	if w.LastUpdateTime != nil {
		*w.LastUpdateTime = *b.LastUpdateTime
	}
	return t.equal(v, base, &want)
}

// introduce is the condition to write where the base has none of its type.
func (t *ConditionType[C]) introduce(v *Visitor, want C) C {
	w := t.Fields(&want)
	t.cut(w.Message)
	*w.LastTransitionTime = v.momentOr(*w.LastTransitionTime, nil)
	if w.LastUpdateTime != nil {
		*w.LastUpdateTime = v.momentOr(*w.LastUpdateTime, nil)
	}
	if w.ObservedGeneration != nil && *w.ObservedGeneration == 0 {
		*w.ObservedGeneration = v.generation
	}
	t.check(v, w)
	return want
}

// momentOr is the caller's own time if he set one that is not the base's, else
// the time of this call; in whole seconds, UTC, as it is stored.
func (v *Visitor) momentOr(own metav1.Time, base *metav1.Time) metav1.Time {
	at := own.Time
	if own.IsZero() || base != nil && own.Unix() == base.Unix() {
		at = v.now()
	}
	return metav1.NewTime(at.UTC().Truncate(time.Second))
}

// check reports a condition that the server would reject.
func (t *ConditionType[C]) check(v *Visitor, c ConditionFields) {
	r := &t.Rules
	problem := ""
	switch {
	case *c.Type == "":
		problem = "its type is empty"
	case r.MaxType > 0 && utf8.RuneCountInString(*c.Type) > r.MaxType:
		problem = fmt.Sprintf("its type is longer than %d characters", r.MaxType)
	case r.TypePattern != nil && !r.TypePattern.MatchString(*c.Type):
		problem = fmt.Sprintf("its type does not match %s", r.TypePattern)
	case *c.Status != "True" && *c.Status != "False" && *c.Status != "Unknown":
		problem = fmt.Sprintf("its status is %q: use True, False or Unknown", *c.Status)
	case *c.Reason == "" && r.ReasonRequired:
		problem = "it needs a reason"
	case r.MaxReason > 0 && utf8.RuneCountInString(*c.Reason) > r.MaxReason:
		problem = fmt.Sprintf("its reason is longer than %d characters", r.MaxReason)
	case *c.Reason != "" && r.ReasonPattern != nil && !r.ReasonPattern.MatchString(*c.Reason):
		problem = fmt.Sprintf("its reason %q does not match %s", *c.Reason, r.ReasonPattern)
	default:
		return
	}
	v.fail(fmt.Errorf("condition %q is invalid: %s", *c.Type, problem))
}

// cutMark ends a message that was cut.
const cutMark = "… [cut]"

// cut shortens a message that is too long, at a character.
func (t *ConditionType[C]) cut(message *string) {
	limit := t.Rules.MaxMessage
	if limit <= 0 || len(*message) <= limit || utf8.RuneCountInString(*message) <= limit {
		return
	}
	keep := limit - utf8.RuneCountInString(cutMark)
	at := 0
	for i := range *message {
		if keep == 0 {
			at = i
			break
		}
		keep--
	}
	*message = strings.ToValidUTF8((*message)[:at], "\uFFFD") + cutMark
}

// SetCondition sets a condition in a list. The condition takes the generation
// if it has none; its lastTransitionTime is filled in when the patch is made.
func SetCondition[L ~[]C, C any](list *L, t *ConditionType[C], c C, generation int64) {
	f := t.Fields(&c)
	if f.ObservedGeneration != nil && *f.ObservedGeneration == 0 {
		*f.ObservedGeneration = generation
	}
	at := t.find(*list, *f.Type)
	if at < 0 {
		*list = append(*list, c)
		return
	}
	old := t.Fields(&(*list)[at])
	if *old.Status == *f.Status && f.LastTransitionTime.IsZero() {
		*f.LastTransitionTime = *old.LastTransitionTime
	}
	if f.LastUpdateTime != nil && f.LastUpdateTime.IsZero() {
		*f.LastUpdateTime = *old.LastUpdateTime
	}
	for i := range f.Seen {
		if f.Seen[i].IsZero() {
			*f.Seen[i] = *old.Seen[i]
		}
	}
	(*list)[at] = c
}

// SetOrRemoveCondition is SetCondition for a member of a group: nil removes it.
func SetOrRemoveCondition[L ~[]C, C any](list *L, t *ConditionType[C], conditionType string, c *C, generation int64) {
	if c == nil {
		RemoveCondition(list, t, conditionType)
		return
	}
	set := *c
	*t.Fields(&set).Type = conditionType
	SetCondition(list, t, set, generation)
}

// RemoveCondition removes the conditions of a type from a list.
func RemoveCondition[L ~[]C, C any](list *L, t *ConditionType[C], conditionType string) {
	if t.find(*list, conditionType) < 0 {
		return
	}
	kept := make(L, 0, len(*list))
	for i := range *list {
		if t.typeOf(&(*list)[i]) != conditionType {
			kept = append(kept, (*list)[i])
		}
	}
	*list = kept
}

// FindCondition is a copy of the condition of a type in a list, nil if there is none.
func FindCondition[L ~[]C, C any](list L, t *ConditionType[C], conditionType string) *C {
	at := t.find(list, conditionType)
	if at < 0 {
		return nil
	}
	found := list[at]
	return &found
}
