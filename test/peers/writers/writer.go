// Package writers has the ways to write the status of a KubeadmControlPlane that are
// compared: the generated patcher and what people use today.
package writers

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
)

// Writer is a way to write status.
type Writer struct {
	Name string
	// Reads says that Write itself reads the object first. The others start from the
	// object that they are given, as a reconciler has it from its cache.
	Reads bool
	// KeepsUp says that Write leaves the object fit to be written again, so that a
	// caller need not read it in between.
	KeepsUp bool
	// Write writes what edit changes, as the writer that owner names.
	Write func(ctx context.Context, c client.Client, kcp *realtypes.KubeadmControlPlane, edit Edit, owner string) error
}

// The names of the writers, in the order of All.
const (
	Generated  = "generated patcher"
	FieldsLock = "generated, fields lock"
	HyperShift = "HyperShift-style helper"
	ClusterAPI = "Cluster API patch.Helper"
	MergeFrom  = "plain MergeFrom"
	Update     = "Update, retry on conflict"
	Apply      = "server-side apply"
)

// All are the writers that are compared.
func All() []Writer {
	return []Writer{
		{Name: Generated, KeepsUp: true, Write: generated},
		{Name: FieldsLock, KeepsUp: true, Write: generatedWithFieldsLock},
		{Name: HyperShift, Reads: true, KeepsUp: true, Write: hyperShift},
		{Name: ClusterAPI, Write: clusterAPI},
		{Name: MergeFrom, Write: mergeFrom},
		{Name: Update, Reads: true, KeepsUp: true, Write: update},
		{Name: Apply, Write: apply},
	}
}

// Named is the writer of a name; ok is false if there is none.
func Named(name string) (w Writer, ok bool) {
	for _, w := range All() {
		if w.Name == name {
			return w, true
		}
	}
	return Writer{}, false
}
