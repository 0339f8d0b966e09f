package examples_test

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// The functions of this file are what the documents show; docs_test.go compares them
// and runs them.

func writeCounters(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool) error {
	err := v1alpha1.PatchMachinePoolStatus(ctx, c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
		p.SetReplicasAndReadyReplicas(4, 3)
		return nil
	})
	return err
}

func writeWithOptions(ctx context.Context, c client.Client, mgr interface{ GetAPIReader() client.Reader }, pool *v1alpha1.MachinePool, total, ready int32, zones []string) (v1alpha1.StatusPatchResult, error) {
	var result v1alpha1.StatusPatchResult
	err := v1alpha1.PatchMachinePoolStatus(ctx, c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
		p.SetReplicasAndReadyReplicas(total, ready)
		p.Status.Zones = zones
		return nil
	}, v1alpha1.WithStatusPatchReader(mgr.GetAPIReader()), v1alpha1.WithStatusPatchResult(&result))
	return result, err
}

func writeDeferred(ctx context.Context, c client.Client, region *v1alpha1.Region, pools int32) (err error) {
	patcher := v1alpha1.NewRegionStatusPatcher(region)
	defer func() { err = errors.Join(err, patcher.Patch(ctx, c)) }()

	region.Status.Pools = pools
	if err := patcher.Keep(func() error { return addFinalizer(ctx, c, region) }); err != nil {
		return err
	}
	patcher.SetReachableCondition(metav1.ConditionTrue, "Answered", "")
	return nil
}

func addFinalizer(ctx context.Context, c client.Client, region *v1alpha1.Region) error {
	controllerutil.AddFinalizer(region, "example.com/hold")
	return c.Update(ctx, region)
}

func writeFailure(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool) error {
	err := v1alpha1.PatchMachinePoolStatus(ctx, c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
		p.Status.Phase = "Failed"
		return nil
	}, v1alpha1.WithStatusPatchObservedGeneration(false))
	return err
}

func writeConditions(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool) error {
	err := v1alpha1.PatchMachinePoolStatus(ctx, c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
		p.SetReadyCondition(metav1.ConditionFalse, v1alpha1.MachinePoolReadyConditionReasonScaling, "3 of 4 are ready")
		p.SetCondition(metav1.Condition{Type: "Healthy", Status: metav1.ConditionTrue, Reason: "Probed"})
		p.RemovePausedCondition()
		if ready := p.ReadyCondition(); ready != nil {
			p.Status.Phase = ready.Reason
		}
		return nil
	})
	return err
}

func writeConditionByHand(ctx context.Context, c client.Client, pool *v1alpha1.MachinePool) error {
	err := v1alpha1.PatchMachinePoolStatus(ctx, c, pool, func(p *v1alpha1.MachinePoolStatusPatch) error {
		meta.SetStatusCondition(&p.Status.Conditions, metav1.Condition{Type: "Healthy", Status: metav1.ConditionTrue, Reason: "Probed"})
		return nil
	})
	return err
}

var _ interface{ GetAPIReader() client.Reader } = ctrl.Manager(nil)
