package statuspatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Patcher is the deferred form: it remembers what the object was when it was
// made, and writes what was changed since.
type Patcher[T, S any] struct {
	t   *Type[T, S]
	obj *T

	base            *S     // the status that edits are told apart from
	given           *S     // what the generated methods edit
	resourceVersion string // of base
	objVersion      string // of obj, which may lag behind
	uid             types.UID
	generation      int64

	err error // what makes the patcher useless
}

// NewPatcher makes a patcher of the object as it is now.
func NewPatcher[T, S any](t *Type[T, S], obj *T) *Patcher[T, S] {
	p := &Patcher[T, S]{t: t, obj: obj}
	if obj == nil {
		p.obj = new(T)
		p.err = fmt.Errorf("patch status of %s: the object is nil", t.Kind)
	}
	if t.Status(p.obj) == nil {
		t.SetStatus(p.obj, new(S)) // by pointer: setters need one
	}
	meta := t.Object(p.obj)
	p.given = t.Status(p.obj)
	p.base = t.copyStatus(p.given)
	p.resourceVersion, p.objVersion = meta.GetResourceVersion(), meta.GetResourceVersion()
	p.uid, p.generation = meta.GetUID(), meta.GetGeneration()
	return p
}

// Status is the status that is edited: the object's own.
func (p *Patcher[T, S]) Status() *S {
	p.given = p.t.statusOf(p.obj)
	return p.given
}

// edited is a copy of the status with all edits in it: those made in the
// object, and where a status by pointer was replaced there, those made through
// the generated methods in the one before.
func (p *Patcher[T, S]) edited() (*S, error) {
	current := p.t.statusOf(p.obj)
	if current != p.given && p.t.Status(p.obj) != nil {
		v := &Visitor{mode: modeRebase, generation: p.generation, clock: &clock{now: time.Now}}
		p.t.Visit(v, Values[S]{Base: p.base, Want: p.t.copyStatus(p.given), Live: current})
		if len(v.conflicts) > 0 {
			return nil, fmt.Errorf("status.%s was edited in the object's status and in another that the object had before: edit one of the two", v.conflicts[0])
		}
		p.given = current
	}
	return p.t.copyStatus(current), nil
}

// Edit is what the generated methods edit through.
func (p *Patcher[T, S]) Edit() *Edit[T, S] {
	return &Edit[T, S]{t: p.t, caller: p.obj, deferred: true, generation: p.generation}
}

// Patch writes what was changed. It may be called again: after success the
// base is the server's answer, after an error it is unchanged.
func (p *Patcher[T, S]) Patch(ctx context.Context, c Client, opts ...client.SubResourcePatchOption) error {
	if p.err != nil {
		return refuse(opts, p.err)
	}
	w, err := newCall(c, p.t, p.obj, opts)
	if err != nil {
		return err
	}
	defer w.release()
	if at := p.t.Object(p.obj).GetResourceVersion(); at != p.objVersion {
		return refuse(opts, w.wrap(fmt.Errorf("the object was read or written since the patcher was made (resourceVersion %s, then %s): do that inside Keep", p.objVersion, at)))
	}
	edited, err := p.edited()
	if err != nil {
		return refuse(opts, w.wrap(err))
	}
	w.generation, w.uid, w.highest = p.generation, p.uid, p.resourceVersion
	w.base.status, w.base.resourceVersion = p.base, p.resourceVersion
	w.plan = func(live *S, first bool) (*S, error) {
		if first {
			return p.t.copyStatus(edited), nil
		}
		return w.replay(p.base, edited, live)
	}
	if err := w.run(ctx); err != nil {
		return err
	}
	if w.outcome.Changed || w.accepted {
		p.base = p.t.copyStatus(p.t.statusOf(p.obj))
		p.resourceVersion, p.objVersion = w.outcome.ResourceVersion, p.t.Object(p.obj).GetResourceVersion()
		p.uid, p.generation = w.uid, w.generation // of the first read, where obj had none
	}
	return nil
}

// replay carries what the caller changed since the snapshot over to the live
// status. A field that others changed too is a conflict, but for groups,
// conditions, and what merges by key.
func (w *call[T, S]) replay(snapshot, edited, live *S) (*S, error) {
	v := &Visitor{member: w.t.members, generation: w.generation, clock: &w.clock}
	diffStatus(v, w.t, snapshot, w.t.copyStatus(edited), nil)
	v.mode, v.forced = modeRebase, v.changed
	merged := w.t.copyStatus(live)
	w.t.Visit(v, Values[S]{Base: snapshot, Want: w.t.copyStatus(edited), Live: merged})
	if v.err != nil {
		return nil, v.err
	}
	if err := v.conflictsError(); err != nil {
		return nil, apierrors.NewConflict(w.t.Resource, w.key.Name, err)
	}
	return merged, nil
}

// Keep runs write, in which the caller reads or writes the object himself, and
// carries the status edits across: they are set aside, the status that write
// brings from the server becomes the base, and the edits go onto it. During
// write the object's status is empty, so that the answer is read into nothing old.
func (p *Patcher[T, S]) Keep(write func() error) error {
	if p.err != nil {
		return p.err
	}
	if write == nil {
		return fmt.Errorf("keep the status edits of %s: write is nil", p.t.Kind)
	}
	edited, err := p.edited()
	if err != nil {
		return fmt.Errorf("keep the status edits of %s: %w", p.t.Kind, err)
	}
	kept := false
	restore := func() {
		p.t.SetStatus(p.obj, edited)
		kept = true
	}
	defer func() {
		if !kept {
			restore() // write panicked
		}
	}()
	p.t.SetStatus(p.obj, new(S))
	err = write()
	meta := p.t.Object(p.obj)
	if meta.GetResourceVersion() == p.objVersion {
		restore()
		return err
	}
	fresh := p.t.copyStatus(p.t.statusOf(p.obj))
	restore()
	return errors.Join(err, p.rebase(fresh, edited))
}

// rebase makes the status that Keep's write brought the base.
func (p *Patcher[T, S]) rebase(fresh, edited *S) error {
	meta := p.t.Object(p.obj)
	w := &call[T, S]{t: p.t, obj: p.obj, key: client.ObjectKeyFromObject(meta), generation: p.generation}
	w.clock.now = time.Now
	if uid := meta.GetUID(); p.uid != "" && uid != p.uid {
		p.err = w.wrap(fmt.Errorf("it was deleted and created anew: %w", apierrors.NewNotFound(p.t.Resource, w.key.Name)))
		return p.err
	}
	merged, err := w.replay(p.base, edited, fresh)
	if err != nil {
		p.err = w.wrap(err)
		return p.err
	}
	p.t.SetStatus(p.obj, merged)
	p.base, p.uid = fresh, meta.GetUID()
	p.resourceVersion, p.objVersion = meta.GetResourceVersion(), meta.GetResourceVersion()
	return nil
}
