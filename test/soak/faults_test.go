package soak_test

import (
	"errors"
	"io"
	"math/rand"
	"net/http"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

var (
	pools = schema.GroupResource{Group: "example.statuspatch.dev", Resource: "machinepools"}
	kind  = schema.GroupKind{Group: pools.Group, Kind: "MachinePool"}
)

// fault is what can happen to a request.
type fault struct {
	name string
	// perMille is how often, in a thousand requests.
	perMille int
	// before answers in place of the server. Nil sends the request.
	before func(*http.Request) (*http.Response, error)
	// lost loses the answer to a request that was carried out.
	lost bool
}

func answer(err apierrors.APIStatus) func(*http.Request) (*http.Response, error) {
	return func(req *http.Request) (*http.Response, error) { return testenv.Answer(req, err) }
}

// timeout is an error as a client's own timeout makes it.
type timeout struct{}

func (timeout) Error() string   { return "injected timeout" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

var faults = []fault{
	{name: "409", perMille: 30, before: answer(apierrors.NewConflict(pools, "pool", errors.New("injected")))},
	{name: "404", perMille: 3, before: answer(apierrors.NewNotFound(pools, "pool"))},
	{name: "403", perMille: 3, before: answer(apierrors.NewForbidden(pools, "pool", errors.New("injected")))},
	{name: "422", perMille: 3, before: answer(apierrors.NewInvalid(kind, "pool", field.ErrorList{field.Invalid(field.NewPath("status"), "x", "injected")}))},
	{name: "422 without causes", perMille: 5, before: answer(apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "", "injected: test failed", 0, false))},
	{name: "429", perMille: 1, before: func(req *http.Request) (*http.Response, error) {
		resp, err := testenv.Answer(req, apierrors.NewTooManyRequests("injected", 1))
		if err == nil {
			resp.Header.Set("Retry-After", "1")
		}
		return resp, err
	}},
	{name: "500", perMille: 5, before: answer(apierrors.NewInternalError(errors.New("injected")))},
	{name: "timeout", perMille: 5, before: func(*http.Request) (*http.Response, error) { return nil, timeout{} }},
	{name: "lost answer", perMille: 10, lost: true},
	{name: "latency", perMille: 50, before: func(*http.Request) (*http.Response, error) {
		time.Sleep(time.Duration(rand.Int63n(int64(30 * time.Millisecond))))
		return nil, nil
	}},
}

// injector lets faults happen to what goes through it, at random by a seed.
type injector struct {
	mu       sync.Mutex
	random   *rand.Rand
	happened map[string]int
}

func newInjector(seed int64) *injector {
	return &injector{random: rand.New(rand.NewSource(seed)), happened: map[string]int{}}
}

// pick is the fault of the next request, nil for none.
func (i *injector) pick() *fault {
	i.mu.Lock()
	defer i.mu.Unlock()
	at := i.random.Intn(1000)
	for f := range faults {
		if at -= faults[f].perMille; at < 0 {
			i.happened[faults[f].name]++
			return &faults[f]
		}
	}
	return nil
}

// wrap is a transport to whose requests faults happen.
func (i *injector) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		f := i.pick()
		if f == nil {
			return next.RoundTrip(req)
		}
		if f.before != nil {
			if resp, err := f.before(req); resp != nil || err != nil {
				return resp, err
			}
		}
		resp, err := next.RoundTrip(req)
		if err != nil || !f.lost {
			return resp, err
		}
		_, err = io.Copy(io.Discard, resp.Body)
		return nil, errors.Join(errors.New("injected: the answer is lost"), err, resp.Body.Close())
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
