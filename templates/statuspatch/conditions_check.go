package statuspatch

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// check reports a condition that the server would reject. stored is the one of
// the same type that the base has, nil if there is none.
func (t *ConditionType[C]) check(v *Visitor, c ConditionFields, stored *ConditionFields) {
	problem := t.Rules.problemOfStatus(*c.Status)
	if stored == nil && problem == "" {
		problem = t.Rules.problemOfType(*c.Type)
	}
	if (stored == nil || *c.Reason != *stored.Reason) && problem == "" {
		problem = t.Rules.problemOfReason(*c.Reason)
	}
	if problem != "" {
		v.fail(fmt.Errorf("condition %q is invalid: %s", *c.Type, problem))
	}
}

func (r *ConditionRules) problemOfType(conditionType string) string {
	switch {
	case conditionType == "":
		return "its type is empty"
	case r.MaxType > 0 && utf8.RuneCountInString(conditionType) > r.MaxType:
		return fmt.Sprintf("its type is longer than %d characters", r.MaxType)
	case r.TypePattern != nil && !r.TypePattern.MatchString(conditionType):
		return fmt.Sprintf("its type does not match %s", r.TypePattern)
	}
	return ""
}

func (r *ConditionRules) problemOfStatus(status string) string {
	if len(r.Statuses) == 0 || slices.Contains(r.Statuses, status) {
		return ""
	}
	return fmt.Sprintf("its status is %q: use one of %s", status, strings.Join(r.Statuses, ", "))
}

func (r *ConditionRules) problemOfReason(reason string) string {
	switch {
	case reason == "" && r.ReasonRequired:
		return "it needs a reason"
	case r.MaxReason > 0 && utf8.RuneCountInString(reason) > r.MaxReason:
		return fmt.Sprintf("its reason is longer than %d characters", r.MaxReason)
	case reason != "" && r.ReasonPattern != nil && !r.ReasonPattern.MatchString(reason):
		return fmt.Sprintf("its reason %q does not match %s", reason, r.ReasonPattern)
	}
	return ""
}

// cutMark ends a message that was cut.
const cutMark = "… [cut]"

// fit makes a message what will be stored: bytes that are no text replaced, as
// encoding/json does, and what is too long cut at a character.
func (t *ConditionType[C]) fit(message *string) {
	if !utf8.ValidString(*message) {
		*message = string([]rune(*message))
	}
	limit := t.Rules.MaxMessage
	if limit <= 0 || len(*message) <= limit || utf8.RuneCountInString(*message) <= limit {
		return
	}
	mark := cutMark
	if limit <= utf8.RuneCountInString(mark) {
		mark = "" // it would leave no room
	}
	*message = firstCharacters(*message, limit-utf8.RuneCountInString(mark)) + mark
}

func firstCharacters(s string, n int) string {
	for at := range s {
		if n == 0 {
			return s[:at]
		}
		n--
	}
	return s
}
