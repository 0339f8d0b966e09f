// Command manager runs the example controllers on the cluster of the current kubeconfig,
// which needs the CRDs of examples/config/crd:
//
//	kubectl apply -f examples/config/crd
//	go run ./examples/controller/manager
package main

import (
	"fmt"
	"os"

	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/statuspatch/statuspatcher-gen/examples/controller"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "manager: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	ctrl.SetLogger(klog.Background())
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("finding the cluster: %w: set KUBECONFIG", err)
	}
	mgr, err := controller.NewManager(config, ctrl.Options{})
	if err != nil {
		return err
	}
	return mgr.Start(ctrl.SetupSignalHandler())
}
