package statuspatch

import (
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Lock says what a PATCH is guarded by.
type Lock string

const (
	// LockObject guards with the object's resourceVersion: any write by others is a conflict.
	LockObject Lock = "object"
	// LockFields guards with the UID and the base value of each field that is
	// sent: only a write of the same field or condition by others is a conflict.
	LockFields Lock = "fields"
	// LockNone guards plain fields and groups with the UID alone: the last
	// writer wins on what is sent. Conditions are guarded as under LockFields.
	LockNone Lock = "none"
)

// WithReader makes re-reads go through r, such as the manager's API reader,
// instead of the client, which may answer from a cache.
func WithReader(r client.Reader) client.SubResourcePatchOption { return option{keyReader, r} }

// WithLock replaces the type's default lock for this call.
func WithLock(lock Lock) client.SubResourcePatchOption { return option{keyLock, string(lock)} }

// WithBackoff sets how many PATCHes are sent at the most (Steps) and how long
// is waited between them: a random time up to what each b.Step() gives. The
// default is 15 PATCHes and waits of up to 20 ms, 60 ms, 180 ms, 540 ms, 1.62 s
// and then 2 s: 20.4 s in all at the most, 10.2 s on average, if nothing but
// conflicts is met. The context's end cuts it short.
func WithBackoff(b wait.Backoff) client.SubResourcePatchOption { return option{keyBackoff, b} }

// WithResult fills in r when the call ends, with or without an error.
func WithResult(r *Result) client.SubResourcePatchOption {
	return option{keyResult, func(changed bool, attempts int, resourceVersion string, transitioned []string) {
		if r != nil {
			*r = Result{Changed: changed, Attempts: attempts, ResourceVersion: resourceVersion, Transitioned: transitioned}
		}
	}}
}

// WithLiveBase reads the object before the first attempt instead of taking the
// caller's as the base: for a caller whose cache may be older than his own last
// write, where the old data would make a needed write look like a no-op.
func WithLiveBase() client.SubResourcePatchOption { return option{keyLiveBase, true} }

// WithObservedGeneration(false) leaves the field marked observedGeneration
// alone: for a failed or partial reconcile, and for a controller that is not
// the one whose progress the field tells.
func WithObservedGeneration(write bool) client.SubResourcePatchOption {
	return option{keyObservedGeneration, write}
}

// WithSameGeneration ends the call with a conflict error where a re-read shows
// another metadata.generation than the caller's, or a new deletionTimestamp.
func WithSameGeneration() client.SubResourcePatchOption { return option{keySameGeneration, true} }

// WithNow sets the clock of lastTransitionTime and lastUpdateTime.
func WithNow(now func() time.Time) client.SubResourcePatchOption { return option{keyNow, now} }

// The keys of options are the same in every package's copy of this code.
const (
	keyReader             = "reader"
	keyLock               = "lock"
	keyBackoff            = "backoff"
	keyResult             = "result"
	keyLiveBase           = "liveBase"
	keyObservedGeneration = "observedGeneration"
	keySameGeneration     = "sameGeneration"
	keyNow                = "now"
)

// option is an option of the patcher itself. It never reaches the client.
type option struct {
	key   string
	value any
}

// ApplyToSubResourcePatch makes an option fit among controller-runtime's own; it does nothing.
func (option) ApplyToSubResourcePatch(*client.SubResourcePatchOptions) {}

// StatusPatchOption gives the option's key and its value, which is of a
// standard or Kubernetes type, so that the patchers of any package can read
// the options made by any other.
func (o option) StatusPatchOption() (key string, value any) { return o.key, o.value }

// settings are the options of one call, read.
type settings struct {
	reader             client.Reader
	lock               Lock
	backoff            wait.Backoff
	result             func(changed bool, attempts int, resourceVersion string, transitioned []string)
	liveBase           bool
	observedGeneration bool
	sameGeneration     bool
	now                func() time.Time

	client []client.SubResourcePatchOption // the client's own
	dryRun bool
}

// defaultBackoff lets 16 writers of one field all land, on a machine that is
// short of processors too: test/contention compares it with others.
func defaultBackoff() wait.Backoff {
	return wait.Backoff{Duration: 20 * time.Millisecond, Factor: 3, Cap: 2 * time.Second, Steps: 15}
}

// read sorts opts into the patcher's own and the client's.
func (s *settings) read(opts []client.SubResourcePatchOption, lock Lock) error {
	*s = settings{lock: lock, backoff: defaultBackoff(), observedGeneration: true, now: time.Now}
	var problem error
	for _, o := range opts {
		if o == nil {
			continue
		}
		own, ok := o.(interface{ StatusPatchOption() (string, any) })
		if !ok {
			s.client = append(s.client, o)
			continue
		}
		if err := s.set(own.StatusPatchOption()); err != nil && problem == nil {
			problem = err
		}
	}
	if problem != nil {
		return problem
	}
	return s.checkClientOptions()
}

// refuse ends a call that has not begun: nothing was written.
func refuse(opts []client.SubResourcePatchOption, err error) error {
	var s settings
	_ = s.read(opts, LockObject) // what could be read
	if s.result != nil {
		s.result(false, 0, "", nil)
	}
	return err
}

func (s *settings) set(key string, value any) error {
	ok := true
	switch key {
	case keyReader:
		s.reader, ok = value.(client.Reader)
		ok = ok || value == nil
	case keyLock:
		var lock string
		lock, ok = value.(string)
		s.lock = Lock(lock)
		if s.lock != LockObject && s.lock != LockFields && s.lock != LockNone {
			return fmt.Errorf("status patch lock %q is unknown: use object, fields or none", lock)
		}
	case keyBackoff:
		s.backoff, ok = value.(wait.Backoff)
	case keyResult:
		s.result, ok = value.(func(bool, int, string, []string))
	case keyLiveBase:
		s.liveBase, ok = value.(bool)
	case keyObservedGeneration:
		s.observedGeneration, ok = value.(bool)
	case keySameGeneration:
		s.sameGeneration, ok = value.(bool)
	case keyNow:
		var now func() time.Time
		if now, ok = value.(func() time.Time); ok && now != nil {
			s.now = now
		}
	default:
		return fmt.Errorf("status patch option %q is unknown to this patcher: generate its package anew with the newer statuspatcher-gen", key)
	}
	if !ok {
		return fmt.Errorf("status patch option %q has a value of type %T, which this patcher cannot read: generate both packages with the same statuspatcher-gen", key, value)
	}
	return nil
}

func (s *settings) checkClientOptions() error {
	if len(s.client) == 0 {
		return nil
	}
	var o client.SubResourcePatchOptions
	o.ApplyOptions(s.client)
	if o.SubResourceBody != nil {
		return errors.New("a status patch makes its own body: leave out the sub-resource body option")
	}
	for _, d := range o.DryRun {
		s.dryRun = s.dryRun || d == metav1.DryRunAll
	}
	return nil
}
