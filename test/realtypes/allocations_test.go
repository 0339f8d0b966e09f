package realtypes_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
	"github.com/statuspatch/statuspatcher-gen/test/realtypes/sample"
)

// Times depend on the machine, allocations do not: these are what the benchmarks show,
// and a little room for other versions of Go. Whoever needs more has made it slower.
func TestAllocations(t *testing.T) {
	ceilings := map[string]float64{"no-op": 16, "no-op-set-alike": 20, "one-counter": 22, "one-counter-alone": 20, "one-condition": 28}
	for _, e := range edits {
		t.Run(e.name, func(t *testing.T) {
			kcp, c := sample.KubeadmControlPlane(), &bodies{}
			most, ok := ceilings[e.name]
			if !ok {
				t.Fatal("no ceiling is set for this edit")
			}
			got := testing.AllocsPerRun(100, func() {
				obj := *kcp
				if err := realtypes.PatchKubeadmControlPlaneStatus(t.Context(), c, &obj, e.generated); err != nil {
					t.Error(err)
				}
			})
			checkBody(t, c, e)
			if got > most+poolLosses {
				t.Errorf("%.0f allocations, want %.0f at the most", got, most+poolLosses)
			}
		})
	}
}

// largeNode is a node with so many conditions and keys of its capacity.
func largeNode(conditions, keys int) *realtypes.Node {
	node := &realtypes.Node{}
	node.Name, node.UID, node.ResourceVersion = "large", "u1", "7"
	node.Status.Capacity = corev1.ResourceList{}
	for i := range conditions {
		node.Status.Conditions = append(node.Status.Conditions, corev1.NodeCondition{
			Type: corev1.NodeConditionType(fmt.Sprintf("Condition%d", i)), Status: "True", Reason: "Set", LastTransitionTime: sample.Since,
		})
	}
	for i := range keys {
		node.Status.Capacity[corev1.ResourceName(fmt.Sprintf("example.com/resource-%d", i))] = resource.MustParse("1")
	}
	return node
}

// editLargeNode changes one condition and one key.
func editLargeNode(p *realtypes.NodeStatusPatch) error {
	p.SetCondition(corev1.NodeCondition{Type: "Condition7", Status: "False", Reason: "Changed"})
	p.Status.Capacity["example.com/resource-7"] = resource.MustParse("2")
	return nil
}

// Of a large status only what changed costs a body, and allocations grow no faster than
// the status does.
func TestLargeStatus(t *testing.T) {
	patch := func(node *realtypes.Node) (body string, allocs float64) {
		c := &bodies{}
		allocs = testing.AllocsPerRun(20, func() {
			obj := *node
			if err := realtypes.PatchNodeStatus(t.Context(), c, &obj, editLargeNode); err != nil {
				t.Error(err)
			}
		})
		return string(c.last), allocs
	}
	body, allocs := patch(largeNode(200, 500))
	if n := strings.Count(body, "example.com~1resource-"); n == 0 || n > 2 {
		t.Errorf("body names %d keys of the capacity, want the one that changed: %s", n, body)
	}
	if strings.Contains(body, "Condition8") {
		t.Errorf("body has a condition that did not change: %s", body)
	}
	_, half := patch(largeNode(100, 250))
	if allocs > 2*half+10 {
		t.Errorf("%.0f allocations, %.0f for half the status: it grows faster than the status", allocs, half)
	}
}

func BenchmarkLargeStatus(b *testing.B) {
	for _, size := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("%d-conditions-%d-keys", 200*size, 500*size), func(b *testing.B) {
			node, c := largeNode(200*size, 500*size), &bodies{}
			b.ReportAllocs()
			for b.Loop() {
				obj := *node
				if err := realtypes.PatchNodeStatus(b.Context(), c, &obj, editLargeNode); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
