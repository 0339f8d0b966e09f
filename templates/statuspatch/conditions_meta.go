package statuspatch

import (
	"regexp"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

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
		Statuses:       []string{"True", "False", "Unknown"},
		TypePattern:    regexp.MustCompile(`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`),
		MaxType:        316, MaxReason: 1024, MaxMessage: 32768,
		camelCase: true,
	},
	Type:   func(c *metav1.Condition) string { return c.Type },
	Same:   same[metav1.Condition],
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
	size := 2
	for i := range list {
		c := &list[i]
		size += 144 + len(c.Type) + len(c.Status) + len(c.Reason) + len(c.Message) // 144 is for the keys and the time
	}
	to = append(slices.Grow(to, size), '[')
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
