package statuspatch

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
	for i, seen := range f.Seen {
		if seen != nil && seen.IsZero() {
			*seen = *old.Seen[i]
		}
	}
	(*list)[at] = c
}

// MarkCondition sets status, reason, message and severity of a condition in a
// list, and leaves what else its type has as it is.
func MarkCondition[L ~[]C, C any](list *L, t *ConditionType[C], c C, generation int64) {
	if at := t.find(*list, t.typeOf(&c)); at >= 0 {
		marked := (*list)[at]
		from, onto := t.Fields(&c), t.Fields(&marked)
		if *onto.Status != *from.Status {
			*onto.LastTransitionTime = metav1.Time{}
		}
		*onto.Status, *onto.Reason, *onto.Message = *from.Status, *from.Reason, *from.Message
		if onto.Severity != nil {
			*onto.Severity = *from.Severity
		}
		if onto.ObservedGeneration != nil {
			*onto.ObservedGeneration = generation
		}
		c = marked
	}
	SetCondition(list, t, c, generation)
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
