package contention_test

import (
	"fmt"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// task is what all writers do: raise a number each time, so that the final
// status shows how many updates are in it.
type task struct {
	name   string
	start  func(writers int) v1alpha1.MachinePoolStatus
	raise  func(s *v1alpha1.MachinePoolStatus, writer int)
	raised func(s *v1alpha1.MachinePoolStatus) int
}

// counter has all writers raise one counter.
var counter = task{
	name:  "one counter",
	start: func(int) v1alpha1.MachinePoolStatus { return v1alpha1.MachinePoolStatus{ObservedGeneration: 1} },
	raise: func(s *v1alpha1.MachinePoolStatus, _ int) {
		s.Replicas, s.ReadyReplicas = s.Replicas+1, s.ReadyReplicas+1
	},
	raised: func(s *v1alpha1.MachinePoolStatus) int { return int(s.Replicas) },
}

// conditions has each writer raise a number in a condition of its own, which is
// there from the start.
var conditions = task{
	name: "a condition each",
	start: func(writers int) v1alpha1.MachinePoolStatus {
		s := v1alpha1.MachinePoolStatus{ObservedGeneration: 1}
		for i := range writers {
			s.Conditions = append(s.Conditions, metav1.Condition{
				Type: conditionOf(i), Status: metav1.ConditionTrue, Reason: "Counted", Message: "0", LastTransitionTime: metav1.Now(), ObservedGeneration: 1,
			})
		}
		return s
	},
	raise: func(s *v1alpha1.MachinePoolStatus, writer int) {
		for i := range s.Conditions {
			if c := &s.Conditions[i]; c.Type == conditionOf(writer) {
				c.Message = strconv.Itoa(number(c.Message) + 1)
			}
		}
	},
	raised: func(s *v1alpha1.MachinePoolStatus) int {
		sum := 0
		for _, c := range s.Conditions {
			sum += number(c.Message)
		}
		return sum
	},
}

func conditionOf(writer int) string { return fmt.Sprintf("Writer%d", writer) }

// number reads what raise wrote; a text that is none counts as 0.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}
