package statuspatch

import (
	"context"
	"errors"
	"math/rand"
	"net/http"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

// retry waits between the attempts of a call: full jitter, so that writers
// that met do not meet again.
type retry struct {
	most    int // PATCHes
	backoff wait.Backoff
}

func newRetry(b wait.Backoff) retry { return retry{most: max(b.Steps, 1), backoff: b} }

func (r *retry) wait(ctx context.Context) error { return sleep(ctx, upTo(r.backoff.Step())) }

// staleReads is how often a cache is looked at again before its newest object
// is taken for the server's. With the default backoff that is between 3.2 and
// 6.4 seconds, more than a cache is behind under ordinary load.
const staleReads = 7

// staleWait waits for a cache to catch up with what this call has seen. No
// other writer waits for the same, so half of each step is certain.
type staleWait struct {
	reads   int
	backoff wait.Backoff
}

func newStaleWait(b wait.Backoff) *staleWait { return &staleWait{backoff: b} }

func (s *staleWait) over() bool { return s.reads >= staleReads }

func (s *staleWait) wait(ctx context.Context) error {
	s.reads++
	step := s.backoff.Step()
	return sleep(ctx, step/2+upTo(step/2))
}

func upTo(d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return time.Duration(rand.Int63n(int64(d) + 1))
}

// sleep waits, and ends at once with ctx's error when ctx does.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return ctx.Err()
	}
}

// isFailedTest reports whether a JSON patch was refused because a test failed
// or a path is gone: a 422 without causes from the API server, a plain error
// from controller-runtime's fake client.
func isFailedTest(err error) bool {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		s := status.Status()
		return s.Code == http.StatusUnprocessableEntity && (s.Details == nil || len(s.Details.Causes) == 0)
	}
	text := err.Error()
	return strings.HasSuffix(text, "test failed") || strings.HasSuffix(text, "missing value")
}

// isRequiredMissing reports whether the server misses a required field in status.
func isRequiredMissing(err error) bool {
	var status apierrors.APIStatus
	if !apierrors.IsInvalid(err) || !errors.As(err, &status) || status.Status().Details == nil {
		return false
	}
	for _, cause := range status.Status().Details.Causes {
		if cause.Type == metav1.CauseTypeFieldValueRequired &&
			(cause.Field == "status" || strings.HasPrefix(cause.Field, "status.")) {
			return true
		}
	}
	return false
}
