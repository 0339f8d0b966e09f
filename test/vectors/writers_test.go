package vectors_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/statuspatch/statuspatcher-gen/test/vectors/api/v1"
	v2 "github.com/statuspatch/statuspatcher-gen/test/vectors/api/v2"
)

// 5 (cluster-api 7594): two calls with one object from the cache.
func TestTwoCallsWithOneObject(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		job := b.job(t, v1.JobStatus{ObservedGeneration: 1, Phase: "A"})
		b.patch(t, job, func(p *v1.JobStatusPatch) { p.Status.Phase = "B" })
		b.patch(t, job, func(p *v1.JobStatusPatch) { p.SetCounters(2, 1) })
		b.wantBodies(t, `{"metadata":{"resourceVersion":"RV"},"status":{"phase":"B"}}`,
			`{"metadata":{"resourceVersion":"RV"},"status":{"replicas":2,"readyReplicas":1}}`)
		if got := b.live(t, job).Status; got.Phase != "B" || got.Replicas != 2 {
			t.Errorf("stored %+v", got)
		}
	})
}

// 5: the same with copies of what the cache had before the first call.
func TestTwoCallsWithAStaleObject(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		job := b.job(t, v1.JobStatus{ObservedGeneration: 1, Phase: "A"})
		stale := job.DeepCopy()
		b.patch(t, job, func(p *v1.JobStatusPatch) { p.Status.Phase = "B" })
		b.patch(t, stale, func(p *v1.JobStatusPatch) { p.SetCounters(2, 1) })
		if got := b.live(t, job).Status; got.Phase != "B" || got.Replicas != 2 {
			t.Errorf("stored %+v", got)
		}
		if len(b.bodies) != 3 || b.reads != 1 {
			t.Errorf("%d PATCHes and %d reads, want 3 and 1", len(b.bodies), b.reads)
		}
	})
}

// 6 (fluxcd/pkg 934): artifact, condition and observedGeneration in one request.
func TestOneRequestForAll(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		job := b.job(t, v1.JobStatus{})
		b.patch(t, job, func(p *v1.JobStatusPatch) {
			p.Status.Artifact = &v1.Artifact{Revision: "r1"}
			again := ready
			p.SetCondition(again)
		})
		b.wantBodies(t, `{"metadata":{"resourceVersion":"RV"},"status":{"observedGeneration":1,"artifact":{"revision":"r1"},"conditions":[{"type":"Ready","status":"True","observedGeneration":1,"lastTransitionTime":"2026-01-02T00:00:00Z","reason":"AllReady","message":""}]}}`)
	})
}

// 9 (hypershift 8540): what another writer set since, and this one did not touch, stays.
func TestForeignFieldIsNotSent(t *testing.T) {
	for _, lock := range []v1.StatusPatchLock{v1.StatusPatchLockObject, v1.StatusPatchLockFields, v1.StatusPatchLockNone} {
		t.Run(string(lock), func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				job := b.job(t, v1.JobStatus{ObservedGeneration: 1, Phase: "A"})
				b.otherWrites(t, job, func(s *v1.JobStatus) { s.Replicas = 3 })
				b.patch(t, job, func(p *v1.JobStatusPatch) { p.Status.Phase = "B" }, v1.WithStatusPatchLock(lock))
				for _, body := range b.bodies {
					if strings.Contains(body, "replicas") {
						t.Errorf("the body has replicas: %s", body)
					}
				}
				if got := b.live(t, job).Status; got.Phase != "B" || got.Replicas != 3 {
					t.Errorf("stored %+v", got)
				}
			})
		})
	}
}

// 11 (kueue 7035): a list from a stale base does not drop another writer's condition.
func TestStaleListOfConditions(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		a, other := ready, ready
		a.Type, other.Type = "A", "B"
		job := b.job(t, v1.JobStatus{ObservedGeneration: 1, Conditions: []metav1.Condition{a}})
		b.otherWrites(t, job, func(s *v1.JobStatus) { s.Conditions = append(s.Conditions, other) })
		b.patch(t, job, func(p *v1.JobStatusPatch) {
			meta.SetStatusCondition(&p.Status.Conditions, metav1.Condition{Type: "A", Status: "False", Reason: "No"})
		})
		var got []string
		for _, c := range b.live(t, job).Status.Conditions {
			got = append(got, c.Type+"="+string(c.Status))
		}
		if diff := cmp.Diff([]string{"A=False", "B=True"}, got); diff != "" {
			t.Error(diff)
		}
		if len(b.bodies) != 2 {
			t.Errorf("%d PATCHes, want the refused one and one more", len(b.bodies))
		}
	})
}

// 12 (cluster-api 10656): ten writers, each with an entry of its own.
func TestWritersOfEntries(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		const writers = 10
		job := b.job(t, v1.JobStatus{ObservedGeneration: 1})
		var group sync.WaitGroup
		errs := make([]error, writers)
		for i := range writers {
			group.Go(func() {
				own := job.DeepCopy()
				errs[i] = v1.PatchJobStatus(context.Background(), b.client, own, func(p *v1.JobStatusPatch) error {
					p.Status.Entries = append(p.Status.Entries, v1.Entry{Name: fmt.Sprint(i)})
					return nil
				})
			})
		}
		group.Wait()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		if got := b.live(t, job).Status.Entries; len(got) != writers {
			t.Errorf("%d entries of %d: %v", len(got), writers, got)
		}
	})
}

// 35 (cloud-on-k8s 2226): each served version's patcher writes to its own version.
func TestServedVersions(t *testing.T) {
	b := newServer(t)
	job := b.job(t, v1.JobStatus{ObservedGeneration: 1})
	b.patch(t, job, func(p *v1.JobStatusPatch) { p.Status.Phase = "A" })
	second := &v2.Job{}
	if err := b.other.Get(t.Context(), client.ObjectKeyFromObject(job), second); err != nil {
		t.Fatal(err)
	}
	err := v2.PatchJobStatus(t.Context(), b.client, second, func(p *v2.JobStatusPatch) error { p.Status.Phase = "B"; return nil })
	if err != nil {
		t.Fatal(err)
	}
	b.wantBodies(t, `{"metadata":{"resourceVersion":"RV"},"status":{"phase":"A"}}`, `{"metadata":{"resourceVersion":"RV"},"status":{"phase":"B"}}`)
	for i, version := range []string{"v1", "v2"} {
		if want := "/apis/vectors.statuspatch.dev/" + version + "/namespaces/" + b.namespace + "/jobs/job/status"; b.urls[i] != want {
			t.Errorf("PATCH of %s, want %s", b.urls[i], want)
		}
	}
	if got := b.live(t, job).Status.Phase; got != "B" {
		t.Errorf("phase %q is stored", got)
	}
}

// 60 (temporal-operator 665): edits before the call belong to the base.
func TestEditsBeforeTheCallAreNotSent(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		job := b.job(t, v1.JobStatus{ObservedGeneration: 1, Phase: "A"})
		job.Status.Phase = "B"
		b.patch(t, job, func(*v1.JobStatusPatch) {})
		b.wantBodies(t)
		if job.Status.Phase != "B" {
			t.Errorf("a call that wrote nothing changed the object: %+v", job.Status)
		}
		b.patch(t, job, func(p *v1.JobStatusPatch) { p.SetCounters(1, 1) })
		b.wantBodies(t, `{"metadata":{"resourceVersion":"RV"},"status":{"replicas":1,"readyReplicas":1}}`)
		if job.Status.Phase != "A" {
			t.Errorf("the server's answer did not replace the edit: %+v", job.Status)
		}
	})
}

// 72 (knative/pkg 1282): nothing outside status can be edited.
func TestEditsOutsideStatus(t *testing.T) {
	for field, edit := range map[string]func(*v1.Job){
		"metadata.labels":      func(j *v1.Job) { j.Labels = map[string]string{"a": "b"} },
		"metadata.annotations": func(j *v1.Job) { j.Annotations = map[string]string{"a": "b"} },
		"metadata.finalizers":  func(j *v1.Job) { j.Finalizers = []string{"a/b"} },
		"spec.size":            func(j *v1.Job) { j.Spec.Size++ },
	} {
		t.Run(field, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				job := b.job(t, v1.JobStatus{ObservedGeneration: 1})
				err := v1.PatchJobStatus(t.Context(), b.client, job, func(p *v1.JobStatusPatch) error {
					p.Status.Phase = "B"
					edit(p.Object())
					return nil
				})
				if err == nil || !strings.Contains(err.Error(), "mutate edited "+field+" through Object()") {
					t.Errorf("error %v, want one that names %s", err, field)
				}
				b.wantBodies(t)
			})
		})
	}
}

// 74 (controller-runtime 1639): each attempt reads into a new object, so that a stale
// value never survives, and a list whose address was taken is written.
func TestAttemptsStartAfresh(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		strict := b.strict(t, &v1.StrictStatus{N: 1, Phase: "old", Outer: &v1.Outer{Name: "old", Inner: v1.Inner{Tags: []string{}}}})
		live := strict.DeepCopy()
		live.Status = &v1.StrictStatus{N: 2}
		if err := b.other.Status().Update(t.Context(), live); err != nil {
			t.Fatal(err)
		}
		var seen []string
		err := v1.PatchStrictStatus(t.Context(), b.client, strict, func(p *v1.StrictStatusPatch) error {
			seen = append(seen, fmt.Sprintf("%d %s %t", p.Status.N, p.Status.Phase, p.Status.Outer != nil))
			list := &p.Object().Status.Conditions
			meta.SetStatusCondition(list, ready)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"1 old true", "2  false"}, seen); diff != "" {
			t.Errorf("what the attempts saw: %s", diff)
		}
		if s := strict.Status; s.N != 2 || s.Phase != "" || s.Outer != nil || len(s.Conditions) != 1 {
			t.Errorf("an old value is left: %+v", s)
		}
	})
}
