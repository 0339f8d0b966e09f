package markers

import (
	"fmt"

	"sigs.k8s.io/controller-tools/pkg/markers"
)

// The names of the markers.
const (
	patchName              = "statuspatch"
	groupName              = "statuspatch:group"
	conditionName          = "statuspatch:condition"
	observedGenerationName = "statuspatch:observedGeneration"
	lockName               = "statuspatch:lock"
)

// definition is a marker with its help and examples of its use.
type definition struct {
	*markers.Definition
	help     *markers.DefinitionHelp
	examples []string
}

// must is for definitions that are fixed at compile time.
func must(name string, target markers.TargetType, output interface {
	Help() *markers.DefinitionHelp
}, examples ...string) definition {
	return definition{
		Definition: markers.Must(markers.MakeDefinition(name, target, output)),
		help:       output.Help(),
		examples:   examples,
	}
}

// definitions are all markers, in the order in which help shows them.
var definitions = []definition{
	must(patchName, markers.DescribesType, PatchOn,
		"+statuspatch", "+statuspatch=false"),
	must(patchName, markers.DescribesPackage, PatchPackage,
		"+statuspatch=package"),
	must(groupName, markers.DescribesType, Group{},
		"+statuspatch:group=replicas,readyReplicas",
		"+statuspatch:group:name=availability,fields=rollout.availableReplicas;conditions[Available]"),
	must(conditionName, markers.DescribesType, Condition{},
		"+statuspatch:condition=Ready",
		"+statuspatch:condition:type=Ready,reasons=AllReady;Scaling",
		"+statuspatch:condition:type=example.com/Synced,name=Synced,path=v1beta2.conditions"),
	must(observedGenerationName, markers.DescribesField, ObservedGeneration{},
		"+statuspatch:observedGeneration"),
	must(observedGenerationName, markers.DescribesType, ObservedGenerationPath(""),
		"+statuspatch:observedGeneration=observedGeneration"),
	must(lockName, markers.DescribesType, LockObject,
		"+statuspatch:lock=object", "+statuspatch:lock=fields", "+statuspatch:lock=none"),
}

// Register adds the markers, with their help, to reg.
func Register(reg *markers.Registry) error {
	for _, d := range definitions {
		if err := reg.Register(d.Definition); err != nil {
			return fmt.Errorf("marker +%s: %w", d.Name, err)
		}
		reg.AddHelp(d.Definition, d.help)
	}
	return nil
}

// lookup returns the definition of name for target, and whether the name is
// known for any target.
func lookup(name string, target markers.TargetType) (def definition, known, ok bool) {
	for _, d := range definitions {
		if d.Name != name {
			continue
		}
		known = true
		if d.Target == target {
			return d, true, true
		}
	}
	return definition{}, known, false
}

// names returns the markers' names, each once.
func names() []string {
	var out []string
	for _, d := range definitions {
		if len(out) == 0 || out[len(out)-1] != d.Name {
			out = append(out, d.Name)
		}
	}
	return out
}
