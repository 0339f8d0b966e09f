package statuspatch

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/wait"
)

// What the comments of options.go and retry.go say of the default backoff.
func TestDefaultWaits(t *testing.T) {
	total, b := time.Duration(0), defaultBackoff()
	most := newRetry(b).most
	for range most - 1 {
		total += b.Step()
	}
	if most != 15 || total != 20420*time.Millisecond {
		t.Errorf("%d PATCHes and waits of up to %s, want 15 and 20.42 s", most, total)
	}
	total, b = 0, defaultBackoff()
	for range staleReads {
		total += b.Step()
	}
	if total != 6420*time.Millisecond {
		t.Errorf("a stale cache is waited for up to %s, want 6.42 s", total)
	}
}

func TestNewer(t *testing.T) {
	for _, tt := range []struct {
		a, b         string
		newer, older bool
	}{
		{"2", "1", true, false}, {"10", "9", true, false}, {"9", "10", false, true}, {"7", "7", false, false},
		{"18446744073709551617", "18446744073709551616", true, false},
		{"1", "", true, false}, {"", "1", true, false},
		// No decimal numbers: only that they differ is known.
		{"b", "a", true, false}, {"a", "b", true, false}, {"a", "a", false, false}, {"01", "2", true, false}, {"2", "1x", true, false},
	} {
		if got := newer(tt.a, tt.b); got != tt.newer {
			t.Errorf("newer(%q, %q) is %t", tt.a, tt.b, got)
		}
		if got := older(tt.a, tt.b); got != tt.older {
			t.Errorf("older(%q, %q) is %t", tt.a, tt.b, got)
		}
	}
}

// No two resourceVersions are newer than each other, where they are numbers.
func FuzzNewer(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Add(uint64(10), uint64(9))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		as, bs := fmt.Sprint(a), fmt.Sprint(b)
		if newer(as, bs) != (a > b) || older(as, bs) != (a < b) {
			t.Errorf("newer(%s, %s) is %t, older %t", as, bs, newer(as, bs), older(as, bs))
		}
	})
}

func TestUpTo(t *testing.T) {
	if upTo(0) != 0 || upTo(-time.Second) != 0 {
		t.Error("no time is not 0")
	}
	longest := time.Duration(0)
	for range 1000 {
		d := upTo(time.Second)
		if d < 0 || d > time.Second {
			t.Fatalf("%s is not up to a second", d)
		}
		longest = max(longest, d)
	}
	if longest < time.Second/2 {
		t.Errorf("of 1000 waits up to a second the longest is %s", longest)
	}
}

func TestSleepEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	start := time.Now()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > time.Minute {
		t.Errorf("error %v after %s", err, time.Since(start))
	}
	if err := sleep(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v of a context that has ended", err)
	}
	if err := sleep(context.Background(), time.Microsecond); err != nil {
		t.Error(err)
	}
}

// Half of each wait for a stale cache is certain.
func TestStaleWait(t *testing.T) {
	s := newStaleWait(wait.Backoff{Duration: 10 * time.Millisecond, Steps: 3})
	start := time.Now()
	waits := 0
	for ; !s.over(); waits++ {
		if err := s.wait(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if least := staleReads * 5 * time.Millisecond; waits != staleReads || time.Since(start) < least {
		t.Errorf("%d waits in %s, want %d in %s at least", waits, time.Since(start), staleReads, least)
	}
}

func TestFailedTests(t *testing.T) {
	kind := fooType.Kind
	invalid := func(e *field.Error) error {
		return apierrors.NewInvalid(metav1.SchemeGroupVersion.WithKind(kind).GroupKind(), "foo", field.ErrorList{e})
	}
	status := field.NewPath("status")
	for _, tt := range []struct {
		name                string
		err                 error
		failedTest, missing bool
	}{
		{"the server's failed test", apierrors.NewGenericServerResponse(422, "", fooType.Resource, "", "testing value /status/phase failed: test failed", 0, false), true, false},
		{"the fake client's failed test", errors.New("testing value /status/phase failed: test failed"), true, false},
		{"the fake client's gone path", errors.New("replace operation does not apply: doc is missing key: /status/x: missing value"), true, false},
		{"duplicate", invalid(field.Duplicate(status.Child("conditions").Index(1), "x")), false, false},
		{"required", invalid(field.Required(status.Child("n"), "")), false, true},
		{"status required", invalid(field.Required(status, "")), false, true},
		{"required of the spec", invalid(field.Required(field.NewPath("spec", "n"), "")), false, false},
		{"required of another field", invalid(field.Required(field.NewPath("statuses", "n"), "")), false, false},
		{"conflict", apierrors.NewConflict(fooType.Resource, "foo", errors.New("x")), false, false},
		{"bad request", apierrors.NewBadRequest("test failed"), false, false},
		{"any other", errors.New("connection reset by peer"), false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := isFailedTest(tt.err); got != tt.failedTest {
				t.Errorf("a failed test: %t", got)
			}
			if got := isRequiredMissing(tt.err); got != tt.missing {
				t.Errorf("a missing required field: %t", got)
			}
		})
	}
}
