package writers

//lint:file-ignore SA1019 the fields for readers of v1beta1 are deprecated and written all the same

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	controlplanev1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"

	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
)

// Status is the status that is written.
type Status = controlplanev1.KubeadmControlPlaneStatus

// Counters are the counters of a control plane, which belong together.
type Counters = realtypes.KubeadmControlPlaneReplicaCounters

// Edit is a change of a status. Each part is nil where it changes nothing, and computes
// what it sets from the status that it finds.
type Edit struct {
	// Counters sets all counters.
	Counters func(*Status) Counters
	// Conditions sets conditions, whose generation is filled in.
	Conditions func(*Status) []metav1.Condition
	// Plain edits other fields, whose top-level JSON names are PlainFields.
	Plain       func(*Status)
	PlainFields []string
}

// AllAlike are counters that are all the same.
func AllAlike(n int32) Counters {
	return Counters{
		Replicas: &n, ReadyReplicas: &n, AvailableReplicas: &n, UpToDateReplicas: &n,
		DeprecatedV1Beta1UpdatedReplicas: n, DeprecatedV1Beta1ReadyReplicas: n,
	}
}

// byHand makes the edit the way that controllers do without a generated patcher.
func (e Edit) byHand(kcp *realtypes.KubeadmControlPlane) {
	kcp.Status.ObservedGeneration = kcp.Generation
	if e.Counters != nil {
		setCounters(&kcp.Status, e.Counters(&kcp.Status))
	}
	if e.Plain != nil {
		e.Plain(&kcp.Status)
	}
	if e.Conditions != nil {
		for _, c := range e.Conditions(&kcp.Status) {
			c.ObservedGeneration = kcp.Generation
			meta.SetStatusCondition(&kcp.Status.Conditions, c)
		}
	}
}

func setCounters(status *Status, c Counters) {
	status.Replicas, status.ReadyReplicas = c.Replicas, c.ReadyReplicas
	status.AvailableReplicas, status.UpToDateReplicas = c.AvailableReplicas, c.UpToDateReplicas
	if status.Deprecated == nil {
		status.Deprecated = &controlplanev1.KubeadmControlPlaneDeprecatedStatus{}
	}
	if status.Deprecated.V1Beta1 == nil {
		status.Deprecated.V1Beta1 = &controlplanev1.KubeadmControlPlaneV1Beta1DeprecatedStatus{}
	}
	old := status.Deprecated.V1Beta1
	old.UpdatedReplicas, old.ReadyReplicas = c.DeprecatedV1Beta1UpdatedReplicas, c.DeprecatedV1Beta1ReadyReplicas
	old.UnavailableReplicas = c.DeprecatedV1Beta1UnavailableReplicas
}

// generated makes the edit on a generated patch.
func (e Edit) generated(p *realtypes.KubeadmControlPlaneStatusPatch) error {
	if e.Counters != nil {
		p.SetReplicaCounters(e.Counters(p.Status))
	}
	if e.Plain != nil {
		e.Plain(p.Status)
	}
	if e.Conditions != nil {
		for _, c := range e.Conditions(p.Status) {
			p.SetCondition(c)
		}
	}
	return nil
}

// conditionTypes are the types of the conditions that the edit sets.
func (e Edit) conditionTypes(status *Status) []string {
	var types []string
	if e.Conditions != nil {
		for _, c := range e.Conditions(status) {
			types = append(types, c.Type)
		}
	}
	return types
}
