// Package v1 is an API that has conditions in every form that API authors give them.
//
// +k8s:deepcopy-gen=package
// +groupName=conditions.statuspatch.dev
package v1
