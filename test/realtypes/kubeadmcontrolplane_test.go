package realtypes_test

//lint:file-ignore SA1019 the fields for readers of v1beta1 are deprecated and written all the same

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	controlplanev1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"

	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
	"github.com/statuspatch/statuspatcher-gen/test/realtypes/sample"
)

// newKubeadmControlPlane is the sample, to be created in s.
func newKubeadmControlPlane(s server) *realtypes.KubeadmControlPlane {
	kcp := sample.KubeadmControlPlane()
	kcp.Namespace, kcp.UID, kcp.ResourceVersion = s.namespace, "", ""
	return kcp
}

// oneLessReady is the write of another controller: 3/2 is stored from then on.
func oneLessReady(t *testing.T, s server, kcp *realtypes.KubeadmControlPlane) {
	t.Helper()
	other := kcp.DeepCopy()
	other.Status.ReadyReplicas = new(int32(2))
	other.Status.Deprecated.V1Beta1.ReadyReplicas = 2
	if err := s.client.Status().Update(t.Context(), other); err != nil {
		t.Fatal(err)
	}
}

// wholeGroup is the status in a body that holds the group, of four replicas and three
// ready, with the generation that it was computed for.
const wholeGroup = `{"replicas":4,"readyReplicas":3,"availableReplicas":3,"upToDateReplicas":3,"observedGeneration":1,` +
	`"deprecated":{"v1beta1":{"updatedReplicas":3,"readyReplicas":3,"unavailableReplicas":0}}}`

// Cluster API issue 11401: the base is 3/3, the server has 3/2, and four replicas are
// seen, three of them ready. 4/2 was computed by nobody.
func TestKubeadmControlPlaneIsNeverHalfWritten(t *testing.T) {
	type patch func(*testing.T, server, *realtypes.KubeadmControlPlane) error
	for _, test := range []struct {
		name  string
		patch patch
	}{
		{"closure", func(t *testing.T, s server, kcp *realtypes.KubeadmControlPlane) error {
			return realtypes.PatchKubeadmControlPlaneStatus(t.Context(), s.client, kcp, func(p *realtypes.KubeadmControlPlaneStatusPatch) error {
				p.SetReplicaCounters(counters(4))
				return nil
			})
		}},
		{"deferred", func(t *testing.T, s server, kcp *realtypes.KubeadmControlPlane) error {
			p := realtypes.NewKubeadmControlPlaneStatusPatcher(kcp)
			kcp.Status.Replicas = new(int32(4))
			return p.Patch(t.Context(), s.client)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			onServers(t, func(t *testing.T, s server) {
				kcp := newKubeadmControlPlane(s)
				s.create(t, kcp)
				oneLessReady(t, s, kcp)
				stale := kcp.ResourceVersion
				if s.rec != nil {
					s.rec.Reset()
				}
				if err := test.patch(t, s, kcp); err != nil {
					t.Fatal(err)
				}
				checkCounters(t, s, kcp)
				if s.rec == nil {
					return
				}
				gets := s.rec.Count("get", "kubeadmcontrolplanes") // the check's own is one of them
				requests := s.rec.Requests("patch", "")
				if len(requests) != 2 || gets != 2 || requests[0].Status != 409 || requests[1].Status != 200 {
					t.Fatalf("requests %v, want a conflict, a read and a patch that lands", s.rec.Requests("", ""))
				}
				if want := fmt.Sprintf(`{"metadata":{"resourceVersion":%q},"status":%s}`, stale, wholeGroup); requests[0].Body != want {
					t.Errorf("first body\n got %s\nwant %s", requests[0].Body, want)
				}
			})
		})
	}
}

// Without a lock on the counters nothing conflicts, and the group goes out whole all the same.
func TestKubeadmControlPlaneIsNeverHalfWrittenWithoutLock(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		kcp := newKubeadmControlPlane(s)
		s.create(t, kcp)
		oneLessReady(t, s, kcp)
		var result realtypes.StatusPatchResult
		err := realtypes.PatchKubeadmControlPlaneStatus(t.Context(), s.client, kcp, func(p *realtypes.KubeadmControlPlaneStatusPatch) error {
			p.SetReplicaCounters(counters(4))
			return nil
		}, realtypes.WithStatusPatchLock(realtypes.StatusPatchLockNone), realtypes.WithStatusPatchResult(&result))
		if err != nil {
			t.Fatal(err)
		}
		if result.Attempts != 1 {
			t.Errorf("%d attempts, want one", result.Attempts)
		}
		checkCounters(t, s, kcp)
	})
}

// checkCounters checks that all counters of one computation are stored, and nothing else changed.
func checkCounters(t *testing.T, s server, kcp *realtypes.KubeadmControlPlane) {
	t.Helper()
	var stored controlplanev1.KubeadmControlPlane
	stored.Namespace, stored.Name = kcp.Namespace, kcp.Name
	s.read(t, &stored)
	want := sample.KubeadmControlPlane().Status
	want.Replicas = new(int32(4))
	if s.rec != nil {
		want.ObservedGeneration = kcp.Generation
	}
	checkSame(t, stored.Status, want)
	checkSame(t, kcp.Status, want)
}

// The first status of an object is one that the server takes.
func TestKubeadmControlPlaneFirstStatus(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		kcp := newKubeadmControlPlane(s)
		kcp.Status = controlplanev1.KubeadmControlPlaneStatus{}
		if err := s.client.Create(t.Context(), kcp); err != nil {
			t.Fatal(err)
		}
		if err := realtypes.PatchKubeadmControlPlaneStatus(t.Context(), s.client, kcp, func(p *realtypes.KubeadmControlPlaneStatusPatch) error {
			p.SetReplicaCounters(realtypes.KubeadmControlPlaneReplicaCounters{Replicas: new(int32(0))})
			p.SetAvailableCondition(metav1.ConditionFalse, "NotAvailable", "")
			p.Status.LastRemediation.Machine = "control-plane-x7k2p"
			p.Status.LastRemediation.Time = sample.Since
			p.Status.LastRemediation.RetryCount = new(int32(0))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		var stored controlplanev1.KubeadmControlPlane
		stored.Namespace, stored.Name = kcp.Namespace, kcp.Name
		s.read(t, &stored)
		if stored.Status.Replicas == nil || *stored.Status.Replicas != 0 || stored.Status.ReadyReplicas != nil {
			t.Errorf("counters %v, %v, want 0 and none", stored.Status.Replicas, stored.Status.ReadyReplicas)
		}
		if len(stored.Status.Conditions) != 1 || stored.Status.Conditions[0].LastTransitionTime.IsZero() {
			t.Errorf("conditions %v, want one with a time", stored.Status.Conditions)
		}
		checkSame(t, stored.Status, kcp.Status)
	})
}

// Of a list of conditions of the old kind and one of the new, each has its own setters.
func TestKubeadmControlPlaneOldConditions(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		kcp := newKubeadmControlPlane(s)
		s.create(t, kcp)
		if err := realtypes.PatchKubeadmControlPlaneStatus(t.Context(), s.client, kcp, func(p *realtypes.KubeadmControlPlaneStatusPatch) error {
			p.SetMachinesCreatedCondition("False", "Failed", "Warning", "no quota")
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		want := sample.KubeadmControlPlane().Status.Deprecated.V1Beta1.Conditions
		got := kcp.Status.Deprecated.V1Beta1.Conditions
		if len(got) != len(want) {
			t.Fatalf("%d conditions, want %d", len(got), len(want))
		}
		for i := range want {
			if want[i].Type == "MachinesCreated" {
				if got[i].LastTransitionTime.Equal(&want[i].LastTransitionTime) {
					t.Error("lastTransitionTime did not move")
				}
				want[i].Status, want[i].Severity, want[i].Reason, want[i].Message = "False", "Warning", "Failed", "no quota"
				want[i].LastTransitionTime = got[i].LastTransitionTime
			}
		}
		checkSame(t, got, want)
	})
}
