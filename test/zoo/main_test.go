// Package zoo_test holds the patchers of the zoo to the laws of what they write: over
// random statuses against a server in memory, and against the real one.
package zoo_test

import (
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/statuspatch/statuspatcher-gen/test/testenv"
	zoov1 "github.com/statuspatch/statuspatcher-gen/test/zoo/api/v1"
)

func TestMain(m *testing.M) {
	os.Exit(testenv.Main(m, "crd"))
}

// newScheme returns a scheme that knows the zoo.
func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	utilruntime.Must(zoov1.AddToScheme(scheme))
	return scheme
}
