package controller

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// RegionFinalizer holds a region until no pool runs in it.
const RegionFinalizer = "example.statuspatch.dev/region"

// RegionReconciler tells whether a region answers and how many pools run in it.
type RegionReconciler struct {
	// Client is the manager's, which reads from the cache.
	Client client.Client
	// APIReader asks the API server. After a conflict it spares the wait for the cache.
	APIReader client.Reader
	// Probe asks the region's endpoint whether it is there; ProbeHTTP is one.
	Probe func(ctx context.Context, endpoint string) error
	// Interval is the time from one probe to the next.
	Interval time.Duration
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// SetupWithManager makes the manager run the reconciler.
func (r *RegionReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&v1alpha1.Region{}).Complete(r)
}

// Reconcile edits region.Status in several places; the deferred Patch writes it all in
// one PATCH, also where something failed on the way.
//
// +kubebuilder:rbac:groups=example.statuspatch.dev,resources=regions,verbs=get;list;watch;patch
// +kubebuilder:rbac:groups=example.statuspatch.dev,resources=regions/status,verbs=patch
func (r *RegionReconciler) Reconcile(ctx context.Context, request ctrl.Request) (result ctrl.Result, err error) {
	region := &v1alpha1.Region{}
	if err := r.Client.Get(ctx, request.NamespacedName, region); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	patcher := v1alpha1.NewRegionStatusPatcher(region)
	defer func() {
		var written v1alpha1.StatusPatchResult
		perr := patcher.Patch(ctx, r.Client, v1alpha1.WithStatusPatchReader(r.APIReader), v1alpha1.WithStatusPatchResult(&written))
		if len(written.Transitioned) > 0 {
			log.FromContext(ctx).Info("conditions changed", "types", written.Transitioned)
		}
		err = errors.Join(err, perr)
	}()

	if err := r.countPools(ctx, region); err != nil {
		return ctrl.Result{}, err
	}
	if !region.DeletionTimestamp.IsZero() {
		return ctrl.Result{RequeueAfter: r.Interval}, r.release(ctx, region, patcher)
	}
	if err := r.hold(ctx, region, patcher); err != nil {
		return ctrl.Result{}, err
	}
	r.probe(ctx, region, patcher)
	return ctrl.Result{RequeueAfter: r.Interval}, nil
}

// countPools counts the pools that have a machine in the region.
func (r *RegionReconciler) countPools(ctx context.Context, region *v1alpha1.Region) error {
	var pools v1alpha1.MachinePoolList
	if err := r.Client.List(ctx, &pools); err != nil {
		return fmt.Errorf("counting the pools in region %s: %w", region.Name, err)
	}
	count := int32(0)
	for i := range pools.Items {
		if slices.Contains(pools.Items[i].Status.Zones, region.Name) {
			count++
		}
	}
	region.Status.Pools = count
	return nil
}

// hold adds the finalizer. The write of the object itself stands in Keep, which carries
// the edits of the status so far over to what the server answers.
func (r *RegionReconciler) hold(ctx context.Context, region *v1alpha1.Region, patcher *v1alpha1.RegionStatusPatcher) error {
	if controllerutil.ContainsFinalizer(region, RegionFinalizer) {
		return nil
	}
	return patcher.Keep(func() error {
		before := region.DeepCopy()
		controllerutil.AddFinalizer(region, RegionFinalizer)
		return r.Client.Patch(ctx, region, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
	})
}

// release lets the region go once no pool runs in it.
func (r *RegionReconciler) release(ctx context.Context, region *v1alpha1.Region, patcher *v1alpha1.RegionStatusPatcher) error {
	if region.Status.Pools > 0 {
		patcher.SetReachableCondition(metav1.ConditionUnknown, "Deleting", fmt.Sprintf("%d pools still run here", region.Status.Pools))
		return nil
	}
	if !controllerutil.ContainsFinalizer(region, RegionFinalizer) {
		return nil
	}
	return patcher.Keep(func() error {
		before := region.DeepCopy()
		controllerutil.RemoveFinalizer(region, RegionFinalizer)
		return r.Client.Patch(ctx, region, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
	})
}

// probe asks the region whether it is there. A new lastContact is a change, whose own
// event leads to the next reconcile: it is only written where the interval is over.
func (r *RegionReconciler) probe(ctx context.Context, region *v1alpha1.Region, patcher *v1alpha1.RegionStatusPatcher) {
	if err := r.Probe(ctx, region.Spec.Endpoint); err != nil {
		patcher.SetReachableCondition(metav1.ConditionFalse, "NoAnswer", err.Error())
		return
	}
	patcher.SetReachableCondition(metav1.ConditionTrue, "Answered", "")
	if now := r.now(); now.Sub(region.Status.LastContact.Time) >= r.Interval {
		region.Status.LastContact = metav1.NewTime(now)
	}
}

func (r *RegionReconciler) now() time.Time {
	if r.Now == nil {
		return time.Now()
	}
	return r.Now()
}

// ProbeHTTP asks an HTTP endpoint. Any answer will do but a server error.
func ProbeHTTP(ctx context.Context, endpoint string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, endpoint, nil)
	if err != nil {
		return fmt.Errorf("probing: %w", err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("probing: %w", err)
	}
	if err := answer.Body.Close(); err != nil {
		return fmt.Errorf("probing: %w", err)
	}
	if answer.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("probing %s: the answer is %s", endpoint, answer.Status)
	}
	return nil
}
