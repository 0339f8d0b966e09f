package statuspatch

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func benchStatus() *FooStatus {
	s := &FooStatus{
		ObservedGeneration: 3, Replicas: 3, ReadyReplicas: 3, Phase: "Running", Count: ptr(int32(3)),
		Nested: &FooNested{Name: "n", Ready: 3}, ByValue: FooNested{Name: "n", Ready: 3},
	}
	for i := 0; i < 10; i++ {
		s.Conditions = append(s.Conditions, metav1.Condition{Type: fmt.Sprint("C", i), Status: "True", Reason: "R", Message: "all is well"})
	}
	return s
}

// BenchmarkVisit is one comparison of two equal statuses, field by field.
func BenchmarkVisit(b *testing.B) {
	base, want := benchStatus(), benchStatus()
	var v Visitor
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		v = Visitor{}
		if diffStatus(&v, fooType, base, want, nil) {
			b.Fatal("equal statuses differ")
		}
	}
}
