package statuspatch

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// get reads the object anew, through the reader if one was given.
func (w *call[T, S]) get(ctx context.Context) (*T, error) {
	fresh := new(T)
	read := w.c.Get
	if w.o.reader != nil {
		read = w.o.reader.Get
	}
	err := read(ctx, w.key, w.t.Object(fresh))
	if err != nil && ctx.Err() != nil {
		err = errors.Join(ctx.Err(), w.conflict, err)
	}
	return fresh, err
}

// readFirst reads the base of the first attempt. The base's status is nil
// where nothing is left to write to, and none is wanted.
func (w *call[T, S]) readFirst(ctx context.Context) error {
	fresh, err := w.get(ctx)
	switch {
	case apierrors.IsNotFound(err) && w.base.gone:
		w.base.status = nil
		return nil
	case err != nil:
		return fmt.Errorf("read it first: %w", err)
	case w.base.resourceVersion == "" && w.generation == 0:
		w.generation = w.t.Object(fresh).GetGeneration() // the caller named an object, and has read none
	case older(w.t.Object(fresh).GetResourceVersion(), w.base.resourceVersion) && !w.isAnother(fresh):
		return nil // a cache behind the caller's own object
	}
	return w.rebaseOn(fresh)
}

// reread reads the base of another attempt.
func (w *call[T, S]) reread(ctx context.Context) (resourceVersion string, err error) {
	fresh, err := w.get(ctx)
	if err != nil {
		return "", err
	}
	return w.t.Object(fresh).GetResourceVersion(), w.rebaseOn(fresh)
}

// rebaseOn makes what was read the base, or tells why no attempt may follow.
func (w *call[T, S]) rebaseOn(fresh *T) error {
	meta := w.t.Object(fresh)
	if uid := meta.GetUID(); w.uid == "" {
		w.uid = uid
	} else if uid != w.uid {
		return fmt.Errorf("it was deleted and created anew with UID %s, this call is about UID %s: %w",
			uid, w.uid, apierrors.NewNotFound(w.t.Resource, w.key.Name))
	}
	if err := w.superseded(meta, fresh); err != nil {
		return apierrors.NewConflict(w.t.Resource, w.key.Name, err)
	}
	w.base = base[S]{status: w.t.statusOf(fresh), resourceVersion: meta.GetResourceVersion(), gone: isGone(meta)}
	if newer(w.base.resourceVersion, w.highest) {
		w.highest = w.base.resourceVersion
	}
	return nil
}

// isAnother reports whether a fresh object is another one of the same name. One
// that was created earlier is what a late cache still holds, which will pass.
func (w *call[T, S]) isAnother(fresh *T) bool {
	if w.uid == "" || w.t.Object(fresh).GetUID() == w.uid {
		return false
	}
	created, its := w.t.Object(w.obj).GetCreationTimestamp(), w.t.Object(fresh).GetCreationTimestamp()
	return created.IsZero() || its.IsZero() || !its.Before(&created)
}

// superseded says why what this call computed may not land on a fresh object.
func (w *call[T, S]) superseded(meta client.Object, fresh *T) error {
	generation := meta.GetGeneration()
	if w.o.sameGeneration {
		switch {
		case generation != w.generation:
			return fmt.Errorf("metadata.generation is %d, this status was computed for %d", generation, w.generation)
		case meta.GetDeletionTimestamp() != nil && !w.deleting:
			return errors.New("it is being deleted, which this status was computed without")
		}
	}
	if w.t.Observed == nil || generation <= w.generation {
		return nil
	}
	if observed := w.t.Observed(w.t.statusOf(fresh), false); observed != nil && *observed > w.generation {
		return fmt.Errorf("a newer reconcile has written for generation %d, this status was computed for %d", *observed, w.generation)
	}
	return nil
}

// afterConflict waits and reads again, until the read is newer than all that
// this call has seen, and gives the lock to try again under.
func (w *call[T, S]) afterConflict(ctx context.Context, p *patch, err error) (Lock, error) {
	failedTest := !apierrors.IsConflict(err)
	w.conflict = err
	if w.attempts >= w.retry.most {
		return "", w.exhausted(err, failedTest)
	}
	if werr := w.retry.wait(ctx); werr != nil {
		return "", errors.Join(werr, err)
	}
	sent := w.base.resourceVersion
	if w.stale == nil {
		w.stale = newStaleWait(w.o.backoff)
	}
	for {
		seen := w.highest
		fresh, gerr := w.get(ctx)
		if gerr != nil {
			return w.readFailed(gerr)
		}
		got := w.t.Object(fresh).GetResourceVersion()
		switch {
		case newer(got, seen), w.isAnother(fresh):
			w.stale = nil
			return w.o.lock, w.rebaseOn(fresh)
		case failedTest && got == sent && p.unsure:
			w.zeroStructs++
			return LockObject, w.rebaseOn(fresh)
		case failedTest && got == sent && p.lock == LockObject:
			return "", err // not another writer's doing: the server means it
		case failedTest && got == sent:
			// The base is what the server has, and the tests fail on it all the
			// same: it holds something that this type does not know.
			return LockObject, w.rebaseOn(fresh)
		case w.stale.over():
			// Nothing newer is to be had. A guarded PATCH of the newest is safe.
			if got != seen {
				return "", w.exhausted(err, failedTest)
			}
			return w.o.lock, w.rebaseOn(fresh)
		}
		if werr := w.stale.wait(ctx); werr != nil {
			return "", errors.Join(werr, err)
		}
	}
}

// readFailed ends a call whose re-read failed.
func (w *call[T, S]) readFailed(err error) (Lock, error) {
	if apierrors.IsNotFound(err) && w.base.gone {
		return "", nil
	}
	return "", fmt.Errorf("read it again after a conflict: %w", err)
}

// exhausted is the error of a call that met nothing but conflicts.
func (w *call[T, S]) exhausted(err error, failedTest bool) error {
	if failedTest {
		err = apierrors.NewConflict(w.t.Resource, w.key.Name, fmt.Errorf("other writers changed what was read: %w", err))
	}
	return fmt.Errorf("gave up after %d attempts: %w", w.attempts, err)
}

// newer reports whether resourceVersion a is newer than b. They are compared
// as decimal numbers, which the API server's are; others are newer if they differ.
func newer(a, b string) bool {
	if b == "" {
		return true
	}
	if !isDecimal(a) || !isDecimal(b) {
		return a != b
	}
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return a > b
}

// older reports whether resourceVersion a is certainly older than b.
func older(a, b string) bool { return isDecimal(a) && isDecimal(b) && a != b && newer(b, a) }

func isDecimal(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && (s[0] != '0' || s == "0")
}
