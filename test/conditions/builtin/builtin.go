// Package builtin has patchers for Kubernetes' own types: aliases carry the markers.
package builtin

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// Node has conditions with lastHeartbeatTime.
//
// +kubebuilder:subresource:status
// +statuspatch:condition:type=Ready,reasons=KubeletReady;KubeletNotReady
// +statuspatch:condition:type=example.com/DiskFine,name=DiskFine
type Node = corev1.Node

// Pod has conditions with lastProbeTime and observedGeneration.
//
// +kubebuilder:subresource:status
// +statuspatch:condition:type=example.com/Admitted,name=Admitted
type Pod = corev1.Pod

// Deployment has conditions with lastUpdateTime.
//
// +kubebuilder:subresource:status
// +statuspatch:observedGeneration=observedGeneration
// +statuspatch:condition=Progressing
// +statuspatch:group=replicas,updatedReplicas
type Deployment = appsv1.Deployment

// Job has conditions with lastProbeTime.
//
// +kubebuilder:subresource:status
// +statuspatch:condition=Suspended
type Job = batchv1.Job
