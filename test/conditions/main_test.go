// Package conditions_test runs the patchers of types with conditions of every form on a
// real API server, and the same on controller-runtime's fake client.
package conditions_test

import (
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"

	v1 "github.com/statuspatch/statuspatcher-gen/test/conditions/api/v1"
	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

func TestMain(m *testing.M) {
	os.Exit(testenv.Main(m, "crd"))
}

// newScheme returns a scheme that knows the types of the tests and Kubernetes' own.
func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	utilruntime.Must(v1.AddToScheme(scheme))
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	return scheme
}
