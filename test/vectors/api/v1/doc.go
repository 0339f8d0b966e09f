// Package v1 is the API that the cases from public reports are tested on.
//
// +k8s:deepcopy-gen=package
// +groupName=vectors.statuspatch.dev
package v1
