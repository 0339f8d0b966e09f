package model_test

import (
	"fmt"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// edit is what a writer does to the status. n is another number in each call.
type edit struct {
	name string
	// keys are those that it may change, as flatten names them.
	keys  []string
	apply func(p *v1alpha1.MachinePoolStatusPatch, n int32)
	// landed says whether the status holds what the edit with n wrote. It is
	// nil where others may have written over it since.
	landed func(s *v1alpha1.MachinePoolStatus, n int32) bool
	// list is the list that it edits, if any: lists are written whole, so under
	// the lock none it takes back what others did to a list that the writer saw.
	list string
	// shared is set where several writers edit the same plain field: in the
	// deferred form that is a conflict.
	shared bool
}

// counterGap is between the two members of the group of counters.
const counterGap = 1000

var counterKeys = []string{"replicas", "readyReplicas"}

// increment raises the counters, which are a group.
var increment = edit{
	name: "increment", keys: counterKeys,
	apply: func(p *v1alpha1.MachinePoolStatusPatch, _ int32) {
		p.SetReplicasAndReadyReplicas(p.Status.Replicas+1, p.Status.Replicas+1+counterGap)
	},
}

// setCounters sets the counters to what no other writer sets.
var setCounters = edit{
	name: "set counters", keys: counterKeys,
	apply: func(p *v1alpha1.MachinePoolStatusPatch, n int32) {
		p.SetReplicasAndReadyReplicas(n, n+counterGap)
	},
}

// setPhase sets a plain field that others set too.
var setPhase = edit{
	name: "phase", keys: []string{"phase"}, shared: true,
	apply: func(p *v1alpha1.MachinePoolStatusPatch, n int32) { p.Status.Phase = fmt.Sprintf("Phase%d", n) },
}

var availabilityKeys = []string{"rollout.availableReplicas", "conditions[Available]"}

// available sets the group of a nested field and a condition. The condition's
// message names the field's value.
var available = edit{
	name: "available", keys: availabilityKeys,
	apply: func(p *v1alpha1.MachinePoolStatusPatch, n int32) {
		status := metav1.ConditionFalse
		if n%2 == 0 {
			status = metav1.ConditionTrue
		}
		p.SetAvailability(&n, &metav1.Condition{Status: status, Reason: "Counted", Message: strconv.Itoa(int(n))})
	},
}

// unknown sets the same group, its field to nil.
var unknown = edit{
	name: "unknown", keys: availabilityKeys,
	apply: func(p *v1alpha1.MachinePoolStatusPatch, _ int32) {
		p.SetAvailability(nil, &metav1.Condition{Status: metav1.ConditionUnknown, Reason: "Uncounted", Message: noAvailability})
	},
}

// silent sets the field of that group, and has no condition.
var silent = edit{
	name: "silent", keys: availabilityKeys,
	apply: func(p *v1alpha1.MachinePoolStatusPatch, n int32) { p.SetAvailability(&n, nil) },
}

// confirm adds the condition to what the field holds.
var confirm = edit{
	name: "confirm", keys: availabilityKeys,
	apply: func(p *v1alpha1.MachinePoolStatusPatch, _ int32) {
		var count *int32
		message := noAvailability
		if p.Status.Rollout != nil && p.Status.Rollout.AvailableReplicas != nil {
			count = p.Status.Rollout.AvailableReplicas
			message = strconv.Itoa(int(*count))
		}
		p.SetAvailability(count, &metav1.Condition{Status: metav1.ConditionTrue, Reason: "Confirmed", Message: message})
	},
}

// noRollout removes the struct that holds the member, and the condition.
var noRollout = edit{
	name: "no rollout", keys: append([]string{"rollout.image"}, availabilityKeys...), shared: true,
	apply: func(p *v1alpha1.MachinePoolStatusPatch, _ int32) {
		p.Status.Rollout = nil
		p.SetAvailability(nil, nil)
	},
}

// noAvailability is the condition's message where the field is nil.
const noAvailability = "nil"

// image sets a neighbour of a member, in the same struct.
var image = edit{
	name: "image", keys: []string{"rollout.image"}, shared: true,
	apply: func(p *v1alpha1.MachinePoolStatusPatch, n int32) {
		if p.Status.Rollout == nil {
			p.Status.Rollout = &v1alpha1.MachinePoolRollout{}
		}
		p.Status.Rollout.Image = strconv.Itoa(int(n))
	},
}

// ready flips a condition that others flip too.
var ready = edit{
	name: "ready", keys: []string{"conditions[Ready]"},
	apply: func(p *v1alpha1.MachinePoolStatusPatch, n int32) {
		if c := p.ReadyCondition(); c != nil && c.Status == metav1.ConditionTrue {
			p.SetReadyCondition(metav1.ConditionFalse, v1alpha1.MachinePoolReadyConditionReasonScaling, strconv.Itoa(int(n)))
			return
		}
		p.SetReadyCondition(metav1.ConditionTrue, v1alpha1.MachinePoolReadyConditionReasonAllReady, strconv.Itoa(int(n)))
	},
}

// unready removes that condition.
var unready = edit{
	name: "unready", keys: []string{"conditions[Ready]"},
	apply: func(p *v1alpha1.MachinePoolStatusPatch, _ int32) { p.RemoveReadyCondition() },
}

// ownCondition sets a condition that one writer alone sets.
func ownCondition(writer int) edit {
	conditionType := fmt.Sprintf("Own%d", writer)
	return edit{
		name: conditionType, keys: []string{"conditions[" + conditionType + "]"},
		apply: func(p *v1alpha1.MachinePoolStatusPatch, n int32) {
			p.SetCondition(metav1.Condition{Type: conditionType, Status: metav1.ConditionTrue, Reason: "Set", Message: strconv.Itoa(int(n))})
		},
		landed: func(s *v1alpha1.MachinePoolStatus, n int32) bool {
			for _, c := range s.Conditions {
				if c.Type == conditionType {
					return c.Message == strconv.Itoa(int(n))
				}
			}
			return false
		},
	}
}

// ownCapacity sets a key of a map that one writer alone sets.
func ownCapacity(writer int) edit {
	key := fmt.Sprintf("own%d", writer)
	return edit{
		name: "capacity", keys: []string{"capacity." + key},
		apply: func(p *v1alpha1.MachinePoolStatusPatch, n int32) {
			if p.Status.Capacity == nil {
				p.Status.Capacity = map[string]resource.Quantity{}
			}
			p.Status.Capacity[key] = *resource.NewQuantity(int64(n), resource.DecimalSI)
		},
		landed: func(s *v1alpha1.MachinePoolStatus, n int32) bool {
			q := s.Capacity[key]
			return q.Value() == int64(n)
		},
	}
}

// ownMachine sets an entry of a keyed list that one writer alone sets.
func ownMachine(writer int) edit {
	name := fmt.Sprintf("own%d", writer)
	return edit{
		name: "machine", list: "machines", keys: []string{"machines[" + name + "]"},
		apply: func(p *v1alpha1.MachinePoolStatusPatch, n int32) {
			zone := strconv.Itoa(int(n))
			for i := range p.Status.Machines {
				if p.Status.Machines[i].Name == name {
					p.Status.Machines[i].Zone = zone
					return
				}
			}
			p.Status.Machines = append(p.Status.Machines, v1alpha1.MachineReference{Name: name, Zone: zone})
		},
		landed: func(s *v1alpha1.MachinePoolStatus, n int32) bool {
			for _, m := range s.Machines {
				if m.Name == name {
					return m.Zone == strconv.Itoa(int(n))
				}
			}
			return false
		},
	}
}

// ownZone adds an item of a set that one writer alone adds.
func ownZone(writer int) edit {
	zone := fmt.Sprintf("own%d", writer)
	return edit{
		name: "zone", list: "zones", keys: []string{"zones[" + zone + "]"},
		apply: func(p *v1alpha1.MachinePoolStatusPatch, _ int32) {
			for _, z := range p.Status.Zones {
				if z == zone {
					return
				}
			}
			p.Status.Zones = append(p.Status.Zones, zone)
		},
		landed: func(s *v1alpha1.MachinePoolStatus, _ int32) bool {
			for _, z := range s.Zones {
				if z == zone {
					return true
				}
			}
			return false
		},
	}
}

// editsOf are the edits that a writer may make.
func editsOf(writer int) []edit {
	return []edit{
		increment, setCounters, setPhase, available, unknown, silent, confirm, noRollout, image, ready, unready,
		ownCondition(writer), ownCapacity(writer), ownMachine(writer), ownZone(writer),
	}
}
