package statuspatch

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// normalise makes of an edited list the one to write, and reports whether the
// list was edited at all. What the caller left as it was is the base's, times
// and order included; generation and now fill in what he left out. inBase is
// base's index, and room what a new list is put into.
func (t *ConditionType[C]) normalise(v *Visitor, base, want []C, inBase *conditionIndex, room *[]C) (list []C, edited bool) {
	if t.untouched(v, base, want) {
		return base, false
	}
	inWant := t.index(want)
	if *room == nil || cap(*room) < len(want) {
		*room = make([]C, 0, len(want)) // an empty list is not nil
	}
	out := (*room)[:0]
	for i := range base {
		conditionType := t.typeOf(&base[i])
		at := inWant.find(conditionType, i)
		switch {
		case at < 0, inBase.find(conditionType, i) != i:
		case t.equal(v, &base[i], &want[at]):
			out = append(out, base[i])
		default:
			out = append(out, t.update(v, &base[i], want[at]))
		}
	}
	for i := range want {
		conditionType := t.typeOf(&want[i])
		if inBase.find(conditionType, i) < 0 && inWant.find(conditionType, i) == i {
			out = append(out, t.introduce(v, want[i]))
		}
	}
	*room = out
	return out, true
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
	t.fit(w.Message)
	transition, update := *w.LastTransitionTime, w.lastUpdate()
	w.takeTimes(b)
	if t.sameButSeen(v, base, want) {
		return *base
	}
	if w.ObservedGeneration != nil && *w.ObservedGeneration == 0 {
		*w.ObservedGeneration = v.generation
		if t.sameButSeen(v, base, want) {
			return *base
		}
	}
	flipped := *b.Status != *w.Status
	if flipped || b.LastTransitionTime.IsZero() {
		*w.LastTransitionTime = v.momentOr(transition, b.LastTransitionTime)
	}
	if w.LastUpdateTime != nil && (flipped || *b.Reason != *w.Reason || *b.Message != *w.Message) {
		*w.LastUpdateTime = v.momentOr(update, b.LastUpdateTime)
	}
	t.check(v, w)
	return want
}

// introduce is the condition to write where the base has none of its type.
func (t *ConditionType[C]) introduce(v *Visitor, want C) C {
	w := t.Fields(&want)
	t.fit(w.Message)
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

// replayed is an edited condition without the times that others' writes may
// have made old: base is the one it was edited from, nil for a new one.
func (t *ConditionType[C]) replayed(base *C, edited C) C {
	if base == nil {
		return edited
	}
	b, w := t.Fields(base), t.Fields(&edited)
	if *b.Status == *w.Status || sameSecond(w.LastTransitionTime, b.LastTransitionTime) {
		*w.LastTransitionTime = metav1.Time{}
	}
	if w.LastUpdateTime != nil && sameSecond(w.LastUpdateTime, b.LastUpdateTime) {
		*w.LastUpdateTime = metav1.Time{}
	}
	for i, seen := range w.Seen {
		if seen != nil && sameSecond(seen, b.Seen[i]) {
			*seen = metav1.Time{}
		}
	}
	return edited
}

// sameButSeen reports whether want says what base says, heartbeats aside.
func (t *ConditionType[C]) sameButSeen(v *Visitor, base *C, want C) bool {
	b, w := t.Fields(base), t.Fields(&want)
	for i, seen := range w.Seen {
		if seen != nil {
			*seen = *b.Seen[i]
		}
	}
	return t.equal(v, base, &want)
}

// takeTimes takes over the base's times: all but heartbeats that the caller set.
func (f ConditionFields) takeTimes(base ConditionFields) {
	*f.LastTransitionTime = *base.LastTransitionTime
	if f.LastUpdateTime != nil {
		*f.LastUpdateTime = *base.LastUpdateTime
	}
	for i, seen := range f.Seen {
		if seen != nil && seen.IsZero() {
			*seen = *base.Seen[i]
		}
	}
}

func (f ConditionFields) lastUpdate() metav1.Time {
	if f.LastUpdateTime == nil {
		return metav1.Time{}
	}
	return *f.LastUpdateTime
}

// momentOr is the caller's own time if he set one that is not the base's, else
// the time of this call; in whole seconds, UTC, as it is stored.
func (v *Visitor) momentOr(own metav1.Time, base *metav1.Time) metav1.Time {
	at := own.Time
	if own.IsZero() || base != nil && sameSecond(&own, base) {
		at = v.clock.time()
	}
	return metav1.NewTime(at.UTC().Truncate(time.Second))
}

func sameSecond(a, b *metav1.Time) bool { return a.Unix() == b.Unix() }
