// Package v1alpha1 holds the example API of statuspatcher-gen: a namespaced
// MachinePool and a cluster-scoped Region, with their generated status patchers.
//
// +k8s:deepcopy-gen=package
// +groupName=example.statuspatch.dev
package v1alpha1
