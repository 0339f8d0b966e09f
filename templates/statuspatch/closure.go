package statuspatch

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Run is the closure form: it edits a copy of the status by mutate, and writes
// what that changed, again from the start after each conflict. newPatch makes
// what mutate edits, and tells where it holds the status.
func Run[T, S, P any](ctx context.Context, c Client, t *Type[T, S], obj *T, mutate func(P) error,
	newPatch func(*Edit[T, S]) (patch P, status **S), opts []client.SubResourcePatchOption) error {
	if mutate == nil {
		return refuse(opts, fmt.Errorf("patch status of %s: mutate is nil", t.Kind))
	}
	w, err := newCall(c, t, obj, opts)
	if err != nil {
		return err
	}
	w.plan = func(base *S, _ bool) (*S, error) {
		edit := &Edit[T, S]{Status: t.copyStatus(base), t: t, caller: obj, generation: w.generation, visitor: &w.visitor}
		var patch P
		patch, edit.status = newPatch(edit)
		return w.mutated(edit, func() error { return mutate(patch) })
	}
	defer w.release()
	return w.run(ctx)
}

// errMutate carries an error of mutate's to the caller as it is.
type errMutate struct{ error }

// mutated runs mutate, checks that it edited nothing but the status it was
// given, and gives that.
func (w *call[T, S]) mutated(e *Edit[T, S], mutate func() error) (*S, error) {
	w.before, w.room = *w.t.statusOf(w.obj), w.before
	v := &w.visitor
	*v = Visitor{mode: modeFreeze}
	w.t.Visit(v, Values[S]{Base: &w.room, Want: &w.before})

	if err := mutate(); err != nil {
		e.visitor = nil
		return nil, errMutate{err}
	}
	*v = Visitor{mode: modeEqual, identity: true}
	if !StructOf(w.t.Visit, w.t.Same).equal(v, &w.before, w.t.statusOf(w.obj)) {
		return nil, fmt.Errorf("mutate edited status.%s of the object that was passed in: edit the patch's Status instead, which is what is sent", v.where)
	}
	if e.object != nil {
		if field := w.t.editedOutside(w.obj, e.object); field != "" {
			return nil, fmt.Errorf("mutate edited %s through Object(): a status patch writes nothing outside status", field)
		}
	}
	status, err := e.edited(&w.clock)
	if err != nil {
		return nil, err
	}
	e.settle(status)
	w.edit = e
	return status, nil
}
