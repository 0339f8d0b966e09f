package statuspatch

import (
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// holderType is Foo with groups whose members are lists and maps, conditions, and
// a member of an object by pointer.
var holderType = func() *Type[Foo, FooStatus] {
	t := *fooType
	t.Observed, t.ObservedPath = nil, nil
	t.Groups = []Group[FooStatus]{
		{
			Setter: "SetNamesTagsAndCount", Mark: "MarkComputed", Members: [][]string{{"names"}, {"tags"}, {"labels"}, {"count"}},
			Values: func(to *MemberValues, s *FooStatus) {
				AddMember(to, &s.Names, ListOf[[]string](Scalar[string]()))
				AddMember(to, &s.Tags, SetOf[[]string](Scalar[string]()))
				AddMember(to, &s.Labels, MapOf[map[string]string](Scalar[string]()))
				to.Add(&s.Count)
			},
		},
		{
			Setter: "SetAAndB", Mark: "MarkAAndBComputed", Members: [][]string{{"conditions", "[A]"}, {"conditions", "[B]"}},
			Values: func(to *MemberValues, s *FooStatus) {
				AddCondition(to, s.Conditions, MetaCondition, "A")
				AddCondition(to, s.Conditions, MetaCondition, "B")
			},
		},
	}
	return NewType(t)
}()

// patchHolder runs a call that edits base by edit, and gives what it sent.
func patchHolder(t *testing.T, base FooStatus, lock Lock, edit func(*fooPatch)) (body string, err error) {
	t.Helper()
	e := &echo{}
	err = Run(t.Context(), e, holderType, fooAt("7", base), func(p *fooPatch) error { edit(p); return nil },
		newFooPatch, []client.SubResourcePatchOption{WithLock(lock), WithNow(func() time.Time { return noon })})
	return strings.Join(e.bodies, "\n"), err
}

// Members that are nil on one side and empty on the other are the same, under every lock,
// on a status that holds nothing yet as well.
func TestEmptyMembersAreNoChange(t *testing.T) {
	edits := map[string]func(s *FooStatus){
		"tags":   func(s *FooStatus) { s.Tags = []string{} },
		"labels": func(s *FooStatus) { s.Labels = map[string]string{} },
		"both":   func(s *FooStatus) { s.Tags, s.Labels = []string{}, map[string]string{} },
	}
	bases := map[string]FooStatus{"nothing yet": {}, "a phase": {Phase: "A", Retries: 1, Names: []string{}}}
	for _, lock := range []Lock{LockObject, LockFields, LockNone} {
		for name, edit := range edits {
			for stored, base := range bases {
				for _, setter := range []bool{true, false} {
					body, err := patchHolder(t, base, lock, func(p *fooPatch) {
						edit(p.Status)
						if setter {
							p.edit.Wrote(p.Status, 0)
						}
					})
					if err != nil || body != "" {
						t.Errorf("%s, %s empty on %s, setter %v: error %v, sent %s", lock, name, stored, setter, err, body)
					}
				}
			}
		}
	}
}

// Where the values look different and nothing changed, nothing is sent either: a type's
// own IsZero may hold for values that are written differently.
func TestGroupsThatOnlyLookChanged(t *testing.T) {
	looks := *holderType
	calls := 0
	looks.Groups = []Group[FooStatus]{{
		Setter: "SetNamesAndCount", Mark: "MarkComputed", Members: [][]string{{"names"}, {"count"}},
		Values: func(to *MemberValues, _ *FooStatus) {
			calls++
			to.Add(&calls)
		},
	}}
	for _, lock := range []Lock{LockObject, LockFields, LockNone} {
		e := &echo{}
		err := Run(t.Context(), e, NewType(looks), fooAt("7", FooStatus{}), func(p *fooPatch) error {
			p.Status.Tags = []string{} // so that it is looked at at all
			return nil
		}, newFooPatch, []client.SubResourcePatchOption{WithLock(lock)})
		if err != nil || len(e.bodies) > 0 {
			t.Errorf("%s: error %v, sent %s", lock, err, e.bodies)
		}
	}
}

// A setter's word holds where a member becomes nil that it left empty, and the other way.
func TestNilForEmptyAfterTheSetter(t *testing.T) {
	count := int32(1)
	base := FooStatus{Names: []string{"a"}, Labels: map[string]string{"k": "v"}, Count: &count, Retries: 1}
	body, err := patchHolder(t, base, LockObject, func(p *fooPatch) {
		p.Status.Names, p.Status.Labels, p.Status.Count = []string{}, map[string]string{}, nil
		p.edit.Wrote(p.Status, 0)
		p.Status.Names, p.Status.Labels = nil, nil
	})
	const want = `{"metadata":{"resourceVersion":"7"},"status":{"count":null,"names":[],"tags":null,"labels":null}}`
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, body); diff != "" {
		t.Error(diff)
	}
}

// An older condition of the same type that a list sheds when it is edited is no change of
// the group that the type is a member of.
func TestDuplicatesOfMembers(t *testing.T) {
	twice := FooStatus{Names: []string{}, Retries: 1, Conditions: []metav1.Condition{
		cond("A", "True", "X", "", 1, at("10:00:00")), cond("A", "True", "Y", "", 1, at("10:00:00")), cond("C", "True", "R", "", 1, at("10:00:00")),
	}}
	other := func(p *fooPatch) {
		SetCondition(&p.Status.Conditions, MetaCondition, cond("C", "False", "S", "", 1, metav1.Time{}), 1)
	}
	const want = `{"metadata":{"resourceVersion":"7"},"status":{"conditions":[` +
		`{"type":"A","status":"True","observedGeneration":1,"lastTransitionTime":"2026-01-02T10:00:00Z","reason":"Y","message":""},` +
		`{"type":"C","status":"False","observedGeneration":1,"lastTransitionTime":"2026-01-02T12:00:00Z","reason":"S","message":""}]}}`
	for name, edit := range map[string]func(p *fooPatch){
		"another condition": other,
		"and the setter": func(p *fooPatch) {
			a := cond("A", "True", "Y", "", 1, metav1.Time{})
			SetOrRemoveCondition(&p.Status.Conditions, MetaCondition, "A", &a, 1)
			SetOrRemoveCondition(&p.Status.Conditions, MetaCondition, "B", nil, 1)
			p.edit.Wrote(p.Status, 1)
			other(p)
		},
	} {
		body, err := patchHolder(t, twice, LockObject, edit)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if diff := cmp.Diff(want, body); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What a first visit records with too many groups leaves no trace in the second.
func TestSecondVisit(t *testing.T) {
	base := FooStatus{Names: []string{"a"}, Retries: 1, Conditions: []metav1.Condition{cond("A", "True", "X", "", 1, at("10:00:00"))}}
	body, err := patchHolder(t, base, LockObject, func(p *fooPatch) {
		p.Status.Conditions[0].LastTransitionTime = metav1.NewTime(at("10:00:00").Add(time.Millisecond)) // no change
		SetCondition(&p.Status.Conditions, MetaCondition, cond("C", "True", "R", "", 1, metav1.Time{}), 1)
		p.Status.Au = []string{}
	})
	const want = `{"metadata":{"resourceVersion":"7"},"status":{"au":[],"conditions":[` +
		`{"type":"A","status":"True","observedGeneration":1,"lastTransitionTime":"2026-01-02T10:00:00Z","reason":"X","message":""},` +
		`{"type":"C","status":"True","observedGeneration":1,"lastTransitionTime":"2026-01-02T12:00:00Z","reason":"R","message":""}]}}`
	if err != nil || body != want {
		t.Errorf("error %v\n got %s\nwant %s", err, body, want)
	}
}

// A changed condition is checked whole, also what it has from an older writer.
func TestChangedConditionsAreCheckedWhole(t *testing.T) {
	for _, stored := range []metav1.Condition{
		{Type: "C", Status: "True"}, {Type: "C", Status: "True", Reason: "no reason"}, {Type: "no type", Status: "True", Reason: "R"},
	} {
		_, err := patchHolder(t, FooStatus{Conditions: []metav1.Condition{stored}}, LockObject, func(p *fooPatch) {
			p.Status.Conditions[0].Status = "False"
		})
		if err == nil || !strings.Contains(err.Error(), "is invalid") {
			t.Errorf("%+v flips: error %v", stored, err)
		}
	}
}

// The short way to see that a type or a reason is valid never lets an invalid one through.
func TestCamelCaseMatchesThePatterns(t *testing.T) {
	const alphabet = "aZ09_:,.-/ é\x00"
	r := rand.New(rand.NewSource(1))
	for range 20000 {
		b := make([]byte, r.Intn(6))
		for i := range b {
			b[i] = alphabet[r.Intn(len(alphabet))]
		}
		s := string(b)
		rules := MetaCondition.Rules
		if isCamelCase(s) && !(rules.ReasonPattern.MatchString(s) && rules.TypePattern.MatchString(s)) {
			t.Fatalf("%q is let through", s)
		}
	}
}

type hostStatus struct {
	Hosts map[string]host `json:"hosts,omitempty"`
}

type host struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

var hostType = NewType(Type[Foo, hostStatus]{Visit: func(v *Visitor, s Values[hostStatus]) {
	visitHost := func(v *Visitor, s Values[host]) {
		Field(v, "conditions", OmitEmpty, &s.Base.Conditions, &s.Want.Conditions, &s.Live.Conditions, ConditionsOf[[]metav1.Condition](MetaCondition))
	}
	Field(v, "hosts", OmitEmpty, &s.Base.Hosts, &s.Want.Hosts, &s.Live.Hosts, MapOf[map[string]host](StructOf(visitHost, nil)))
}})

// Transitions of conditions in the values of a map are seen whether the condition, its
// value or the map comes, flips or goes.
func TestTransitionsInMaps(t *testing.T) {
	up := func(status metav1.ConditionStatus) host {
		return host{Conditions: []metav1.Condition{cond("Up", string(status), "R", "", 1, at("10:00:00"))}}
	}
	for name, tt := range map[string]struct{ base, want map[string]host }{
		"flips":             {map[string]host{"a": up("True")}, map[string]host{"a": up("False")}},
		"value added":       {map[string]host{"a": {}}, map[string]host{"a": {}, "b": up("True")}},
		"value removed":     {map[string]host{"a": {}, "b": up("True")}, map[string]host{"a": {}}},
		"map added":         {nil, map[string]host{"b": up("True")}},
		"map removed":       {map[string]host{"b": up("True")}, nil},
		"condition removed": {map[string]host{"b": up("True")}, map[string]host{"b": {}}},
	} {
		for _, merging := range []bool{true, false} {
			for _, keepUnknown := range []bool{true, false} {
				v := visitorAt()
				v.keepUnknown = keepUnknown
				if merging {
					v.beginMerge("7")
				}
				diffStatus(v, hostType, &hostStatus{tt.base}, &hostStatus{tt.want}, nil)
				if diff := cmp.Diff([]string{"Up"}, v.flipped); diff != "" {
					t.Errorf("%s, merging %v, key by key %v: %s", name, merging, keepUnknown, diff)
				}
			}
		}
	}
}
