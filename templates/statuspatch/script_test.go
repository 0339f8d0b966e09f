package statuspatch

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// script is a client that gives the answers it was told, and notes what it was
// sent. The last answer of each list is given again and again.
type script struct {
	t       *testing.T
	gets    []any // *Foo or error
	patches []any
	read    int
	sent    []string
}

func (s *script) Get(_ context.Context, _ client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	s.read++
	return s.answer(s.gets, s.read, obj)
}

func (s *script) Status() client.SubResourceWriter { return scriptStatus{s: s} }

type scriptStatus struct {
	client.SubResourceWriter
	s *script
}

func (w scriptStatus) Patch(_ context.Context, obj client.Object, patch client.Patch, _ ...client.SubResourcePatchOption) error {
	body, err := patch.Data(obj)
	if err != nil {
		return err
	}
	w.s.sent = append(w.s.sent, string(body))
	return w.s.answer(w.s.patches, len(w.s.sent), obj)
}

func (s *script) answer(answers []any, n int, into client.Object) error {
	if len(answers) == 0 {
		s.t.Error("a call that was not expected")
		return errors.New("not expected")
	}
	switch answer := answers[min(n, len(answers))-1].(type) {
	case error:
		return answer
	default:
		raw, err := json.Marshal(answer)
		if err != nil {
			return err
		}
		return json.Unmarshal(raw, into)
	}
}

// wantCalls checks what the client saw.
func (s *script) wantCalls(reads int, bodies ...string) {
	s.t.Helper()
	if s.read != reads || len(s.sent) != len(bodies) {
		s.t.Fatalf("%d reads, want %d; %d PATCHes, want %d: %s", s.read, reads, len(s.sent), len(bodies), s.sent)
	}
	for i := range bodies {
		if s.sent[i] != bodies[i] {
			s.t.Errorf("PATCH %d:\n got %s\nwant %s", i+1, s.sent[i], bodies[i])
		}
	}
}

// fooAt is a Foo as the server has it at a resourceVersion.
func fooAt(resourceVersion string, status FooStatus) *Foo {
	return &Foo{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "foo", UID: "u1", Generation: 1, ResourceVersion: resourceVersion},
		Status:     status,
	}
}

var (
	errConflict   = apierrors.NewConflict(fooType.Resource, "foo", errors.New("modified"))
	errFailedTest = apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", fooType.Resource, "", "test failed", 0, false)
	errGone       = apierrors.NewNotFound(fooType.Resource, "foo")
	atOnce        = WithBackoff(wait.Backoff{Steps: 4})
)
