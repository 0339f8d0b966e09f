package zoo_test

import (
	"context"
	"encoding/json"
	"reflect"

	"sigs.k8s.io/controller-runtime/pkg/client"

	zoov1 "github.com/statuspatch/statuspatcher-gen/test/zoo/api/v1"
)

// species is a root type of the zoo, T, with its status S.
type species[T, S any] struct {
	kind, crd string
	// status is the address of an object's status, which is made if there is none.
	status func(*T) *S
	// object makes a *T known as an object.
	object func(*T) client.Object
	// settle repairs a random status.
	settle func(*S)
	// patch writes a status by the generated patcher.
	patch func(context.Context, zoov1.StatusPatchClient, *T, func() *S, ...client.SubResourcePatchOption) error
	// explicit puts into a status's JSON the zeros that stand for themselves
	// although a Go client would leave them to the server's default.
	explicit func(*S, map[string]any)
	// groups are the members of each group.
	groups [][][]string
}

var zoos = species[zoov1.Zoo, zoov1.ZooStatus]{
	kind: "Zoo", crd: "zoo.statuspatch.dev_zoos.yaml",
	status: func(z *zoov1.Zoo) *zoov1.ZooStatus { return &z.Status },
	object: func(z *zoov1.Zoo) client.Object { return z },
	settle: func(s *zoov1.ZooStatus) {
		settle(s.Lists)
		if s.Trees != nil {
			withoutNil(s.Trees.Tree)
		}
		s.ObservedGeneration = 1
	},
	patch: func(ctx context.Context, c zoov1.StatusPatchClient, z *zoov1.Zoo, want func() *zoov1.ZooStatus, opts ...client.SubResourcePatchOption) error {
		return zoov1.PatchZooStatus(ctx, c, z, func(p *zoov1.ZooStatusPatch) error {
			*p.Status = *want()
			p.MarkReplicasAndReadyReplicasComputed()
			p.MarkDeepComputed()
			p.MarkWholeComputed()
			return nil
		}, opts...)
	},
	explicit: func(s *zoov1.ZooStatus, status map[string]any) {
		if s.Defaults == nil {
			return
		}
		defaults := status["defaults"].(map[string]any)
		for name, zero := range map[string]any{
			"int32": orNil(s.Defaults.Int32, int64(0)), "string": orNil(s.Defaults.String, ""),
			"bool": orNil(s.Defaults.Bool, false), "quoted": orNil(s.Defaults.Quoted, "0"),
			"list": orNil(s.Defaults.List, []any{}), "map": orNil(s.Defaults.Map, map[string]any{}),
		} {
			if zero != nil {
				defaults[name] = zero
			}
		}
	},
	groups: [][][]string{
		{{"replicas"}, {"readyReplicas"}},
		{{"deep", "counts", "total"}, {"deep", "counts", "ready"}, {"deep", "note"}, {"conditions"}},
		{{"wholeList"}, {"wholeMap"}, {"wholeStruct"}},
	},
}

// orNil is zero, in JSON, if value is zero but not nil, else nil.
func orNil(value, zero any) any {
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Slice, reflect.Map:
		if !v.IsNil() && v.Len() == 0 {
			return zero
		}
	default:
		if v.IsZero() {
			return zero
		}
	}
	return nil
}

var cages = species[zoov1.Cage, zoov1.CageStatus]{
	kind: "Cage", crd: "zoo.statuspatch.dev_cages.yaml",
	status: func(c *zoov1.Cage) *zoov1.CageStatus {
		if c.Status == nil {
			c.Status = new(zoov1.CageStatus)
		}
		return c.Status
	},
	object: func(c *zoov1.Cage) client.Object { return c },
	settle: func(*zoov1.CageStatus) {},
	patch: func(ctx context.Context, c zoov1.StatusPatchClient, cage *zoov1.Cage, want func() *zoov1.CageStatus, opts ...client.SubResourcePatchOption) error {
		return zoov1.PatchCageStatus(ctx, c, cage, func(p *zoov1.CageStatusPatch) error {
			*p.Status = *want()
			p.MarkCapacityAndOccupiedComputed()
			return nil
		}, opts...)
	},
	explicit: func(*zoov1.CageStatus, map[string]any) {},
	groups:   [][][]string{{{"capacity"}, {"occupied"}}},
}

// random is a random status.
func (s *species[T, S]) random(c *choices) *S {
	status := new(S)
	c.fill(reflect.ValueOf(status).Elem())
	s.settle(status)
	return status
}

// edited is a copy of an object's status with random edits.
func (s *species[T, S]) edited(c *choices, obj *T) *S {
	status := s.copied(obj)
	c.edit(reflect.ValueOf(status).Elem())
	s.settle(status)
	return status
}

// copied is a deep copy of an object's status.
func (s *species[T, S]) copied(obj *T) *S {
	return s.status(s.object(obj).DeepCopyObject().(any).(*T))
}

// copyOf is a deep copy of a status.
func (s *species[T, S]) copyOf(status *S) *S {
	obj := new(T)
	*s.status(obj) = *status
	return s.copied(obj)
}

// json is the JSON of a status that an update which the server accepts would send.
func (s *species[T, S]) json(schema *crdSchema, status *S) map[string]any {
	raw, err := json.Marshal(status)
	if err != nil {
		panic(err) // random values encode
	}
	tree, err := readObject(raw)
	if err != nil {
		panic(err)
	}
	s.explicit(status, tree)
	fillRequired(tree, schema.structural.Properties["status"])
	return tree
}
