package statuspatch

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Client is what a status patcher needs of a client: reading again after a
// conflict, and writing the status subresource. client.Client satisfies it.
type Client interface {
	Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error
	Status() client.SubResourceWriter
}

// Skip, returned by a mutate function (also wrapped), ends the call with a nil
// error and without a write.
var Skip error = skip{}

type skip struct{}

func (skip) Error() string { return "status patch skipped" }

// StatusPatchSkip marks the Skip of each package that carries a copy of this code.
func (skip) StatusPatchSkip() {}

// Is lets errors.Is(err, Skip) hold for the Skip of another package's copy.
func (skip) Is(target error) bool {
	_, ok := target.(interface{ StatusPatchSkip() })
	return ok
}
