package scenario_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/statuspatch/statuspatcher-gen/test/peers/scenario"
	"github.com/statuspatch/statuspatcher-gen/test/peers/writers"
	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.Main(m, "../../realtypes/config/crd")) }

// ceilings are the most requests that the generated patcher may send in a scenario, at
// the scale of these tests. Those of races depend on luck and have room for it.
var ceilings = map[string]map[string]int{
	writers.Generated: {
		"half-written": 3, "half-written-100ms": 2, "half-written-2s": 2,
		"one-field": 3, "one-condition": 3, "ten-fields": 3, "no-op": 0, "large-object": 1,
		"recreated": 2, "cache-100ms": 9, "cache-2s": 3,
	},
	writers.FieldsLock: {
		"one-field": 3, "one-condition": 3, "ten-fields": 3, "no-op": 0, "large-object": 1,
		"conditions-16": 32, "disjoint": 8, "recreated": 2,
	},
}

// The generated patcher is right in each scenario and sends no more than it has to; what
// the others do is what docs/benchmarks.md and docs/comparison.md say of them.
func TestScenarios(t *testing.T) {
	env := testenv.Require(t)
	world, err := scenario.NewWorld(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenario.All(scenario.Quick) {
		for _, by := range writers.All() {
			t.Run(fmt.Sprintf("%s/%s", s.Name, by.Name), func(t *testing.T) {
				r, err := s.Run(t.Context(), world, by)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%d of %d landed, lost %d, returned %d, mixed %d, misplaced %d, %v", r.Landed, r.Updates, r.Lost, r.Returned, r.Mixed, r.Misplaced, r.Requests)
				if by.Name == writers.Generated || by.Name == writers.FieldsLock {
					checkGenerated(t, s.Name, by.Name, r)
				} else {
					checkPeer(t, s.Name, by.Name, r)
				}
			})
		}
	}
}

// checkGenerated checks that nothing was lost, mixed or misplaced, that no error came
// back, and how many requests were sent.
func checkGenerated(t *testing.T, name, by string, r scenario.Result) {
	t.Helper()
	if r.Lost != 0 || r.Mixed != 0 || r.Misplaced != 0 {
		if name != "recreated" || r.Misplaced != 0 {
			t.Errorf("lost %d, mixed %d, misplaced %d, want none", r.Lost, r.Mixed, r.Misplaced)
		}
	}
	returned := 0
	if name == "recreated" {
		returned = 1 // the object that was meant is gone
	}
	if r.Returned != returned {
		t.Errorf("%d errors returned, want %d: %v", r.Returned, returned, r.Errors)
	}
	if most, ok := ceilings[by][name]; ok && r.Total() > most {
		t.Errorf("requests %v, want %d at the most", r.Requests, most)
	}
}

// fact is a way in a scenario.
type fact struct{ scenario, by string }

// What docs/comparison.md says of the other ways, as far as it does not hang on luck.
var (
	lossy = map[fact]bool{
		{"counter-08", writers.ClusterAPI}: true, {"counter-08", writers.MergeFrom}: true, {"counter-08", writers.Apply}: true,
		{"conditions-16", writers.MergeFrom}: true,
		{"cache-100ms", writers.ClusterAPI}:  true, {"cache-100ms", writers.MergeFrom}: true, {"cache-100ms", writers.Apply}: true,
		{"cache-2s", writers.ClusterAPI}: true, {"cache-2s", writers.MergeFrom}: true, {"cache-2s", writers.Apply}: true,
	}
	returns = map[fact]bool{
		{"half-written-2s", writers.HyperShift}: true, {"half-written-2s", writers.Update}: true,
		{"cache-2s", writers.HyperShift}: true, {"cache-2s", writers.Update}: true,
	}
	mixes = map[fact]bool{
		{"half-written", writers.ClusterAPI}: true, {"half-written", writers.MergeFrom}: true,
		{"half-written-100ms", writers.ClusterAPI}: true, {"half-written-100ms", writers.MergeFrom}: true,
		{"half-written-2s", writers.ClusterAPI}: true, {"half-written-2s", writers.MergeFrom}: true,
	}
	misplaces = map[fact]bool{
		{"recreated", writers.HyperShift}: true, {"recreated", writers.ClusterAPI}: true, {"recreated", writers.MergeFrom}: true,
		{"recreated", writers.Update}: true, {"recreated", writers.Apply}: true,
	}
	// perUpdate are the reads and writes of an update.
	perUpdate = map[fact][2]int{
		{"no-op", writers.HyperShift}: {1, 0}, {"no-op", writers.ClusterAPI}: {0, 0}, {"no-op", writers.MergeFrom}: {0, 1},
		{"no-op", writers.Update}: {1, 1}, {"no-op", writers.Apply}: {0, 1},
		{"one-field", writers.HyperShift}: {1, 1}, {"one-field", writers.ClusterAPI}: {0, 1}, {"one-field", writers.MergeFrom}: {0, 1},
		{"one-field", writers.Update}: {1, 1}, {"one-field", writers.Apply}: {0, 1},
		{"one-condition", writers.HyperShift}: {1, 1}, {"one-condition", writers.ClusterAPI}: {1, 1},
		{"ten-fields", writers.HyperShift}: {1, 1}, {"ten-fields", writers.ClusterAPI}: {1, 2},
	}
)

// checkPeer checks the facts about the other ways that the documents rest on.
func checkPeer(t *testing.T, name, by string, r scenario.Result) {
	t.Helper()
	at := fact{name, by}
	if lossy[at] && r.Lost == 0 {
		t.Error("nothing was lost, which the documents say happens")
	}
	if returns[at] && r.Returned == 0 {
		t.Error("no error was returned, which the documents say happens")
	}
	if got, want := r.Mixed == 1, mixes[at]; got != want {
		t.Errorf("counters that nobody computed: %v, want %v", got, want)
	}
	if got, want := r.Misplaced == 1, misplaces[at]; got != want {
		t.Errorf("written onto another object: %v, want %v", got, want)
	}
	if want, ok := perUpdate[at]; ok {
		reads, writes := r.Total()-r.Writes(), r.Writes()
		if reads != want[0]*r.Updates || writes != want[1]*r.Updates {
			t.Errorf("%d reads and %d writes for %d updates, want %d and %d for each", reads, writes, r.Updates, want[0], want[1])
		}
	}
}
