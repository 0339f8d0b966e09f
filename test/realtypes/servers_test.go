package realtypes_test

import (
	"os"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	controlplanev1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.Main(m, "config/crd")) }

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	utilruntime.Must(controlplanev1.AddToScheme(scheme))
	utilruntime.Must(clusterv1.AddToScheme(scheme))
	utilruntime.Must(appsv1.AddToScheme(scheme))
	utilruntime.Must(corev1.AddToScheme(scheme))
	return scheme
}

// server is a place where objects are stored.
type server struct {
	client    client.Client
	namespace string
	rec       *testenv.Recorder // nil on the fake client
}

// onServers runs a test on the real API server and on the fake client.
func onServers(t *testing.T, test func(*testing.T, server)) {
	t.Run("fake client", func(t *testing.T) {
		c := fake.NewClientBuilder().WithScheme(newScheme()).WithStatusSubresource(
			&controlplanev1.KubeadmControlPlane{}, &clusterv1.MachineSet{}, &appsv1.Deployment{}, &corev1.Node{},
		).Build()
		test(t, server{client: c, namespace: "default"})
	})
	t.Run("API server", func(t *testing.T) {
		env := testenv.Require(t)
		rec := &testenv.Recorder{}
		test(t, server{client: env.NewClient(t, newScheme(), rec), namespace: env.NewNamespace(t), rec: rec})
	})
}

// create stores an object with its status, and forgets the requests for that.
func (s server) create(t *testing.T, obj client.Object) {
	t.Helper()
	stored, ok := obj.DeepCopyObject().(client.Object)
	if !ok {
		t.Fatalf("%T copies to %T", obj, obj.DeepCopyObject())
	}
	if err := s.client.Create(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
	obj.SetResourceVersion(stored.GetResourceVersion())
	obj.SetUID(stored.GetUID())
	if err := s.client.Status().Update(t.Context(), obj); err != nil {
		t.Fatal(err)
	}
	if s.rec != nil {
		s.rec.Reset()
	}
}

// read reads into obj what is stored.
func (s server) read(t *testing.T, obj client.Object) {
	t.Helper()
	if err := s.client.Get(t.Context(), client.ObjectKeyFromObject(obj), obj); err != nil {
		t.Fatal(err)
	}
}
