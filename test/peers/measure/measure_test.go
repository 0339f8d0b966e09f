package measure_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/statuspatch/statuspatcher-gen/test/peers/measure"
)

func TestMeter(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPatch {
			w.WriteHeader(http.StatusConflict)
		}
		if _, err := io.WriteString(w, "answer"); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	var meter measure.Meter
	client := &http.Client{Transport: meter.Wrap(http.DefaultTransport)}
	for _, method := range []string{http.MethodGet, http.MethodPatch, http.MethodPatch} {
		req, err := http.NewRequestWithContext(t.Context(), method, server.URL, strings.NewReader("body"))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(resp.Body); err != nil {
			t.Fatal(err)
		}
		if err := resp.Body.Close(); err != nil {
			t.Fatal(err)
		}
	}
	got := meter.Take()
	if got.Requests["GET 200"] != 1 || got.Requests["PATCH 409"] != 2 || got.Total() != 3 || got.Writes() != 2 || got.Sent != 12 || got.Received != 18 {
		t.Errorf("got %+v, want one GET, two refused PATCHes, 12 bytes sent and 18 received", got)
	}
	if again := meter.Take(); again.Total() != 0 || again.Sent != 0 {
		t.Errorf("got %+v after it was taken, want nothing", again)
	}
}

func TestOf(t *testing.T) {
	var kept [][]byte
	cost := measure.Of(func() {
		for range 1000 {
			kept = append(kept, make([]byte, 1<<10))
		}
		time.Sleep(time.Millisecond)
	})
	if len(kept) != 1000 || cost.Allocs < 900 || cost.AllocBytes < 900<<10 || cost.Wall < time.Millisecond {
		t.Errorf("got %+v, want about a thousand allocations of a KiB and a millisecond", cost)
	}
	if twice := cost.Add(cost); twice.Allocs != 2*cost.Allocs || twice.Wall != 2*cost.Wall {
		t.Errorf("got %+v, want twice %+v", twice, cost)
	}
}

func TestQuantile(t *testing.T) {
	values := []time.Duration{3, 1, 2, 4}
	for q, want := range map[float64]time.Duration{0: 1, 0.5: 3, 0.99: 4, 1: 4} {
		if got := measure.Quantile(values, q); got != want {
			t.Errorf("quantile %v is %d, want %d", q, got, want)
		}
	}
	if got := measure.Quantile(nil, 0.5); got != 0 {
		t.Errorf("quantile of none is %d", got)
	}
}
