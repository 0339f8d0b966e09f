package markers

import (
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/markers"
)

// +controllertools:marker:generateHelp:category="Status patch"

// Patch generates a status patcher for the type.
//
// It stands on a root type, or on its status struct, where it holds for every
// root type of the package that uses that struct. Every other marker of this
// category implies it. `+statuspatch=false` opts a type out, and
// `+statuspatch=package` in doc.go opts in every root type of the package that
// has a status.
type Patch string

// The values of [Patch].
const (
	PatchOn      Patch = "true"
	PatchOff     Patch = "false"
	PatchPackage Patch = "package"
)

// ParseMarker implements the hook of markers.Definition.Parse: the marker is
// bare or has one of three values.
func (p *Patch) ParseMarker(_, _, value string) error {
	switch v := Patch(strings.TrimSpace(value)); v {
	case "", PatchOn:
		*p = PatchOn
	case PatchOff, PatchPackage:
		*p = v
	default:
		return fmt.Errorf("%q is no value of +statuspatch: leave it out, or write =false or =package", value)
	}
	return nil
}

// +controllertools:marker:generateHelp:category="Status patch"

// Group declares status fields that only make sense together: if one of them
// changes, all of them are in the patch.
//
// Members are JSON names; a nested one is a dotted path, and a condition is
// written as `conditions[Ready]`. The short form `=replicas,readyReplicas`
// lists the members only. The group gets a setter that takes every member.
type Group struct {
	// Name names the setter and, above three members, the struct that it takes.
	// By default it is made of the members' Go names; above three it is required.
	Name string `marker:"name,optional"`
	// Fields are the members, with semicolons between them.
	Fields []string `marker:"fields"`
}

// groupArgs is the named form of Group, without its ParseMarker.
type groupArgs Group

// ParseMarker implements the hook of markers.Definition.Parse for both forms.
func (g *Group) ParseMarker(_, anonymousName, rest string) error {
	if anonymousName != groupName {
		args, err := groupArgsDef.Parse("+" + anonymousName + "=" + rest)
		if err != nil {
			return err
		}
		*g = Group(args.(groupArgs))
		return noneEmpty("fields", g.Fields)
	}
	if strings.Contains(rest, ";") {
		return fmt.Errorf("members have commas between them in this form: write +%s=%s", groupName, strings.ReplaceAll(rest, ";", ","))
	}
	for f := range strings.SplitSeq(rest, ",") {
		g.Fields = append(g.Fields, strings.TrimSpace(f))
	}
	return noneEmpty("fields", g.Fields)
}

// +controllertools:marker:generateHelp:category="Status patch"

// Condition declares a condition of the type, which gets a setter and a getter.
//
// The short form `=Ready` gives the type only.
type Condition struct {
	// Type is the condition's type.
	Type string `marker:"type"`
	// Reasons are the reasons that the setter takes, with semicolons between
	// them. Each becomes a constant. Without them any string is a reason.
	Reasons []string `marker:"reasons,optional"`
	// Path is the JSON path, below status, of the list that the condition is
	// in; by default `conditions`.
	Path string `marker:"path,optional"`
	// Name is the condition's Go name, where its type is no Go identifier or
	// the generated names would clash.
	Name string `marker:"name,optional"`
}

// conditionArgs is the named form of Condition, without its ParseMarker.
type conditionArgs Condition

// ParseMarker implements the hook of markers.Definition.Parse for both forms.
func (c *Condition) ParseMarker(_, anonymousName, rest string) error {
	if anonymousName != conditionName {
		args, err := conditionArgsDef.Parse("+" + anonymousName + "=" + rest)
		if err != nil {
			return err
		}
		*c = Condition(args.(conditionArgs))
		if c.Type == "" {
			return fmt.Errorf("argument %q is empty: write the condition's type", "type")
		}
		return noneEmpty("reasons", c.Reasons)
	}
	c.Type = unquoted(rest)
	if c.Type == "" {
		return fmt.Errorf("no condition type: write +%s=Ready", conditionName)
	}
	return nil
}

// +controllertools:marker:generateHelp:category="Status patch"

// ObservedGeneration marks the int64 status field in which a write records the
// generation of the spec that the caller reconciled.
type ObservedGeneration struct{}

// +controllertools:marker:generateHelp:category="Status patch"

// ObservedGenerationPath names, on a type or an alias, the int64 status field
// in which a write records the generation of the spec that the caller
// reconciled. Its value is the field's JSON path below status.
type ObservedGenerationPath string

// +controllertools:marker:generateHelp:category="Status patch"

// Lock is what a write of the type guards by default.
//
// With `object` it lands only if nobody wrote the object since it was read;
// with `fields` only if nobody wrote the fields that it changes; with `none`
// the last writer wins, groups still going out whole. A call can choose
// another one.
type Lock string

// The values of [Lock].
const (
	LockObject Lock = "object"
	LockFields Lock = "fields"
	LockNone   Lock = "none"
)

// noneEmpty rejects an empty element, which the list syntax lets through.
func noneEmpty(arg string, values []string) error {
	for _, v := range values {
		if strings.TrimSpace(v) == "" {
			return fmt.Errorf("an element of %q is empty: remove the separator, or write what is missing", arg)
		}
	}
	return nil
}

// unquoted returns the value of a plain form, which may be quoted.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if v, err := strconv.Unquote(s); err == nil {
		return v
	}
	return s
}

var (
	groupArgsDef     = markers.Must(markers.MakeDefinition(groupName, markers.DescribesType, groupArgs{}))
	conditionArgsDef = markers.Must(markers.MakeDefinition(conditionName, markers.DescribesType, conditionArgs{}))
)
