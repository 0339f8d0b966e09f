// Package measure counts what a client costs: requests, bytes, time, memory.
package measure

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"
)

// Traffic is what went over the wire.
type Traffic struct {
	// Requests are counted by method and status code, such as "PATCH 200".
	Requests map[string]int `json:"requests"`
	// Sent and Received are the bytes of bodies, uncompressed and without headers.
	Sent     int64 `json:"bytesSent"`
	Received int64 `json:"bytesReceived"`
}

// Total is the number of all requests.
func (t Traffic) Total() int {
	total := 0
	for _, n := range t.Requests {
		total += n
	}
	return total
}

// Writes is the number of the requests that were to write.
func (t Traffic) Writes() int {
	writes := 0
	for kind, n := range t.Requests {
		if !strings.HasPrefix(kind, http.MethodGet+" ") {
			writes += n
		}
	}
	return writes
}

// Meter measures the traffic of the clients whose transport it wraps.
type Meter struct {
	mu sync.Mutex
	t  Traffic
}

// Wrap is made for rest.Config.Wrap.
func (m *Meter) Wrap(next http.RoundTripper) http.RoundTripper { return &transport{m, next} }

// Take is the traffic since the last Take.
func (m *Meter) Take() Traffic {
	m.mu.Lock()
	defer m.mu.Unlock()
	taken := m.t
	taken.Requests = maps.Clone(taken.Requests)
	m.t = Traffic{}
	return taken
}

type transport struct {
	meter *Meter
	next  http.RoundTripper
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	code := 0
	if err == nil {
		code = resp.StatusCode
		resp.Body = &countingBody{resp.Body, t.meter}
	}
	t.meter.mu.Lock()
	defer t.meter.mu.Unlock()
	if t.meter.t.Requests == nil {
		t.meter.t.Requests = map[string]int{}
	}
	t.meter.t.Requests[fmt.Sprintf("%s %d", req.Method, code)]++
	if req.ContentLength > 0 {
		t.meter.t.Sent += req.ContentLength
	}
	return resp, err
}

type countingBody struct {
	io.ReadCloser
	meter *Meter
}

func (b *countingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.meter.mu.Lock()
	b.meter.t.Received += int64(n)
	b.meter.mu.Unlock()
	return n, err
}
