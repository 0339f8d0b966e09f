package testenv

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Request is one request that a client sent.
type Request struct {
	// Verb is the Kubernetes verb: get, list, watch, create, update, patch, delete or deletecollection.
	Verb string
	// Resource is the plural with the sub-resource, such as pods or pods/status; empty for
	// requests that ask for no object, such as discovery.
	Resource string
	// Namespace and Name say which object was meant.
	Namespace, Name string
	// URL is the whole address, with options such as dryRun and fieldManager.
	URL *url.URL
	// ContentType is the type of Body; for a patch it tells the kind of patch.
	ContentType string
	// Body is what was sent.
	Body string
	// Status is the HTTP status of the answer; 0 if there was none.
	Status int
	// Err is the error of the transport, if there was no answer.
	Err error
}

// String returns the request in a line, for messages of tests.
func (r Request) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s/%s %d %s", r.Verb, r.Resource, r.Namespace, r.Name, r.Status, r.Body))
}

// Is tells whether the request has this verb and resource; an empty one fits all that
// ask for an object.
func (r Request) Is(verb, resource string) bool {
	return r.Resource != "" && (verb == "" || verb == r.Verb) && (resource == "" || resource == r.Resource)
}

// Recorder records the requests of the clients whose transport it wraps, and can answer
// in place of the server. It may be used by many goroutines at once.
type Recorder struct {
	mu       sync.Mutex
	requests []Request
	before   func(*http.Request) (*http.Response, error)
	after    func(*http.Request, *http.Response) (*http.Response, error)
}

// Wrap returns a transport that records what goes through next; it is made for
// rest.Config.Wrap.
func (r *Recorder) Wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) { return r.roundTrip(next, req) })
}

// Before sets a hook that sees each request before it is sent. If it returns an answer
// or an error, the client gets that and the server gets nothing; with two nils the
// request is sent. Another client may be used in it, to write just before this one.
// Calls may overlap. A nil hook ends it.
func (r *Recorder) Before(hook func(*http.Request) (*http.Response, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.before = hook
}

// After sets a hook that sees each answer of the server before the client does and may
// replace it: with an error, the answer to a request that was carried out is lost.
// Calls may overlap. A nil hook ends it.
func (r *Recorder) After(hook func(*http.Request, *http.Response) (*http.Response, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.after = hook
}

// Reset forgets the requests so far; hooks stay.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = nil
}

// Requests returns the requests that have this verb and resource, in the order they
// were answered. An empty verb or resource fits all that ask for an object.
func (r *Recorder) Requests(verb, resource string) []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []Request
	for _, request := range r.requests {
		if request.Is(verb, resource) {
			found = append(found, request)
		}
	}
	return found
}

// Count returns how many requests have this verb and resource, as Requests does.
func (r *Recorder) Count(verb, resource string) int {
	return len(r.Requests(verb, resource))
}

func (r *Recorder) roundTrip(next http.RoundTripper, req *http.Request) (*http.Response, error) {
	request := describe(req)
	if req.Body != nil {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		_ = req.Body.Close()
		request.Body = string(body)
		req = req.Clone(req.Context()) // a transport must leave the request alone
		req.Body = io.NopCloser(bytes.NewReader(body))
	}
	r.mu.Lock()
	before, after := r.before, r.after
	r.mu.Unlock()

	var resp *http.Response
	var err error
	if before != nil {
		resp, err = before(req)
		if req.Body != nil { // the hook may have read it
			req.Body = io.NopCloser(strings.NewReader(request.Body))
		}
	}
	if resp == nil && err == nil {
		resp, err = next.RoundTrip(req)
		if err == nil && after != nil {
			resp, err = after(req, resp)
		}
	}

	request.Err = err
	if resp != nil {
		request.Status = resp.StatusCode
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = append(r.requests, request)
	return resp, err
}

// describe reads off a request what it asks for. Paths are /api/VERSION/… or
// /apis/GROUP/VERSION/…, then [namespaces/NAMESPACE/]RESOURCE[/NAME[/SUBRESOURCE]].
func describe(req *http.Request) Request {
	request := Request{URL: req.URL, ContentType: req.Header.Get("Content-Type")}
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	switch parts[0] {
	case "api":
		parts = parts[min(2, len(parts)):]
	case "apis":
		parts = parts[min(3, len(parts)):]
	default:
		parts = nil
	}
	// A namespace itself is namespaces/NAME, and its own sub-resources are but these two.
	if len(parts) > 2 && parts[0] == "namespaces" && parts[2] != "status" && parts[2] != "finalize" {
		request.Namespace = parts[1]
		parts = parts[2:]
	}
	if len(parts) > 0 {
		request.Resource = parts[0]
	}
	if len(parts) > 1 {
		request.Name = parts[1]
	}
	if len(parts) > 2 {
		request.Resource += "/" + strings.Join(parts[2:], "/")
	}

	switch req.Method {
	case http.MethodGet:
		request.Verb = "get"
		if req.URL.Query().Get("watch") == "true" || req.URL.Query().Get("watch") == "1" {
			request.Verb = "watch"
		} else if request.Name == "" && request.Resource != "" {
			request.Verb = "list"
		}
	case http.MethodPost:
		request.Verb = "create"
	case http.MethodPut:
		request.Verb = "update"
	case http.MethodDelete:
		request.Verb = "delete"
		if request.Name == "" {
			request.Verb = "deletecollection"
		}
	default:
		request.Verb = strings.ToLower(req.Method)
	}
	return request
}

// Answer returns the answer that a server would give for an API error, for hooks.
func Answer(req *http.Request, apiError apierrors.APIStatus) (*http.Response, error) {
	status := apiError.Status()
	status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	body, err := json.Marshal(status)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode:    int(status.Code),
		Status:        fmt.Sprintf("%d %s", status.Code, http.StatusText(int(status.Code))),
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        http.Header{"Content-Type": {"application/json"}},
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
		Request:       req,
	}, nil
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
