package markers

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/markers"
)

// WriteHelp prints every marker with its arguments, documentation and examples.
func WriteHelp(w io.Writer) error {
	var b strings.Builder
	for i, d := range definitions {
		if i > 0 {
			b.WriteByte('\n')
		}
		writeDefinition(&b, d)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeDefinition(b *strings.Builder, d definition) {
	fmt.Fprintf(b, "%s    on %s\n", signature(d), placeName(d.Target))
	writeIndented(b, "    ", d.help.Summary)
	if d.help.Details != "" {
		writeIndented(b, "    ", d.help.Details)
	}
	if args := arguments(d); len(args) > 0 {
		b.WriteString("  arguments:\n")
		for _, name := range argumentOrder(d) {
			arg := args[name]
			help := d.help.FieldHelp[d.FieldNames[name]]
			fmt.Fprintf(b, "    %s (%s%s)\n", name, arg.TypeString(), optional(arg))
			writeIndented(b, "        ", strings.TrimSpace(help.Summary+" "+help.Details))
		}
	}
	b.WriteString("  examples:\n")
	for _, e := range d.examples {
		fmt.Fprintf(b, "    // %s\n", e)
	}
}

func optional(arg markers.Argument) string {
	if arg.Optional {
		return ", optional"
	}
	return ""
}

// signature is the marker with its forms.
func signature(d definition) string {
	switch {
	case d.Name == patchName && d.Target == markers.DescribesPackage:
		return "+statuspatch=package"
	case d.Name == patchName:
		return "+statuspatch[=false]"
	case len(arguments(d)) > 0:
		plain := map[string]string{groupName: "<field>,<field>…", conditionName: "<type>"}[d.Name]
		var args []string
		for _, name := range argumentOrder(d) {
			args = append(args, name+"=…")
		}
		return fmt.Sprintf("+%s=%s  or  +%s:%s", d.Name, plain, d.Name, strings.Join(args, ","))
	case d.Name == lockName:
		return fmt.Sprintf("+%s=%s|%s|%s", d.Name, LockObject, LockFields, LockNone)
	case d.Target == markers.DescribesType:
		return "+" + d.Name + "=<JSON path>"
	}
	return "+" + d.Name
}

// argumentOrder returns the arguments in the order of their Go fields.
func argumentOrder(d definition) []string {
	order := map[string]int{}
	for name := range d.Fields {
		if f, ok := d.Output.FieldByName(d.FieldNames[name]); ok {
			order[name] = f.Index[0]
		}
	}
	names := slices.Collect(maps.Keys(order))
	slices.SortFunc(names, func(a, b string) int { return order[a] - order[b] })
	return names
}

func writeIndented(b *strings.Builder, indent, text string) {
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight(indent+line, " \n") + "\n")
	}
}
