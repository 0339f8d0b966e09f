// Package model checks the patchers' design: a few writers share one object on
// an in-memory server, each step of theirs that others could come between is a
// choice, and a test goes through the choices, all of them or at random.
//
//	server.go    the server: what is stored, and how the API server patches it
//	schedule.go  choices, and the writers that take turns by them
package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Server stores one object as the API server does: a write that changes
// something gets a new resourceVersion, a patch with another resourceVersion
// than the stored one is a conflict, and a JSON patch that does not apply is
// refused with a 422 without details, before the resourceVersion is looked at.
type Server struct {
	// Watch sees each write that changed the object: its JSON before and after.
	Watch func(before, after []byte)

	resource schema.GroupResource
	version  int
	history  [][]byte
}

// NewServer stores an object, which has metadata. An empty status is left out,
// as it is of an object that was just created.
func NewServer(resource schema.GroupResource, object any) (*Server, error) {
	s := &Server{resource: resource, version: 1}
	raw, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("encode the object to store: %w", err)
	}
	return s, s.store(bytes.Replace(raw, []byte(`,"status":{}`), nil, 1))
}

// Read is the JSON of the object as it was a number of writes ago.
func (s *Server) Read(writesAgo int) []byte {
	return s.history[max(0, len(s.history)-1-writesAgo)]
}

// Writes is the number of versions stored so far.
func (s *Server) Writes() int { return len(s.history) }

// Patch applies a patch of the status and gives the object that is then stored.
func (s *Server) Patch(kind types.PatchType, patch []byte) ([]byte, error) {
	before := s.Read(0)
	after, err := s.apply(before, kind, patch)
	if err != nil {
		return nil, err
	}
	wanted, stored, err := s.versions(after, before)
	if err != nil {
		return nil, err
	}
	if wanted != stored {
		return nil, apierrors.NewConflict(s.resource, "", fmt.Errorf("resourceVersion %s was sent, %s is stored", wanted, stored))
	}
	status, err := statusOf(after)
	if err != nil {
		return nil, err
	}
	object, err := decode(before)
	if err != nil {
		return nil, err
	}
	if object["status"] = status; status == nil {
		delete(object, "status")
	}
	kept, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	if same(kept, before) {
		return before, nil
	}
	if err := s.store(kept); err != nil {
		return nil, err
	}
	return s.Read(0), nil
}

// apply applies a patch to the stored JSON.
func (s *Server) apply(stored []byte, kind types.PatchType, patch []byte) ([]byte, error) {
	switch kind {
	case types.MergePatchType:
		return jsonpatch.MergePatch(stored, patch)
	case types.JSONPatchType:
		operations, err := jsonpatch.DecodePatch(patch)
		if err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		patched, err := operations.Apply(stored)
		if err != nil {
			return nil, apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "", err.Error(), 0, false)
		}
		return patched, nil
	}
	return nil, apierrors.NewBadRequest("unknown kind of patch " + string(kind))
}

// store makes an object the newest version, and shows it to Watch.
func (s *Server) store(raw []byte) error {
	object, err := decode(raw)
	if err != nil {
		return err
	}
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return errors.New("the object to store has no metadata")
	}
	s.version++
	metadata["resourceVersion"] = strconv.Itoa(s.version)
	kept, err := json.Marshal(object)
	if err != nil {
		return err
	}
	if s.Watch != nil && len(s.history) > 0 {
		s.Watch(s.Read(0), kept)
	}
	s.history = append(s.history, kept)
	return nil
}

// versions are the resourceVersions of two objects.
func (s *Server) versions(a, b []byte) (string, string, error) {
	var of [2]struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	err := errors.Join(json.Unmarshal(a, &of[0]), json.Unmarshal(b, &of[1]))
	return of[0].Metadata.ResourceVersion, of[1].Metadata.ResourceVersion, err
}

// statusOf is an object's status as the API server stores it: without nulls.
func statusOf(raw []byte) (any, error) {
	object, err := decode(raw)
	if err != nil {
		return nil, err
	}
	return withoutNulls(object["status"]), nil
}

func withoutNulls(tree any) any {
	switch value := tree.(type) {
	case map[string]any:
		for key, below := range value {
			if below == nil {
				delete(value, key)
			} else {
				value[key] = withoutNulls(below)
			}
		}
	case []any:
		for i := range value {
			value[i] = withoutNulls(value[i])
		}
	}
	return tree
}

// decode reads a JSON object with its numbers kept as they are written.
func decode(raw []byte) (map[string]any, error) {
	var object map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err := d.Decode(&object)
	return object, err
}

// same reports whether two objects have the same JSON.
func same(a, b []byte) bool { return jsonpatch.Equal(a, b) }
