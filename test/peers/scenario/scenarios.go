package scenario

import (
	"fmt"
	"time"
)

// Scale is how much of each scenario is run.
type Scale struct {
	// Alone is the number of updates of a single writer, Large that on a large object.
	Alone, Large int
	// Each is the number of updates of each of several writers, EachCondition that where
	// sixteen write conditions, which costs the server most.
	Each, EachCondition int
	// Writers are the numbers of writers of one counter.
	Writers []int
}

// Full is the scale of the benchmarks, Quick that of the tests.
var (
	Full  = Scale{Alone: 30, Large: 5, Each: 10, EachCondition: 3, Writers: []int{2, 4, 8, 16}}
	Quick = Scale{Alone: 3, Large: 1, Each: 4, EachCondition: 2, Writers: []int{8}}
)

// All are the scenarios at a scale.
func All(s Scale) []Scenario {
	all := []Scenario{
		{"half-written", "stale object: 3/3 in hand, 3/2 stored, 4/3 to write", halfWritten(0)},
		{"half-written-100ms", "the same, and the cache 100 ms behind", halfWritten(100 * time.Millisecond)},
		{"half-written-2s", "the same, and the cache 2 s behind", halfWritten(2 * time.Second)},
		{"one-field", "one field changes", alone(kubeadmControlPlane, s.Alone, oneField)},
		{"one-condition", "one condition changes", alone(kubeadmControlPlane, s.Alone, oneCondition)},
		{"ten-fields", "ten fields and three conditions change", alone(kubeadmControlPlane, s.Alone, tenFields)},
		{"no-op", "nothing changes", alone(kubeadmControlPlane, s.Alone, noOp)},
		{"large-object", "one field of a 1 MiB object changes", alone(large, s.Large, oneField)},
	}
	for _, n := range s.Writers {
		all = append(all, Scenario{
			fmt.Sprintf("counter-%02d", n), fmt.Sprintf("%d writers count one counter up, %d times each", n, s.Each), counter(n, s.Each),
		})
	}
	return append(all,
		Scenario{"conditions-16", fmt.Sprintf("16 writers, each of a condition of its own, %d times each", s.EachCondition), conditions(16, s.EachCondition)},
		Scenario{"disjoint", fmt.Sprintf("two controllers of different fields, %d times each", s.Each), disjoint(s.Each)},
		Scenario{"recreated", "the object is deleted and created anew under the writer", recreated},
		Scenario{"cache-100ms", "five updates in a row, the cache 100 ms behind", behind(100*time.Millisecond, 5)},
		Scenario{"cache-2s", "two updates in a row, the cache 2 s behind", behind(2*time.Second, 2)},
	)
}
