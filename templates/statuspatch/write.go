package statuspatch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// call is one call of a patcher: from the caller's object to a PATCH that
// landed, or the error that ends it.
type call[T, S any] struct {
	t   *Type[T, S]
	c   Client
	o   settings
	obj *T
	key client.ObjectKey

	clock clock

	generation int64
	uid        types.UID
	deleting   bool // the caller's object had a deletionTimestamp

	// plan makes the wanted status for a base; first says that the base is the
	// one that the caller's object holds.
	plan   func(base *S, first bool) (*S, error)
	edit   *Edit[T, S] // what mutate edited; nil in the deferred form
	memory *callMemory[T, S]

	base          base[S]
	highest       string // the newest resourceVersion seen
	retry         retry
	stale         *staleWait // the wait for something newer; nil where none is on
	requiredZeros bool       // the server asked for required fields
	zeroStructs   zeroStructs
	attempts      int
	conflict      error // the last one
	accepted      bool
	outcome       Result
}

// callMemory is what a call works with, and the next call of the type again.
type callMemory[T, S any] struct {
	visitor Visitor
	before  S // the caller's status, to see whether mutate edited that
	older   S // one of before, whose room is free
	written writtenGroups
	want    MemberValues // of a group in the wanted status and in the base
	base    MemberValues
	answer  *T // that the server's answer is read into
}

// base is the object that a patch starts from.
type base[S any] struct {
	status          *S
	first           bool
	resourceVersion string
	// gone says that the object vanishes as soon as nothing holds it: a 404 is then no error.
	gone bool
}

func newCall[T, S any](c Client, t *Type[T, S], obj *T, opts []client.SubResourcePatchOption) (*call[T, S], error) {
	fail := func(err error) (*call[T, S], error) {
		return nil, refuse(opts, fmt.Errorf("patch status of %s: %w", t.Kind, err))
	}
	switch {
	case isNil(c):
		return fail(errors.New("the client is nil"))
	case obj == nil:
		return fail(errors.New("the object is nil"))
	}
	meta := t.Object(obj)
	w := t.call()
	*w = call[T, S]{
		memory: w.memory, t: t, c: c, obj: obj, key: client.ObjectKeyFromObject(meta),
		generation: meta.GetGeneration(), uid: meta.GetUID(), deleting: meta.GetDeletionTimestamp() != nil,
		highest: meta.GetResourceVersion(),
	}
	if err := w.o.read(opts, t.Lock); err != nil {
		return fail(err)
	}
	if w.key.Name == "" {
		return fail(errors.New("the object has no name"))
	}
	w.clock.now = w.o.now
	w.base = base[S]{
		status: t.statusOf(obj), first: true, resourceVersion: w.highest, gone: isGone(meta),
	}
	return w, nil
}

// call gives a call, or one that was used before, for the sake of its memory.
func (t *Type[T, S]) call() *call[T, S] {
	if w, ok := t.calls.Get().(*call[T, S]); ok {
		return w
	}
	return &call[T, S]{memory: &callMemory[T, S]{}}
}

// release lets the call's memory be used again.
func (w *call[T, S]) release() {
	w.dropEdit()
	t := w.t
	*w = call[T, S]{memory: w.memory}
	if w.memory.visitor.memory.spacious() {
		w.memory = &callMemory[T, S]{}
	}
	t.calls.Put(w)
}

// clock shows the same time throughout a call.
type clock struct {
	now func() time.Time
	at  time.Time
}

func (c *clock) time() time.Time {
	if c.at.IsZero() {
		c.at = c.now()
	}
	return c.at
}

func isNil(c Client) bool {
	if c == nil {
		return true
	}
	v := reflect.ValueOf(c)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

func isGone(meta client.Object) bool {
	return meta.GetDeletionTimestamp() != nil && len(meta.GetFinalizers()) == 0
}

// wrap says which object an error is about.
func (w *call[T, S]) wrap(err error) error {
	name := w.key.Name
	if w.key.Namespace != "" {
		name = w.key.String()
	}
	return fmt.Errorf("patch status of %s %s: %w", w.t.Kind, name, err)
}

// run carries the call out.
func (w *call[T, S]) run(ctx context.Context) error {
	err := w.write(ctx)
	if w.outcome.ResourceVersion == "" {
		w.outcome.ResourceVersion = w.base.resourceVersion
	}
	if w.o.result != nil {
		w.o.result(w.outcome.Changed, w.attempts, w.outcome.ResourceVersion, w.outcome.Transitioned)
	}
	if err == nil {
		return nil
	}
	var own errMutate
	if !errors.As(err, &own) {
		return w.wrap(err)
	}
	if errors.Is(own.error, Skip) {
		return nil
	}
	return own.error
}

func (w *call[T, S]) write(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.base.resourceVersion == "" || w.o.liveBase {
		if err := w.readFirst(ctx); err != nil || w.base.status == nil {
			return err
		}
	}
	lock := w.o.lock
	w.retry = newRetry(w.o.backoff)
	for {
		want, err := w.plan(w.base.status, w.base.first)
		if err != nil {
			return err
		}
		p, err := w.prepare(want, lock)
		if err != nil || p.body == nil {
			return err
		}
		out, err := w.send(ctx, &p)
		if err == nil {
			w.accept(out, &p)
			return nil
		}
		next, err := w.afterFailure(ctx, &p, err)
		if err != nil || next == "" {
			return err
		}
		lock = next
	}
}

// patch is a body ready to send.
type patch struct {
	lock Lock // what guards it
	kind types.PatchType
	body []byte
	// flipped are the types of the conditions whose status it changes.
	flipped []string
	// unsure says that a test in it may fail for what Go cannot tell, and not for
	// another writer's doing: see zeroStructs.
	unsure bool
}

// prepare makes the patch from the base to what is wanted, without a body if
// there is nothing to write.
func (w *call[T, S]) prepare(want *S, lock Lock) (patch, error) {
	if w.t.Observed != nil && w.o.observedGeneration && w.generation != 0 {
		*w.t.Observed(want, true) = w.generation
	}
	if !w.requiredZeros && w.t.Same != nil && w.t.Same(w.base.status, want) {
		return patch{}, nil
	}
	v := &w.memory.visitor
	*v = Visitor{
		memory: v.memory, member: w.t.members, generation: w.generation, clock: &w.clock,
		requiredZeros: w.requiredZeros, zeroStructs: w.zeroStructs,
		tests: lock != LockObject, keepUnknown: lock == LockNone,
	}
	if lock == LockObject {
		v.beginMerge(w.base.resourceVersion)
	}
	changed, err := w.diff(v, want)
	switch {
	case err != nil || !changed:
		return patch{}, err
	case v.merging && !v.nulls:
		return patch{lock: lock, kind: types.MergePatchType, body: v.merged(), flipped: v.flipped}, nil
	case v.merging:
		v.merging = false // only a JSON patch can say that a null is stored
		diffStatus(v, w.t, w.base.status, want, slices.Clone(v.changed))
	case v.nilEntries || v.root.testsNullEntry():
		return w.prepare(want, LockObject)
	}
	observed, path := w.observedGuard(v.root)
	body := jsonBody(v.root, lock, w.base.resourceVersion, w.uid, observed, path)
	unsure := lock == LockObject && (v.root.holdsUnsure() || w.zeroStructs == zeroIsPresent)
	return patch{lock: lock, kind: types.JSONPatchType, body: body, flipped: v.flipped, unsure: unsure}, v.err
}

// diff visits the base and what is wanted, and reports whether they differ.
func (w *call[T, S]) diff(v *Visitor, want *S) (changed bool, err error) {
	// As a rule these are the groups of which a member changed. If not, what
	// was recorded of one too many or too few is not what to send.
	forced := w.differentGroups(w.base.status, want)
	changed = diffStatus(v, w.t, w.base.status, want, forced)
	if w.edit != nil && v.err == nil {
		if err := w.edit.checkGroups(v.changed); err != nil {
			return false, err
		}
	}
	if !slices.Equal(v.changed, forced) {
		changed = diffStatus(v, w.t, w.base.status, want, append(forced[:0], v.changed...))
	}
	return changed, v.err
}

// differentGroups are the groups whose members have other values in want than
// in base, but for those that mutate had no business to change. A setter's word is
// taken where the members still have its values.
func (w *call[T, S]) differentGroups(base, want *S) groupSet {
	m := w.memory
	forced := m.visitor.memory.forced[:0]
	for i := range w.t.Groups {
		if w.edit != nil && !w.edit.mayChange(i) {
			forced = append(forced, false)
			continue
		}
		m.base.text, m.want.text = m.base.text[:0], m.want.text[:0]
		w.t.Groups[i].Values(&m.base, base)
		w.t.Groups[i].Values(&m.want, want)
		forced = append(forced, !bytes.Equal(m.base.text, m.want.text))
		if w.edit != nil {
			w.edit.settle(i, m.want.text)
		}
	}
	m.visitor.memory.forced = forced
	return forced
}

// diffStatus visits two statuses, records their difference, and reports whether
// there is any. The groups in forced go out whole; which changed is in v.changed.
func diffStatus[T, S any](v *Visitor, t *Type[T, S], base, want *S, forced groupSet) bool {
	m := &v.memory
	m.changes, m.entries, m.text, m.body = m.changes[:0], m.entries[:0], m.text[:0], m.body[:v.bodyFrom]
	m.changed = append(m.changed[:0], make(groupSet, len(t.Groups))...)
	v.root, v.nulls, v.nilEntries, v.field, v.flipped = nil, false, false, fieldInfo{name: "status"}, nil
	v.changed, v.forced = m.changed, nil
	if forced.any() {
		v.forced = forced
	}
	v.containers = m.containers[:0]
	StructOf(t.Visit, t.Same).diff(v, base, want, false)
	m.containers = v.containers[:0]
	return v.root != nil || len(m.body) > v.bodyFrom
}

// observedGuard is the base value of the observedGeneration field, to be tested
// under every lock, and the path below status to test it at: that of a parent
// where the base has none. It is nil where the type has no such field or a test
// stands anyway.
func (w *call[T, S]) observedGuard(root *change) (guard *change, path []string) {
	if w.t.Observed == nil || root.added {
		return nil, nil
	}
	at := root
	for _, name := range w.t.ObservedPath {
		at = at.child(name)
		if at != nil && at.added {
			return nil, nil
		}
	}
	if at != nil && w.o.lock == LockFields {
		return nil, nil
	}
	observed := w.t.Observed(w.base.status, false)
	switch {
	case observed == nil:
		return &change{}, w.absentParent() // below it no test would pass
	case *observed != 0 || w.t.ObservedRequired:
		return &change{base: appendInt(nil, *observed)}, w.t.ObservedPath
	}
	return &change{}, w.t.ObservedPath
}

// absentParent is the path of the first parent of the observedGeneration field
// that the base lacks.
func (w *call[T, S]) absentParent() []string {
	path := w.t.ObservedPath
	raw, err := json.Marshal(w.base.status)
	var tree map[string]any
	if err != nil || json.Unmarshal(raw, &tree) != nil {
		return path
	}
	for i, name := range path {
		below, ok := tree[name].(map[string]any)
		if !ok {
			return path[:i+1]
		}
		tree = below
	}
	return path
}

// send sends a patch and gives the server's answer.
func (w *call[T, S]) send(ctx context.Context, p *patch) (*T, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := w.emptyObject()
	meta := w.t.Object(out)
	meta.SetName(w.key.Name)
	meta.SetNamespace(w.key.Namespace)
	w.attempts++
	if err := w.c.Status().Patch(ctx, meta, client.RawPatch(p.kind, p.body), w.o.client...); err != nil {
		return nil, err
	}
	w.memory.answer = out
	return out, nil
}

// emptyObject is one to read an answer into: that of an earlier call, once it
// is answered. After an error a client may still be at work on the object.
func (w *call[T, S]) emptyObject() *T {
	out := w.memory.answer
	if out == nil {
		return new(T)
	}
	w.memory.answer = nil
	var empty T
	*out = empty
	return out
}

// accept takes in the server's answer.
func (w *call[T, S]) accept(out *T, p *patch) {
	if w.o.dryRun {
		return
	}
	meta, answer := w.t.Object(w.obj), w.t.Object(out)
	w.accepted = true
	stored := answer.GetResourceVersion()
	w.outcome.ResourceVersion = stored
	if stored != w.base.resourceVersion {
		w.outcome.Changed = true
		w.outcome.Transitioned = p.flipped
	}
	guarded := p.lock == LockObject && w.base.resourceVersion == meta.GetResourceVersion()
	if guarded || w.t.sameOutside(w.obj, out) {
		meta.SetResourceVersion(stored)
	}
	w.t.SetStatus(w.obj, w.t.statusOf(out))
}

// afterFailure decides what follows a PATCH that failed: the lock to try again
// under, or the error that ends the call. Neither means success.
func (w *call[T, S]) afterFailure(ctx context.Context, p *patch, err error) (Lock, error) {
	switch {
	case ctx.Err() != nil:
		return "", errors.Join(ctx.Err(), w.conflict, err)
	case apierrors.IsConflict(err), p.kind == types.JSONPatchType && isFailedTest(err):
		return w.afterConflict(ctx, p, err)
	case apierrors.IsNotFound(err):
		if w.base.gone {
			return "", nil
		}
		return "", fmt.Errorf("%w (%s)", err, notFoundHint(err))
	case isRequiredMissing(err) && !w.requiredZeros && w.attempts < w.retry.most:
		w.requiredZeros = true
		if _, rerr := w.reread(ctx); rerr != nil {
			return "", err
		}
		return LockObject, nil
	}
	return "", err
}

// notFoundHint says what a 404 can mean.
func notFoundHint(err error) string {
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		if details := status.Status().Details; details != nil {
			for _, cause := range details.Causes {
				if cause.Type == metav1.CauseTypeUnexpectedServerResponse {
					return "the server has no status subresource for this kind: mark the type +kubebuilder:subresource:status and apply its CRD"
				}
			}
		}
	}
	return "it is gone, or its CRD or fake client has no status subresource for it"
}
