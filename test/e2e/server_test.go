package e2e_test

import (
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

// The other tests of this package rest on what the server does with the CRDs of the
// examples: a status of its own, and lists that are keyed.
func TestServerKnowsTheExampleTypes(t *testing.T) {
	env := testenv.Require(t)
	c := env.NewClient(t, newScheme(), nil)

	pool := &v1alpha1.MachinePool{
		ObjectMeta: metav1.ObjectMeta{Namespace: env.NewNamespace(t), Name: "pool"},
		Status:     v1alpha1.MachinePoolStatus{Replicas: 3},
	}
	if err := c.Create(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	if pool.Status.Replicas != 0 {
		t.Error("create stored a status: the CRD lacks the status sub-resource")
	}
	pool.Status.Machines = []v1alpha1.MachineReference{{Name: "a"}, {Name: "a"}}
	if err := c.Status().Update(t.Context(), pool); !apierrors.IsInvalid(err) {
		t.Errorf("two machines of one name: error %v, want invalid, for the list is keyed by name", err)
	}

	region := &v1alpha1.Region{ObjectMeta: metav1.ObjectMeta{Name: pool.Namespace}}
	if err := c.Create(t.Context(), region); err != nil {
		t.Fatal(err)
	}
	if region.Generation != 1 || region.ResourceVersion == "" {
		t.Errorf("generation %d, resourceVersion %q, want 1 and a version", region.Generation, region.ResourceVersion)
	}
}
