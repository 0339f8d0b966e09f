package markers

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/statuspatch/statuspatcher-gen/generators/diag"
)

// Error is a mistake in a marker.
type Error struct {
	// Offset is where in the marker's text it is.
	Offset  int
	Message string
}

// Error implements error.
func (e *Error) Error() string { return e.Message }

func errorAt(offset int, format string, args ...any) error {
	return &Error{Offset: offset, Message: fmt.Sprintf(format, args...)}
}

// Is tells whether the comment line text, which begins with "+", is or was
// meant to be a marker of this package.
func Is(text string) bool {
	first := firstSegment(text)
	return first == patchName || misspelt(first)
}

// firstSegment returns the marker's name up to what is no letter of a word: a
// colon, as a rule, or what is there by mistake.
func firstSegment(text string) string {
	name := strings.TrimLeftFunc(strings.TrimPrefix(text, "+"), unicode.IsSpace)
	if i := strings.IndexFunc(name, func(r rune) bool { return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }); i >= 0 {
		name = name[:i]
	}
	return name
}

// misspelt tells whether name is one typo away from the prefix.
func misspelt(name string) bool {
	near := len(name) >= len(patchName)-1 && len(name) <= len(patchName)+1
	return near && name != patchName && diag.Distance(strings.ToLower(name), patchName) <= 1
}

// Parse parses the marker text, which begins with "+" and for which [Is] holds,
// where it describes target. The value is a [Patch], [Group], [Condition],
// [ObservedGeneration], [ObservedGenerationPath] or [Lock]. The error is an [*Error].
func Parse(text string, target markers.TargetType) (any, error) {
	head, rest, hasValue := strings.Cut(strings.TrimPrefix(text, "+"), "=")
	if first := firstSegment(text); first != patchName {
		return nil, errorAt(0, "unknown marker +%s; did you mean +%s?", first, patchName)
	}
	if err := checkSpace(text, head); err != nil {
		return nil, err
	}
	name, named := head, ""
	if parts := strings.SplitN(head, ":", 3); len(parts) == 3 {
		name, named = parts[0]+":"+parts[1], parts[2]
	}
	def, known, ok := lookup(name, target)
	switch {
	case !known:
		return nil, errorAt(0, "unknown marker +%s%s", name, suggestMarker(name))
	case !ok:
		return nil, errorAt(0, "%s", wrongPlace(name, target))
	}
	at := len(text) - len(rest)
	switch {
	case named == "" && len(name) != len(head):
		return nil, errorAt(0, "+%s ends with a colon: name an argument, or remove it", head)
	case named != "":
		if !takesArguments(def) {
			return nil, errorAt(0, "+%s takes no arguments of the form name=value: write %s", name, def.examples[0])
		}
		return parseNamed(def, text, named, rest, hasValue)
	}
	return parsePlain(def, text, rest, at, hasValue)
}

// checkSpace rejects space in the marker's name, and a comment behind its value.
func checkSpace(text, head string) error {
	if i := strings.IndexFunc(head, unicode.IsSpace); i >= 0 {
		extra := strings.TrimLeftFunc(text[i+1:], unicode.IsSpace)
		at := len(text) - len(extra)
		if i == 0 || head[i-1] == ':' || strings.HasPrefix(extra, "=") || strings.HasPrefix(extra, ":") {
			return errorAt(i+1, "there is a space in the marker: remove it")
		}
		return errorAt(at, "unexpected text after +%s: write the marker on a line of its own", head[:i])
	}
	for i := range text {
		if text[:i] != "" && unicode.IsSpace(rune(text[i-1])) && strings.HasPrefix(text[i:], "//") {
			return errorAt(i, "a marker takes the rest of its line: write the comment on a line of its own")
		}
	}
	return nil
}

// suggestMarker names the marker that was meant, or all of them.
func suggestMarker(name string) string {
	if best := diag.Nearest(name, names()); best != "" {
		return "; did you mean +" + best + "?"
	}
	return "; known are +" + strings.Join(names(), ", +")
}

// wrongPlace says where a marker belongs that does not describe target.
func wrongPlace(name string, target markers.TargetType) string {
	var places []string
	for _, d := range definitions {
		if d.Name == name {
			places = append(places, placeName(d.Target)+" as "+d.examples[0])
		}
	}
	return fmt.Sprintf("+%s does not belong on %s: write it on %s", name, placeName(target), strings.Join(places, ", or on "))
}

func placeName(target markers.TargetType) string {
	switch target {
	case markers.DescribesPackage:
		return "a package (in doc.go)"
	case markers.DescribesField:
		return "a status field"
	}
	return "a root type or its status struct"
}

// takesArguments tells whether the marker has a form with named arguments.
func takesArguments(def definition) bool { return len(arguments(def)) > 0 }

// arguments returns the marker's named arguments.
func arguments(def definition) map[string]markers.Argument {
	if def.Output.Kind() != reflect.Struct {
		return nil
	}
	return def.Fields
}

// parsePlain parses the form without named arguments.
func parsePlain(def definition, text, rest string, at int, hasValue bool) (any, error) {
	switch {
	case hasValue && strings.TrimSpace(rest) == "":
		return nil, errorAt(len(text), "no value after \"=\": write %s", def.examples[0])
	case def.Empty() && hasValue:
		return nil, errorAt(at, "+%s takes no value here: write %s", def.Name, def.examples[0])
	case !hasValue && def.Name != patchName && !def.Empty():
		return nil, errorAt(0, "+%s needs a value: write %s", def.Name, def.examples[0])
	case def.Empty():
		return ObservedGeneration{}, nil
	}
	switch def.Name {
	case observedGenerationName:
		return ObservedGenerationPath(unquoted(rest)), nil
	case lockName:
		return parseLock(unquoted(rest), at)
	}
	if err := notNamed(def, rest, at); err != nil {
		return nil, err
	}
	v, err := def.Parse(text)
	if err != nil {
		return nil, errorAt(at, "%s", firstError(err))
	}
	return v, nil
}

// notNamed catches `group=name=x,fields=y`, where a colon was meant.
func notNamed(def definition, rest string, at int) error {
	arg, _, ok := strings.Cut(rest, "=")
	if _, known := arguments(def)[strings.TrimSpace(arg)]; ok && known {
		return errorAt(at, "arguments follow a colon: write +%s:%s", def.Name, rest)
	}
	return nil
}

func parseLock(value string, at int) (any, error) {
	all := []string{string(LockObject), string(LockFields), string(LockNone)}
	if !slices.Contains(all, value) {
		return nil, errorAt(at, "unknown lock %q%s", value, diag.DidYouMean(value, all))
	}
	return Lock(value), nil
}

// parseNamed parses the form with named arguments. They are checked by name
// first, since one unknown name makes the parser report several errors.
func parseNamed(def definition, text, named, rest string, hasValue bool) (any, error) {
	at := len(text) - len(rest) - len("=") - len(named)
	if !hasValue {
		return nil, errorAt(len(text)-len(named), "argument %q has no value: write %s", named, def.examples[len(def.examples)-1])
	}
	seen := map[string]bool{}
	if i := openQuote(text[at:]); i >= 0 {
		return nil, errorAt(at+i, "a quote is not closed: close it, or remove it")
	}
	for _, arg := range split(text[at:], ',') {
		if err := checkArgument(def, arg, at, seen); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(def.Fields)) {
		if !seen[name] && !def.Fields[name].Optional {
			return nil, errorAt(0, "argument %q is missing: write %s", name, def.examples[len(def.examples)-1])
		}
	}
	v, err := def.Parse(text)
	if err != nil {
		return nil, errorAt(at, "%s", firstError(err))
	}
	return v, nil
}

// argument is one name=value of a marker, or one element of a list.
type argument struct {
	offset int
	text   string
}

func checkArgument(def definition, arg argument, at int, seen map[string]bool) error {
	name, value, ok := strings.Cut(arg.text, "=")
	trimmed := strings.TrimSpace(name)
	offset := at + arg.offset + len(name) - len(strings.TrimLeft(name, " \t"))
	_, known := def.Fields[trimmed]
	switch {
	case !ok && trimmed == "":
		return errorAt(offset, "an argument is empty: remove the comma")
	case !ok:
		return errorAt(offset, "%q is no argument: write name=value, with semicolons between the elements of a list", trimmed)
	case !known:
		return errorAt(offset, "unknown argument %q of +%s%s", trimmed, def.Name, diag.DidYouMean(trimmed, slices.Sorted(maps.Keys(def.Fields))))
	case seen[trimmed]:
		return errorAt(offset, "argument %q is given twice: keep one", trimmed)
	case strings.Trim(value, " \t;") == "" || strings.TrimSpace(value) == "{}":
		return errorAt(offset, "argument %q has no value: write one, or leave the argument out", trimmed)
	}
	seen[trimmed] = true
	if def.Fields[trimmed].Type == markers.SliceType {
		return checkList(trimmed, value, at+arg.offset+len(name)+len("="))
	}
	return nil
}

// checkList rejects an empty element, at which the parser goes astray.
func checkList(name, value string, at int) error {
	for _, elem := range split(value, ';') {
		if strings.Trim(elem.text, " \t{}") == "" {
			return errorAt(at+elem.offset, "an element of %q is empty: remove the semicolon, or write what is missing", name)
		}
	}
	return nil
}

// openQuote returns where a quote begins that does not end; -1 if none does.
func openQuote(s string) int {
	at, escaped := -1, false
	for i, r := range s {
		switch {
		case escaped:
			escaped = false
		case at >= 0:
			escaped = r == '\\' && s[at] == '"'
			if r == rune(s[at]) {
				at = -1
			}
		case r == '"' || r == '`':
			at = i
		}
	}
	return at
}

// split splits s at the separators that are outside quotes and braces.
func split(s string, separator rune) []argument {
	var out []argument
	start, depth := 0, 0
	var quote rune
	escaped := false
	for i, r := range s {
		switch {
		case escaped:
			escaped = false
		case quote != 0:
			escaped = r == '\\' && quote == '"'
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '`':
			quote = r
		case r == '{':
			depth++
		case r == '}':
			depth--
		case r == separator && depth <= 0:
			out = append(out, argument{start, s[start:i]})
			start = i + 1
		}
	}
	return append(out, argument{start, s[start:]})
}

// firstError returns the first of the errors that controller-tools joins,
// without its own position.
func firstError(err error) string {
	msg, _, _ := strings.Cut(strings.TrimLeft(err.Error(), "[\n\t "), "\n")
	if i := strings.LastIndex(msg, " (at "); i >= 0 {
		msg = msg[:i]
	}
	return msg
}
