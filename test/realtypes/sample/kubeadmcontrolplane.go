// Package sample makes objects of the size that they have in real clusters, for tests
// and benchmarks.
package sample

//lint:file-ignore SA1019 the fields for readers of v1beta1 are deprecated and written all the same

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	bootstrapv1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	controlplanev1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// Since is when the conditions of the samples were set.
var Since = metav1.NewTime(time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC))

// conditionTypes are the conditions of a control plane of which all is well.
var conditionTypes = []string{
	controlplanev1.KubeadmControlPlaneAvailableCondition,
	controlplanev1.KubeadmControlPlaneCertificatesAvailableCondition,
	controlplanev1.KubeadmControlPlaneEtcdClusterHealthyCondition,
	controlplanev1.KubeadmControlPlaneControlPlaneComponentsHealthyCondition,
	controlplanev1.KubeadmControlPlaneMachinesReadyCondition,
	controlplanev1.KubeadmControlPlaneMachinesUpToDateCondition,
	controlplanev1.KubeadmControlPlaneRollingOutCondition,
	controlplanev1.KubeadmControlPlaneScalingUpCondition,
	controlplanev1.KubeadmControlPlaneScalingDownCondition,
	controlplanev1.KubeadmControlPlaneRemediatingCondition,
}

// v1beta1ConditionTypes are those of the same control plane for readers of v1beta1.
var v1beta1ConditionTypes = []clusterv1.ConditionType{
	"Ready", "Available", "CertificatesAvailable", "ControlPlaneComponentsHealthy", "EtcdClusterHealthy",
	"MachinesCreated", "MachinesReady", "MachinesSpecUpToDate", "Resized",
}

// KubeadmControlPlane is a control plane of three machines with ten conditions, as a
// controller reads it.
func KubeadmControlPlane() *controlplanev1.KubeadmControlPlane {
	return &controlplanev1.KubeadmControlPlane{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "control-plane",
			UID: "7c6b3f0a-5c1c-4ac0-9f6c-3f4a0b9d1c11", ResourceVersion: "4711", Generation: 3,
			Labels:      map[string]string{clusterv1.ClusterNameLabel: "production"},
			Annotations: map[string]string{"controlplane.cluster.x-k8s.io/skip-kube-proxy": ""},
			Finalizers:  []string{controlplanev1.KubeadmControlPlaneFinalizer},
		},
		Spec:   kubeadmControlPlaneSpec(),
		Status: kubeadmControlPlaneStatus(),
	}
}

func kubeadmControlPlaneSpec() controlplanev1.KubeadmControlPlaneSpec {
	return controlplanev1.KubeadmControlPlaneSpec{
		Replicas: new(int32(3)),
		Version:  "v1.36.3",
		MachineTemplate: controlplanev1.KubeadmControlPlaneMachineTemplate{
			Spec: controlplanev1.KubeadmControlPlaneMachineTemplateSpec{
				InfrastructureRef: clusterv1.ContractVersionedObjectReference{
					APIGroup: "infrastructure.cluster.x-k8s.io", Kind: "DockerMachineTemplate", Name: "control-plane",
				},
			},
		},
		KubeadmConfigSpec: bootstrapv1.KubeadmConfigSpec{
			ClusterConfiguration: bootstrapv1.ClusterConfiguration{
				APIServer: bootstrapv1.APIServer{
					CertSANs:  []string{"localhost", "127.0.0.1"},
					ExtraArgs: []bootstrapv1.Arg{{Name: "audit-log-maxage", Value: new("30")}},
				},
			},
			InitConfiguration: bootstrapv1.InitConfiguration{NodeRegistration: nodeRegistration()},
			JoinConfiguration: bootstrapv1.JoinConfiguration{NodeRegistration: nodeRegistration()},
			Files: []bootstrapv1.File{{
				Path: "/etc/kubernetes/audit-policy.yaml", Owner: "root:root", Permissions: "0600",
				Content: "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n",
			}},
			PreKubeadmCommands: []string{"systemctl enable --now containerd"},
		},
	}
}

func nodeRegistration() bootstrapv1.NodeRegistrationOptions {
	return bootstrapv1.NodeRegistrationOptions{
		CRISocket: "unix:///var/run/containerd/containerd.sock",
		KubeletExtraArgs: []bootstrapv1.Arg{
			{Name: "cgroup-driver", Value: new("systemd")}, {Name: "eviction-hard", Value: new("nodefs.available<0%")},
		},
	}
}

func kubeadmControlPlaneStatus() controlplanev1.KubeadmControlPlaneStatus {
	status := controlplanev1.KubeadmControlPlaneStatus{
		Initialization:     controlplanev1.KubeadmControlPlaneInitializationStatus{ControlPlaneInitialized: new(true)},
		Selector:           "cluster.x-k8s.io/cluster-name=production,cluster.x-k8s.io/control-plane",
		Replicas:           new(int32(3)),
		ReadyReplicas:      new(int32(3)),
		AvailableReplicas:  new(int32(3)),
		UpToDateReplicas:   new(int32(3)),
		Versions:           []clusterv1.StatusVersion{{Version: "v1.36.3", Replicas: 3}},
		Version:            "v1.36.3",
		ObservedGeneration: 3,
		LastRemediation: controlplanev1.LastRemediationStatus{
			Machine: "control-plane-x7k2p", Time: Since, RetryCount: new(int32(0)),
		},
		Deprecated: &controlplanev1.KubeadmControlPlaneDeprecatedStatus{
			V1Beta1: &controlplanev1.KubeadmControlPlaneV1Beta1DeprecatedStatus{UpdatedReplicas: 3, ReadyReplicas: 3},
		},
	}
	for _, conditionType := range v1beta1ConditionTypes {
		status.Deprecated.V1Beta1.Conditions = append(status.Deprecated.V1Beta1.Conditions, clusterv1.Condition{
			Type: conditionType, Status: corev1.ConditionTrue, LastTransitionTime: Since,
		})
	}
	for i, conditionType := range conditionTypes {
		status.Conditions = append(status.Conditions, metav1.Condition{
			Type: conditionType, Status: metav1.ConditionTrue, Reason: conditionType,
			Message:            fmt.Sprintf("* Machines control-plane-x7k2p, control-plane-9fd4c, control-plane-q8z6m: %d of 3 checked", i%4),
			ObservedGeneration: 3, LastTransitionTime: Since,
		})
	}
	return status
}
