package controller

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// NewScheme returns a scheme with the types that the reconcilers use.
func NewScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{v1alpha1.AddToScheme, corev1.AddToScheme, eventsv1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("making the scheme: %w", err)
		}
	}
	return scheme, nil
}

// NewManager returns a manager that runs both reconcilers. Options without a scheme get NewScheme's.
func NewManager(config *rest.Config, options ctrl.Options) (ctrl.Manager, error) {
	if options.Scheme == nil {
		scheme, err := NewScheme()
		if err != nil {
			return nil, err
		}
		options.Scheme = scheme
	}
	mgr, err := ctrl.NewManager(config, options)
	if err != nil {
		return nil, fmt.Errorf("making the manager: %w", err)
	}
	pools := &MachinePoolReconciler{
		Client:    mgr.GetClient(),
		APIReader: mgr.GetAPIReader(),
		Events:    mgr.GetEventRecorder("machinepool"),
	}
	if err := pools.SetupWithManager(mgr); err != nil {
		return nil, fmt.Errorf("adding the reconciler of pools: %w", err)
	}
	regions := &RegionReconciler{
		Client:    mgr.GetClient(),
		APIReader: mgr.GetAPIReader(),
		Probe:     ProbeHTTP,
		Interval:  time.Minute,
	}
	if err := regions.SetupWithManager(mgr); err != nil {
		return nil, fmt.Errorf("adding the reconciler of regions: %w", err)
	}
	return mgr, nil
}
