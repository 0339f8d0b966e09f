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
	defer w.release()
	w.plan = func(base *S, _ bool) (*S, error) {
		edit := w.newEdit(base)
		var patch P
		patch, edit.status = newPatch(edit)
		w.freeze()
		if err := mutate(patch); err != nil {
			return nil, errMutate{err}
		}
		return w.mutated(edit)
	}
	return w.run(ctx)
}

// errMutate carries an error of mutate's to the caller as it is.
type errMutate struct{ error }

// newEdit makes the working copy that one run of mutate edits.
func (w *call[T, S]) newEdit(base *S) *Edit[T, S] {
	made := new(struct {
		edit   Edit[T, S]
		status S
	})
	w.t.copyStatusInto(base, &made.status)
	w.dropEdit()
	w.edit = &made.edit
	*w.edit = Edit[T, S]{Status: &made.status, t: w.t, caller: w.obj, generation: w.generation, written: &w.memory.written}
	return w.edit
}

// dropEdit makes an earlier working copy, which the caller may have kept, let
// go of the call's memory.
func (w *call[T, S]) dropEdit() {
	w.memory.written.reset()
	if w.edit != nil {
		w.edit.written = nil
	}
}

// freeze keeps what the caller's status is before mutate runs.
func (w *call[T, S]) freeze() {
	m := w.memory
	m.before, m.older = *w.t.statusOf(w.obj), m.before
	w.t.freeze(&m.older, &m.before)
}

// mutated checks that mutate edited nothing but the status it was given, and
// gives that.
func (w *call[T, S]) mutated(e *Edit[T, S]) (*S, error) {
	v := &w.memory.visitor
	v.begin(modeEqual)
	v.identity = true
	if !StructOf(w.t.Visit, w.t.Same).equal(v, &w.memory.before, w.t.statusOf(w.obj)) {
		return nil, fmt.Errorf("mutate edited status.%s of the object that was passed in: edit the patch's Status instead, which is what is sent", v.where)
	}
	if e.object != nil {
		if field := w.t.editedOutside(w.obj, e.object); field != "" {
			return nil, fmt.Errorf("mutate edited %s through Object(): a status patch writes nothing outside status", field)
		}
	}
	return e.edited(&w.clock)
}
