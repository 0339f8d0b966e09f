package statuspatch

import (
	"context"
	"errors"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Run is the closure form: it edits a copy of the status by mutate, and writes
// what that changed, again from the start after each conflict. newPatch makes
// what mutate edits, and tells where it holds the status.
func Run[T, S, P any](ctx context.Context, c Client, t *Type[T, S], obj *T, mutate func(P) error,
	newPatch func(*Edit[T, S]) (patch P, status **S), opts []client.SubResourcePatchOption) error {
	if mutate == nil {
		return fmt.Errorf("patch status of %s: mutate is nil", t.Kind)
	}
	w, err := newCall(c, t, obj, opts)
	if err != nil {
		return err
	}
	w.plan = func(base *S, _ bool) (*S, error) {
		edit := &Edit[T, S]{t: t, caller: obj, work: t.around(base), generation: w.generation}
		edit.Status = t.Status(edit.work)
		return w.mutated(edit, base, func() error {
			patch, status := newPatch(edit)
			err := mutate(patch)
			edit.Status = *status
			return err
		})
	}
	return w.run(ctx)
}

// errMutate carries an error of mutate's to the caller as it is.
type errMutate struct{ error }

// mutated runs mutate and checks that it edited nothing but the status it was given.
func (w *call[T, S]) mutated(e *Edit[T, S], base *S, mutate func() error) (*S, error) {
	held := e.Status
	callers := w.t.statusOf(w.obj)
	w.before = *callers
	v := &w.visitor
	*v = Visitor{mode: modeFreeze}
	w.t.Visit(v, Values[S]{Base: &w.before, Want: &w.before})

	if err := mutate(); err != nil {
		return nil, errMutate{err}
	}
	if e.Status == nil {
		return nil, errors.New("mutate set the patch's Status to nil: set it to an empty status instead")
	}
	if e.Status == held && w.t.Status(e.work) != held {
		if e.Status = w.t.Status(e.work); e.Status == nil { // by pointer, replaced through Object()
			e.Status = new(S)
		}
	}
	v.mode, v.identity = modeEqual, true
	if w.t.Visit(v, Values[S]{Base: &w.before, Want: w.t.statusOf(w.obj)}); v.differs {
		return nil, fmt.Errorf("mutate edited status.%s of the object that was passed in: edit the patch's Status instead, which is what is sent", v.where)
	}
	if e.whole {
		if field := w.t.editedOutside(w.obj, e.work); field != "" {
			return nil, fmt.Errorf("mutate edited %s through Object(): a status patch writes nothing outside status", field)
		}
	}
	e.settle()
	w.edit = e
	return e.Status, nil
}
