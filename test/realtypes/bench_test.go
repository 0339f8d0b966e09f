package realtypes_test

//lint:file-ignore SA1019 the fields for readers of v1beta1 are deprecated and written all the same

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
	"github.com/statuspatch/statuspatcher-gen/test/realtypes/sample"
)

// bodies is a client that builds the body of each patch and sends it nowhere.
type bodies struct {
	client.SubResourceWriter
	last []byte
}

func (b *bodies) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return nil
}

func (b *bodies) Status() client.SubResourceWriter { return b }

func (b *bodies) Patch(_ context.Context, obj client.Object, patch client.Patch, _ ...client.SubResourcePatchOption) error {
	var err error
	b.last, err = patch.Data(obj)
	return err
}

// edit is a change of the status of a control plane, made through the generated patch
// and made by hand.
type edit struct {
	name      string
	generated func(*realtypes.KubeadmControlPlaneStatusPatch) error
	byHand    func(*realtypes.KubeadmControlPlane)
	wantBody  bool
}

var edits = []edit{
	{
		name:      "no-op",
		generated: func(*realtypes.KubeadmControlPlaneStatusPatch) error { return nil },
		byHand:    func(*realtypes.KubeadmControlPlane) {},
	},
	{
		name: "no-op-set-alike",
		generated: func(p *realtypes.KubeadmControlPlaneStatusPatch) error {
			p.SetReplicaCounters(counters(3))
			p.SetScalingUpCondition(metav1.ConditionTrue, "ScalingUp", scalingUp)
			return nil
		},
		byHand: func(kcp *realtypes.KubeadmControlPlane) {
			setCounters(kcp, 3)
			meta.SetStatusCondition(&kcp.Status.Conditions, metav1.Condition{
				Type: "ScalingUp", Status: metav1.ConditionTrue, Reason: "ScalingUp",
				Message: scalingUp, ObservedGeneration: kcp.Generation,
			})
		},
	},
	{
		name: "one-counter",
		generated: func(p *realtypes.KubeadmControlPlaneStatusPatch) error {
			p.SetReplicaCounters(counters(4))
			return nil
		},
		byHand:   func(kcp *realtypes.KubeadmControlPlane) { setCounters(kcp, 4) },
		wantBody: true,
	},
	{
		name: "one-counter-alone",
		generated: func(p *realtypes.KubeadmControlPlaneStatusPatch) error {
			p.Status.LastRemediation.RetryCount = new(int32(1))
			return nil
		},
		byHand:   func(kcp *realtypes.KubeadmControlPlane) { kcp.Status.LastRemediation.RetryCount = new(int32(1)) },
		wantBody: true,
	},
	{
		name: "one-condition",
		generated: func(p *realtypes.KubeadmControlPlaneStatusPatch) error {
			p.SetScalingUpCondition(metav1.ConditionFalse, "NotScalingUp", "all machines are there")
			return nil
		},
		byHand: func(kcp *realtypes.KubeadmControlPlane) {
			// The list is the benchmark's own, so each run has to flip the status anew.
			status := metav1.ConditionFalse
			if meta.IsStatusConditionFalse(kcp.Status.Conditions, "ScalingUp") {
				status = metav1.ConditionTrue
			}
			meta.SetStatusCondition(&kcp.Status.Conditions, metav1.Condition{
				Type: "ScalingUp", Status: status, Reason: "NotScalingUp",
				Message: "all machines are there", ObservedGeneration: kcp.Generation,
			})
		},
		wantBody: true,
	},
}

// scalingUp is the message of the sample's condition ScalingUp.
var scalingUp = meta.FindStatusCondition(sample.KubeadmControlPlane().Status.Conditions, "ScalingUp").Message

// counters are those of a control plane with three machines of which so many are counted.
func counters(replicas int32) realtypes.KubeadmControlPlaneReplicaCounters {
	three := int32(3)
	return realtypes.KubeadmControlPlaneReplicaCounters{
		Replicas: &replicas, ReadyReplicas: &three, AvailableReplicas: &three, UpToDateReplicas: &three,
		DeprecatedV1Beta1UpdatedReplicas: 3, DeprecatedV1Beta1ReadyReplicas: 3,
	}
}

// setCounters is counters by hand.
func setCounters(kcp *realtypes.KubeadmControlPlane, replicas int32) {
	c := counters(replicas)
	kcp.Status.Replicas, kcp.Status.ReadyReplicas = c.Replicas, c.ReadyReplicas
	kcp.Status.AvailableReplicas, kcp.Status.UpToDateReplicas = c.AvailableReplicas, c.UpToDateReplicas
	kcp.Status.Deprecated.V1Beta1.UpdatedReplicas = c.DeprecatedV1Beta1UpdatedReplicas
	kcp.Status.Deprecated.V1Beta1.ReadyReplicas = c.DeprecatedV1Beta1ReadyReplicas
}

// patchByHand is what the usual helper does between reading and sending. whole says
// that it compares the objects, else it compares their statuses.
func patchByHand(ctx context.Context, c *bodies, kcp *realtypes.KubeadmControlPlane, edit func(*realtypes.KubeadmControlPlane), whole bool) error {
	base := kcp.DeepCopy()
	edit(kcp)
	if whole && equality.Semantic.DeepEqual(base, kcp) || !whole && equality.Semantic.DeepEqual(base.Status, kcp.Status) {
		return nil
	}
	return c.Status().Patch(ctx, kcp, client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{}))
}

func BenchmarkKubeadmControlPlane(b *testing.B) {
	for _, e := range edits {
		b.Run(e.name+"/generated", func(b *testing.B) {
			kcp, c := sample.KubeadmControlPlane(), &bodies{}
			b.ReportAllocs()
			var obj realtypes.KubeadmControlPlane
			for b.Loop() {
				obj = *kcp // the answer of a write replaces its status
				if err := realtypes.PatchKubeadmControlPlaneStatus(b.Context(), c, &obj, e.generated); err != nil {
					b.Fatal(err)
				}
			}
			checkBody(b, c, e)
		})
		for name, whole := range map[string]bool{"by-hand": true, "by-hand-status": false} {
			b.Run(e.name+"/"+name, func(b *testing.B) {
				kcp, c := sample.KubeadmControlPlane(), &bodies{}
				b.ReportAllocs()
				for b.Loop() {
					obj := *kcp
					if err := patchByHand(b.Context(), c, &obj, e.byHand, whole); err != nil {
						b.Fatal(err)
					}
				}
				checkBody(b, c, e)
			})
		}
	}
}

func checkBody(tb testing.TB, c *bodies, e edit) {
	tb.Helper()
	if got := len(c.last) > 0; got != e.wantBody {
		tb.Errorf("body %q, want one: %v", c.last, e.wantBody)
	}
}
