package testenv

import (
	"net/http/httptest"
	"testing"
)

func TestDescribe(t *testing.T) {
	for _, test := range []struct {
		method, path string
		want         Request
	}{
		{"GET", "/apis/example.com/v1/namespaces/ns/foos/a", Request{Verb: "get", Resource: "foos", Namespace: "ns", Name: "a"}},
		{"PATCH", "/apis/example.com/v1/namespaces/ns/foos/a/status", Request{Verb: "patch", Resource: "foos/status", Namespace: "ns", Name: "a"}},
		{"PATCH", "/apis/example.com/v1/foos/a/status?dryRun=All", Request{Verb: "patch", Resource: "foos/status", Name: "a"}},
		{"GET", "/apis/example.com/v1/foos", Request{Verb: "list", Resource: "foos"}},
		{"GET", "/apis/example.com/v1/namespaces/ns/foos?watch=true", Request{Verb: "watch", Resource: "foos", Namespace: "ns"}},
		{"GET", "/api/v1/namespaces/ns/pods/a", Request{Verb: "get", Resource: "pods", Namespace: "ns", Name: "a"}},
		{"POST", "/api/v1/namespaces", Request{Verb: "create", Resource: "namespaces"}},
		{"PUT", "/api/v1/namespaces/ns/status", Request{Verb: "update", Resource: "namespaces/status", Name: "ns"}},
		{"DELETE", "/api/v1/namespaces/ns", Request{Verb: "delete", Resource: "namespaces", Name: "ns"}},
		{"DELETE", "/api/v1/namespaces/ns/pods", Request{Verb: "deletecollection", Resource: "pods", Namespace: "ns"}},
		{"GET", "/api/v1", Request{Verb: "get"}},
		{"GET", "/apis", Request{Verb: "get"}},
		{"GET", "/version", Request{Verb: "get"}},
	} {
		got := describe(httptest.NewRequest(test.method, test.path, nil))
		got.URL = nil
		if got != test.want {
			t.Errorf("%s %s: got %+v, want %+v", test.method, test.path, got, test.want)
		}
	}
}
