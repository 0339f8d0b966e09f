// Package vectors_test holds cases from public reports about controllers that write
// status, each with the report's place in its name.
package vectors_test

import (
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/statuspatch/statuspatcher-gen/test/testenv"
	v1 "github.com/statuspatch/statuspatcher-gen/test/vectors/api/v1"
	v2 "github.com/statuspatch/statuspatcher-gen/test/vectors/api/v2"
)

func TestMain(m *testing.M) {
	os.Exit(testenv.Main(m, "crd"))
}

// newScheme returns a scheme that knows the types of the cases.
func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	utilruntime.Must(v1.AddToScheme(scheme))
	utilruntime.Must(v2.AddToScheme(scheme))
	return scheme
}
