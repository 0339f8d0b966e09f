package realtypes_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
	"github.com/statuspatch/statuspatcher-gen/test/realtypes/sample"
)

func TestDeployment(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		labels := map[string]string{"app": "web"}
		deployment := &realtypes.Deployment{
			ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: "web"},
			Spec: appsv1.DeploymentSpec{
				Selector: &metav1.LabelSelector{MatchLabels: labels},
				Template: corev1.PodTemplateSpec{
					ObjectMeta: metav1.ObjectMeta{Labels: labels},
					Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
				},
			},
			Status: appsv1.DeploymentStatus{
				Replicas: 3, ReadyReplicas: 3, AvailableReplicas: 3, UpdatedReplicas: 3,
				Conditions: []appsv1.DeploymentCondition{
					{Type: "Available", Status: "True", Reason: "Enough", LastUpdateTime: sample.Since, LastTransitionTime: sample.Since},
				},
			},
		}
		s.create(t, deployment)

		// A stale base: of the three, one is ready no more.
		other := deployment.DeepCopy()
		other.Status.ReadyReplicas, other.Status.AvailableReplicas = 2, 2
		if err := s.client.Status().Update(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		set := realtypes.DeploymentReplicaCounters{Replicas: 4, UpdatedReplicas: 3, ReadyReplicas: 3, AvailableReplicas: 3, UnavailableReplicas: 1}
		if err := realtypes.PatchDeploymentStatus(t.Context(), s.client, deployment, func(p *realtypes.DeploymentStatusPatch) error {
			p.SetReplicaCounters(set)
			p.SetAvailableCondition("True", "Enough", "3 of 4")
			return nil
		}); err != nil {
			t.Fatal(err)
		}

		var stored appsv1.Deployment
		stored.Namespace, stored.Name = deployment.Namespace, deployment.Name
		s.read(t, &stored)
		condition := stored.Status.Conditions[0]
		if !condition.LastUpdateTime.After(sample.Since.Time) {
			t.Errorf("lastUpdateTime %v, want now: the message changed", condition.LastUpdateTime)
		}
		checkSame(t, stored.Status, appsv1.DeploymentStatus{
			ObservedGeneration: deployment.Generation,
			Replicas:           4, UpdatedReplicas: 3, ReadyReplicas: 3, AvailableReplicas: 3, UnavailableReplicas: 1,
			Conditions: []appsv1.DeploymentCondition{{
				Type: "Available", Status: "True", Reason: "Enough", Message: "3 of 4",
				LastUpdateTime: condition.LastUpdateTime, LastTransitionTime: sample.Since,
			}},
		})
	})
}

func TestMachineSet(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		set := &realtypes.MachineSet{
			ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: "workers"},
			Spec: clusterv1.MachineSetSpec{
				ClusterName: "production",
				Selector:    metav1.LabelSelector{MatchLabels: map[string]string{"pool": "workers"}},
				Template: clusterv1.MachineTemplateSpec{
					ObjectMeta: clusterv1.ObjectMeta{Labels: map[string]string{"pool": "workers"}},
					Spec: clusterv1.MachineSpec{
						ClusterName: "production",
						Bootstrap:   clusterv1.Bootstrap{DataSecretName: new("bootstrap")},
						InfrastructureRef: clusterv1.ContractVersionedObjectReference{
							APIGroup: "infrastructure.cluster.x-k8s.io", Kind: "DockerMachine", Name: "workers",
						},
					},
				},
			},
		}
		s.create(t, set)
		for _, step := range []struct {
			ready   int32
			message string
		}{{0, "none is ready"}, {2, "two are ready"}, {2, "two are ready"}} {
			var result realtypes.StatusPatchResult
			before := set.DeepCopy()
			if err := realtypes.PatchMachineSetStatus(t.Context(), s.client, set, func(p *realtypes.MachineSetStatusPatch) error {
				p.SetReplicaCounters(realtypes.MachineSetReplicaCounters{
					Replicas: new(int32(3)), ReadyReplicas: &step.ready, AvailableReplicas: new(int32(0)), UpToDateReplicas: new(int32(3)),
				})
				p.SetMachinesReadyCondition(metav1.ConditionFalse, "NotReady", step.message)
				return nil
			}, realtypes.WithStatusPatchResult(&result)); err != nil {
				t.Fatal(err)
			}
			if *set.Status.ReadyReplicas != step.ready || set.Status.Conditions[0].Message != step.message {
				t.Errorf("ready %d, conditions %v, want %v", *set.Status.ReadyReplicas, set.Status.Conditions, step)
			}
			if same := len(before.Status.Conditions) > 0 && before.Status.Conditions[0].Message == step.message; result.Changed == same {
				t.Errorf("%+v: changed %v, want %v", step, result.Changed, !same)
			}
		}
		if s.rec != nil && s.rec.Count("", "") != 2 {
			t.Errorf("requests %v, want two: the last step changes nothing", s.rec.Requests("", ""))
		}
	})
}

// A node has two addresses of a type although its list is declared to be keyed by type,
// and its conditions are written by several agents.
func TestNode(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		node := &realtypes.Node{
			ObjectMeta: metav1.ObjectMeta{Name: "node-" + s.namespace},
			Status: corev1.NodeStatus{
				Addresses: []corev1.NodeAddress{{Type: "InternalIP", Address: "10.0.0.1"}, {Type: "InternalIP", Address: "fd00::1"}},
				Conditions: []corev1.NodeCondition{
					{Type: "Ready", Status: "True", Reason: "KubeletReady", LastHeartbeatTime: sample.Since, LastTransitionTime: sample.Since},
					{Type: "MemoryPressure", Status: "False", Reason: "Enough", LastHeartbeatTime: sample.Since, LastTransitionTime: sample.Since},
				},
				Images: []corev1.ContainerImage{{Names: []string{"web:1"}, SizeBytes: 1 << 20}},
			},
		}
		s.create(t, node)

		// The kubelet says that memory is short. The agent, which knows nothing of it, writes its own.
		other := node.DeepCopy()
		other.Status.Conditions[1].Status, other.Status.Conditions[1].Reason = "True", "Short"
		if err := s.client.Status().Update(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		var result realtypes.StatusPatchResult
		if err := realtypes.PatchNodeStatus(t.Context(), s.client, node, func(p *realtypes.NodeStatusPatch) error {
			p.SetReadyCondition("False", "AgentDown", "")
			p.Status.Addresses[1].Address = "fd00::2"
			return nil
		}, realtypes.WithStatusPatchResult(&result)); err != nil {
			t.Fatal(err)
		}
		if result.Attempts != 1 {
			t.Errorf("%d attempts, want one: nobody wrote the same fields", result.Attempts)
		}
		var stored corev1.Node
		stored.Name = node.Name
		s.read(t, &stored)
		if c := stored.Status.Conditions; len(c) != 2 || c[0].Reason != "AgentDown" || c[1].Reason != "Short" {
			t.Errorf("conditions %v, want AgentDown and the kubelet's Short", c)
		}
		checkSame(t, stored.Status.Addresses, []corev1.NodeAddress{{Type: "InternalIP", Address: "10.0.0.1"}, {Type: "InternalIP", Address: "fd00::2"}})
	})
}

// What a list keyed by a key that is not unique is changed to counts, in either order.
func TestNodeAddressesOfOneType(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		for i, want := range [][]corev1.NodeAddress{
			{{Type: "InternalIP", Address: "10.0.0.1"}, {Type: "InternalIP", Address: "fd00::2"}},
			{{Type: "InternalIP", Address: "10.0.0.9"}, {Type: "InternalIP", Address: "fd00::2"}},
			{{Type: "InternalIP", Address: "10.0.0.9"}},
			{{Type: "Hostname", Address: "a"}, {Type: "InternalIP", Address: "10.0.0.9"}, {Type: "InternalIP", Address: "10.0.0.1"}},
		} {
			node := &realtypes.Node{
				ObjectMeta: metav1.ObjectMeta{Name: "node-" + s.namespace + string(rune('a'+i))},
				Status: corev1.NodeStatus{
					Addresses: []corev1.NodeAddress{{Type: "InternalIP", Address: "10.0.0.1"}, {Type: "InternalIP", Address: "fd00::1"}},
				},
			}
			s.create(t, node)
			if err := realtypes.PatchNodeStatus(t.Context(), s.client, node, func(p *realtypes.NodeStatusPatch) error {
				p.Status.Addresses = want
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			checkSame(t, node.Status.Addresses, want)
		}
	})
}
