// Package v1 is a zoo: types whose statuses have every shape that encoding/json takes,
// for tests of what the patchers write. Each file holds the structs of one subject.
//
// +k8s:deepcopy-gen=package
// +groupName=zoo.statuspatch.dev
package v1
