// Package names knows what the identifiers of the support package are called
// in a package that it is copied into.
package names

import (
	"regexp"
	"strings"
)

// public are the identifiers of the support package that users name.
var public = regexp.MustCompile(`^(Client|Lock|Lock[A-Z]\w*|Result|With[A-Z]\w*)$`)

// Prefixed is the name of an identifier of the support package in a package
// that it is copied into. Only what users name stays exported.
func Prefixed(name string) string {
	switch {
	case name == "Skip":
		return "SkipStatusPatch"
	case strings.HasPrefix(name, "With") && public.MatchString(name):
		return "WithStatusPatch" + strings.TrimPrefix(name, "With")
	case public.MatchString(name):
		return "StatusPatch" + name
	}
	return "statusPatch" + strings.ToUpper(name[:1]) + name[1:]
}
