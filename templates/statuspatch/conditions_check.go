package statuspatch

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// check reports a condition that the server would reject.
func (t *ConditionType[C]) check(v *Visitor, c ConditionFields) {
	r := &t.Rules
	problem := ""
	switch {
	case *c.Type == "":
		problem = "its type is empty"
	case r.MaxType > 0 && utf8.RuneCountInString(*c.Type) > r.MaxType:
		problem = fmt.Sprintf("its type is longer than %d characters", r.MaxType)
	case r.TypePattern != nil && !r.matches(r.TypePattern, *c.Type):
		problem = fmt.Sprintf("its type does not match %s", r.TypePattern)
	case len(r.Statuses) > 0 && !slices.Contains(r.Statuses, *c.Status):
		problem = fmt.Sprintf("its status is %q: use one of %s", *c.Status, strings.Join(r.Statuses, ", "))
	case *c.Reason == "" && r.ReasonRequired:
		problem = "it needs a reason"
	case r.MaxReason > 0 && utf8.RuneCountInString(*c.Reason) > r.MaxReason:
		problem = fmt.Sprintf("its reason is longer than %d characters", r.MaxReason)
	case *c.Reason != "" && r.ReasonPattern != nil && !r.matches(r.ReasonPattern, *c.Reason):
		problem = fmt.Sprintf("its reason %q does not match %s", *c.Reason, r.ReasonPattern)
	default:
		return
	}
	v.fail(fmt.Errorf("condition %q is invalid: %s", *c.Type, problem))
}

func (r *ConditionRules) matches(pattern *regexp.Regexp, s string) bool {
	return r.camelCase && isCamelCase(s) || pattern.MatchString(s)
}

// isCamelCase reports whether s is of letters and digits, a letter first: what
// nearly all types and reasons are, and most patterns let through.
func isCamelCase(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case '0' <= c && c <= '9' && i > 0:
		default:
			return false
		}
	}
	return s != ""
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
