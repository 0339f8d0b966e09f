package realtypes

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	controlplanev1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// KubeadmControlPlane is Cluster API's. The counters of one look at the machines, those
// for readers of v1beta1 among them, are one group.
//
// +kubebuilder:subresource:status
// +statuspatch:group:name=replicaCounters,fields=replicas;readyReplicas;availableReplicas;upToDateReplicas;deprecated.v1beta1.updatedReplicas;deprecated.v1beta1.readyReplicas;deprecated.v1beta1.unavailableReplicas
// +statuspatch:condition=Available
// +statuspatch:condition=Initialized
// +statuspatch:condition=CertificatesAvailable
// +statuspatch:condition=EtcdClusterHealthy
// +statuspatch:condition=ControlPlaneComponentsHealthy
// +statuspatch:condition=MachinesReady
// +statuspatch:condition=MachinesUpToDate
// +statuspatch:condition=RollingOut
// +statuspatch:condition=ScalingUp
// +statuspatch:condition=ScalingDown
// +statuspatch:condition=Remediating
// +statuspatch:condition=Deleting
// +statuspatch:condition=Paused
// +statuspatch:condition:type=MachinesCreated,path=deprecated.v1beta1.conditions
// +statuspatch:observedGeneration=observedGeneration
type KubeadmControlPlane = controlplanev1.KubeadmControlPlane

// MachineSet is Cluster API's.
//
// +kubebuilder:subresource:status
// +statuspatch:group:name=replicaCounters,fields=replicas;readyReplicas;availableReplicas;upToDateReplicas
// +statuspatch:condition=MachinesReady
// +statuspatch:condition=ScalingUp
// +statuspatch:observedGeneration=observedGeneration
type MachineSet = clusterv1.MachineSet

// Deployment is of Kubernetes' group apps.
//
// +kubebuilder:subresource:status
// +statuspatch:group:name=replicaCounters,fields=replicas;updatedReplicas;readyReplicas;availableReplicas;unavailableReplicas
// +statuspatch:condition=Available
// +statuspatch:condition=Progressing
// +statuspatch:observedGeneration=observedGeneration
type Deployment = appsv1.Deployment

// Node is of Kubernetes' core.
//
// +kubebuilder:subresource:status
// +statuspatch:condition=Ready
// +statuspatch:condition=MemoryPressure
// +statuspatch:condition:type=example.com/AgentReady,name=AgentReady
// +statuspatch:lock=fields
type Node = corev1.Node
