// Package testenv runs a real kube-apiserver and etcd for tests, and records what
// is sent to them.
//
// A test package hands its TestMain to [Main]; each test that needs the server calls
// [Require], which starts it at the first call and skips the test where there are no
// binaries to start.
package testenv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// AssetsEnv names the folder that holds the binaries etcd and kube-apiserver.
const AssetsEnv = "KUBEBUILDER_ASSETS"

// ErrNoAssets is the error of [Start] where [AssetsEnv] is not set.
var ErrNoAssets = errors.New("this needs an API server: run it through `make test`, or set " + AssetsEnv +
	" to the folder that hack/apiserver-assets.sh prints")

// Env is a running API server.
type Env struct {
	// Config connects to it as administrator, without a client-side rate limit.
	Config *rest.Config

	server    *envtest.Environment
	restarted *restarted // the API server, after a crash
}

// Start starts an API server that has the CRDs found in the folders given.
// Whoever calls it calls Stop.
func Start(crdDirs ...string) (*Env, error) {
	if os.Getenv(AssetsEnv) == "" {
		return nil, ErrNoAssets
	}
	existing := false // whatever USE_EXISTING_CLUSTER says: tests write CRDs and objects
	server := &envtest.Environment{
		UseExistingCluster:    &existing,
		CRDDirectoryPaths:     crdDirs,
		ErrorIfCRDPathMissing: true,
		// Beside a build on all cores, the 20 seconds of the default are not enough.
		ControlPlaneStartTimeout: 2 * time.Minute,
		ControlPlaneStopTimeout:  time.Minute,
	}
	config, err := server.Start()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("starting the API server from %s=%s: %w", AssetsEnv, os.Getenv(AssetsEnv), err), server.Stop())
	}
	config.QPS = -1
	return &Env{Config: config, server: server}, nil
}

// Stop stops the API server and deletes what it stored.
func (e *Env) Stop() error {
	e.stopRestarted()
	return e.server.Stop()
}

// NewConfig returns a configuration of its own for one client, whose requests rec
// records. A nil rec records nothing.
func (e *Env) NewConfig(rec *Recorder) *rest.Config {
	config := rest.CopyConfig(e.Config)
	if rec != nil {
		config.Wrap(rec.Wrap)
	}
	return config
}

// NewClient returns a client without a cache, whose requests rec records. A nil rec
// records nothing.
func (e *Env) NewClient(tb testing.TB, scheme *runtime.Scheme, rec *Recorder) client.WithWatch {
	tb.Helper()
	c, err := client.NewWithWatch(e.NewConfig(rec), client.Options{Scheme: scheme})
	if err != nil {
		tb.Fatalf("making a client: %v", err)
	}
	return c
}

// NewNamespace makes a namespace for one test and returns its name. It is not deleted
// afterwards: a server without controllers never gets done with that.
func (e *Env) NewNamespace(tb testing.TB) string {
	tb.Helper()
	clientset, err := kubernetes.NewForConfig(e.Config)
	if err != nil {
		tb.Fatalf("making a client: %v", err)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	namespace, err = clientset.CoreV1().Namespaces().Create(context.Background(), namespace, metav1.CreateOptions{})
	if err != nil {
		tb.Fatalf("making a namespace: %v", err)
	}
	return namespace.Name
}

// shared is the API server of the test package that runs.
var shared struct {
	crdDirs []string

	mu      sync.Mutex
	started bool
	env     *Env
	err     error
}

// Main runs the tests of a package and stops the API server if one of them started it.
// It is to be called from TestMain, and returns the code to exit with.
func Main(m *testing.M, crdDirs ...string) int {
	log.SetLogger(logr.Discard()) // else controller-runtime complains that none was set
	shared.crdDirs = crdDirs

	// The server has a process group of its own: Ctrl-C does not reach it.
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-interrupted
		stopShared()
		os.Exit(130)
	}()

	code := m.Run()
	if !stopShared() && code == 0 {
		code = 1
	}
	return code
}

// Require returns the API server that the tests of the package share. It starts it at
// the first call, and skips the test where there are no binaries to start.
func Require(tb testing.TB) *Env {
	tb.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if !shared.started {
		shared.started = true
		shared.env, shared.err = Start(shared.crdDirs...)
	}
	if errors.Is(shared.err, ErrNoAssets) {
		tb.Skip(shared.err)
	}
	if shared.err != nil {
		tb.Fatal(shared.err)
	}
	return shared.env
}

// stopShared stops the server of the package if there is one, and tells whether that went well.
func stopShared() bool {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.env == nil {
		return true
	}
	err := shared.env.Stop()
	shared.env = nil
	if err != nil {
		fmt.Fprintf(os.Stderr, "stopping the API server: %v\n", err)
	}
	return err == nil
}
