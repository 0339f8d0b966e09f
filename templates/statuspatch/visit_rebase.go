package statuspatch

import (
	"fmt"
	"strings"
)

// rebaseField carries the caller's change of one field over to what is live.
func rebaseField[T any, K kind[T]](v *Visitor, f *fieldInfo, base, want, live *T, k K) {
	member, inside := v.member, v.inside
	v.member = member.child(f.name)
	if v.member.isMember() {
		v.inside = v.member
	}
	v.path = append(v.path, f.name)
	switch {
	case v.inForced() && v.inside.passive:
	case v.inForced():
		*live = *want
	case sameJSON(v, f, base, want, k) && !(v.forced.any() && v.member != nil):
	default:
		k.rebase(v, base, want, live)
	}
	v.path = v.path[:len(v.path)-1]
	v.member, v.inside = member, inside
}

// rebaseWhole sets live to want where the caller alone changed it, and reports
// whether nobody else changed it otherwise.
func rebaseWhole[T any, K kind[T]](v *Visitor, k K, base, want, live *T) bool {
	switch {
	case k.equal(v, base, want), k.equal(v, want, live):
		return true
	case k.equal(v, base, live):
		*live = *want
		return true
	}
	return false
}

// bothChanged notes a conflict where the visit is.
func (v *Visitor) bothChanged() { v.conflicts = append(v.conflicts, strings.Join(v.path, ".")) }

// conflictsError is what a caller of a deferred patch gets if he and another
// writer changed the same field.
func (v *Visitor) conflictsError() error {
	if len(v.conflicts) == 0 {
		return nil
	}
	return fmt.Errorf("status.%s was changed by another writer too", strings.Join(v.conflicts, ", status."))
}
