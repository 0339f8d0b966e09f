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
		"one-field": 5, "one-condition": 5, "ten-fields": 5, "no-op": 0, "large-object": 2,
		"recreated": 2, "cache-100ms": 9, "cache-2s": 3,
	},
	writers.FieldsLock: {
		"one-field": 5, "one-condition": 5, "ten-fields": 5, "no-op": 0, "large-object": 2,
		"conditions-16": 160, "disjoint": 20, "recreated": 2,
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

// checkPeer checks the facts about the other ways that the documents rest on.
func checkPeer(t *testing.T, name, by string, r scenario.Result) {
	t.Helper()
	type fact struct{ scenario, by string }
	lossy := map[fact]bool{
		{"counter-08", writers.ClusterAPI}: true, {"counter-08", writers.MergeFrom}: true, {"counter-08", writers.Apply}: true,
	}
	mixes := map[fact]bool{
		{"half-written", writers.ClusterAPI}: true, {"half-written", writers.MergeFrom}: true,
		{"half-written-100ms", writers.ClusterAPI}: true, {"half-written-100ms", writers.MergeFrom}: true,
		{"half-written-2s", writers.ClusterAPI}: true, {"half-written-2s", writers.MergeFrom}: true,
	}
	misplaces := map[fact]bool{
		{"recreated", writers.HyperShift}: true, {"recreated", writers.ClusterAPI}: true, {"recreated", writers.MergeFrom}: true,
		{"recreated", writers.Update}: true, {"recreated", writers.Apply}: true,
	}
	at := fact{name, by}
	if lossy[at] && r.Lost == 0 {
		t.Error("nothing was lost, which the documents say happens")
	}
	if got, want := r.Mixed == 1, mixes[at]; got != want {
		t.Errorf("counters that nobody computed: %v, want %v", got, want)
	}
	if got, want := r.Misplaced == 1, misplaces[at]; got != want {
		t.Errorf("written onto another object: %v, want %v", got, want)
	}
}
