package statuspatch

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// visitorAt is a visitor of a call for generation 3 at noon.
func visitorAt() *Visitor {
	return &Visitor{generation: 3, clock: &clock{now: func() time.Time { return noon.Add(123 * time.Millisecond) }}}
}

func at(clock string) metav1.Time {
	t, err := time.Parse(time.RFC3339Nano, "2026-01-02T"+clock+"Z")
	if err != nil {
		panic(err)
	}
	return metav1.NewTime(t)
}

// cond is a condition in a few words.
func cond(conditionType, status, reason, message string, generation int64, transition metav1.Time) metav1.Condition {
	return metav1.Condition{
		Type: conditionType, Status: metav1.ConditionStatus(status), Reason: reason, Message: message,
		ObservedGeneration: generation, LastTransitionTime: transition,
	}
}

// stored is the base of the cases below.
func stored() []metav1.Condition {
	return []metav1.Condition{
		cond("Ready", "True", "Fine", "m", 3, at("10:00:00")),
		cond("Synced", "False", "Late", "", 2, at("11:00:00")),
		cond("Legacy", "Unknown", "", "not valid by today's rules", 0, at("09:00:00")),
	}
}

// with is what is stored with one condition replaced.
func with(i int, c metav1.Condition) []metav1.Condition {
	list := stored()
	list[i] = c
	return list
}

// Each case is a sentence of the contract on conditions.
func TestNormalise(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	ready := stored()[0]
	for _, tt := range []struct {
		name string
		edit func(list *[]metav1.Condition)
		want []metav1.Condition
	}{
		{"an untouched list is not touched", func(*[]metav1.Condition) {}, stored()},
		{
			"sub-second times and other zones are no change",
			func(l *[]metav1.Condition) {
				(*l)[0].LastTransitionTime = metav1.NewTime(at("10:00:00.9").In(berlin))
			},
			stored(),
		},
		{
			"transition time stays where the status does",
			func(l *[]metav1.Condition) { (*l)[0] = cond("Ready", "True", "Better", "n", 3, at("11:59:00")) },
			with(0, cond("Ready", "True", "Better", "n", 3, at("10:00:00"))),
		},
		{
			"a closure's own time is no change where the status is none",
			func(l *[]metav1.Condition) { (*l)[0].LastTransitionTime = at("11:59:00") },
			stored(),
		},
		{
			"nor is a time that was cleared",
			func(l *[]metav1.Condition) { (*l)[0].LastTransitionTime = metav1.Time{} },
			stored(),
		},
		{
			"a flip takes the time of the call, in whole seconds UTC",
			func(l *[]metav1.Condition) { (*l)[0] = cond("Ready", "False", "Down", "", 3, metav1.Time{}) },
			with(0, cond("Ready", "False", "Down", "", 3, at("12:00:00"))),
		},
		{
			"a flip in place, the old time left behind, does too",
			func(l *[]metav1.Condition) { (*l)[0].Status, (*l)[0].Reason = "False", "Down" },
			with(0, cond("Ready", "False", "Down", "m", 3, at("12:00:00"))),
		},
		{
			"a flip keeps the caller's own time, in whole seconds UTC",
			func(l *[]metav1.Condition) {
				(*l)[0] = cond("Ready", "False", "Down", "", 3, metav1.NewTime(at("11:30:00.7").In(berlin)))
			},
			with(0, cond("Ready", "False", "Down", "", 3, at("11:30:00"))),
		},
		{
			"a flip and back is none",
			func(l *[]metav1.Condition) {
				SetCondition(l, MetaCondition, cond("Ready", "False", "Down", "", 0, metav1.Time{}), 3)
				SetCondition(l, MetaCondition, cond("Ready", "True", "Fine", "m", 0, metav1.Time{}), 3)
			},
			stored(),
		},
		{
			"a new entry goes to the end and takes time and generation",
			func(l *[]metav1.Condition) {
				*l = append([]metav1.Condition{cond("New", "True", "Born", "", 0, metav1.Time{})}, *l...)
			},
			append(stored(), cond("New", "True", "Born", "", 3, at("12:00:00"))),
		},
		{
			"a new entry keeps its own time and generation",
			func(l *[]metav1.Condition) {
				*l = append(*l, cond("New", "True", "Born", "", 1, at("08:00:00.5")))
			},
			append(stored(), cond("New", "True", "Born", "", 1, at("08:00:00"))),
		},
		{
			"a changed entry without generation takes the caller's",
			func(l *[]metav1.Condition) { (*l)[1] = cond("Synced", "False", "Later", "", 0, metav1.Time{}) },
			with(1, cond("Synced", "False", "Later", "", 3, at("11:00:00"))),
		},
		{
			"another generation is kept",
			func(l *[]metav1.Condition) { (*l)[1] = cond("Synced", "False", "Later", "", 7, metav1.Time{}) },
			with(1, cond("Synced", "False", "Later", "", 7, at("11:00:00"))),
		},
		{
			"the same without a generation is the same at the same generation",
			func(l *[]metav1.Condition) { (*l)[0] = cond("Ready", "True", "Fine", "m", 0, metav1.Time{}) },
			stored(),
		},
		{
			"and one change at another, which moves no time",
			func(l *[]metav1.Condition) { (*l)[1] = cond("Synced", "False", "Late", "", 0, metav1.Time{}) },
			with(1, cond("Synced", "False", "Late", "", 3, at("11:00:00"))),
		},
		{
			"cleared and set again is the same",
			func(l *[]metav1.Condition) {
				*l = nil
				meta.SetStatusCondition(l, cond("Legacy", "Unknown", "", "not valid by today's rules", 0, metav1.Time{}))
				meta.SetStatusCondition(l, cond("Synced", "False", "Late", "", 2, metav1.Time{}))
				meta.SetStatusCondition(l, cond("Ready", "True", "Fine", "m", 3, metav1.Time{}))
			},
			stored(),
		},
		{
			"an absent entry is removed, survivors keep the base's order",
			func(l *[]metav1.Condition) { *l = []metav1.Condition{(*l)[2], ready} },
			[]metav1.Condition{ready, stored()[2]},
		},
		{
			"reordering is no change",
			func(l *[]metav1.Condition) { (*l)[0], (*l)[1], (*l)[2] = (*l)[2], (*l)[0], (*l)[1] },
			stored(),
		},
		{
			"one entry per type, the last one wins",
			func(l *[]metav1.Condition) {
				*l = append(*l, cond("Ready", "True", "First", "", 3, metav1.Time{}), cond("New", "True", "First", "", 3, metav1.Time{}),
					cond("Ready", "True", "Last", "", 3, metav1.Time{}), cond("New", "False", "Last", "", 3, metav1.Time{}))
			},
			append(with(0, cond("Ready", "True", "Last", "", 3, at("10:00:00"))), cond("New", "False", "Last", "", 3, at("12:00:00"))),
		},
		{
			"all removed",
			func(l *[]metav1.Condition) { *l = nil },
			[]metav1.Condition{},
		},
		{
			"bytes that are no text are what encoding/json makes of them",
			func(l *[]metav1.Condition) { (*l)[0].Message = "a\xff\xfe" },
			with(0, cond("Ready", "True", "Fine", "a\uFFFD\uFFFD", 3, at("10:00:00"))),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base := stored()
			edited := append([]metav1.Condition(nil), base...)
			tt.edit(&edited)
			v := visitorAt()
			got, _ := normalised(MetaCondition, v, base, edited)
			if v.err != nil {
				t.Fatal(v.err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(stored(), base); diff != "" {
				t.Error("the base was edited:", diff)
			}
			again, _ := normalised(MetaCondition, v, base, append([]metav1.Condition(nil), got...))
			if diff := cmp.Diff(got, again); diff != "" {
				t.Error("normalised twice is not the same as once:", diff)
			}
		})
	}
}

func TestOnlyChangedConditionsAreChecked(t *testing.T) {
	long := strings.Repeat("é", 1025)
	for _, tt := range []struct {
		name  string
		c     metav1.Condition
		error string
	}{
		{"no reason", cond("Ready", "True", "", "m", 3, metav1.Time{}), `condition "Ready" is invalid: it needs a reason`},
		{"reason", cond("Ready", "True", "Not OK!", "m", 3, metav1.Time{}), `condition "Ready" is invalid: its reason "Not OK!" does not match ^[A-Za-z]`},
		{"reason ends badly", cond("Ready", "True", "Not:", "m", 3, metav1.Time{}), `condition "Ready" is invalid: its reason "Not:" does not match ^[A-Za-z]`},
		{"long reason", cond("Ready", "True", strings.Repeat("x", 1025), "m", 3, metav1.Time{}), `condition "Ready" is invalid: its reason is longer than 1024 characters`},
		{"status", cond("Ready", "true", "R", "", 3, metav1.Time{}), `condition "Ready" is invalid: its status is "true": use one of True, False, Unknown`},
		{"no status", cond("New", "", "R", "", 3, metav1.Time{}), `condition "New" is invalid: its status is "": use one of True, False, Unknown`},
		{"no type", cond("", "True", "R", "", 3, metav1.Time{}), `condition "" is invalid: its type is empty`},
		{"type", cond("not a type", "True", "R", "", 3, metav1.Time{}), `condition "not a type" is invalid: its type does not match ^(`},
		{"long type", cond(long, "True", "R", "", 3, metav1.Time{}), `is invalid: its type is longer than 316 characters`},
		{"a reason of a colon and a comma is fine", cond("Ready", "True", "a:b,c_", "", 3, metav1.Time{}), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			edited := stored() // Legacy, which nobody changed, has no reason
			SetCondition(&edited, MetaCondition, tt.c, 3)
			v := visitorAt()
			normalised(MetaCondition, v, stored(), edited)
			got := ""
			if v.err != nil {
				got = v.err.Error()
			}
			if tt.error == "" && got != "" || !strings.Contains(got, tt.error) {
				t.Errorf("error %q, want %q", got, tt.error)
			}
		})
	}
}

func TestMessagesAreCut(t *testing.T) {
	for _, tt := range []struct {
		name, message, want string
		limit               int
	}{
		{"fits", strings.Repeat("é", 20), strings.Repeat("é", 20), 20},
		{"one too many", strings.Repeat("é", 21), strings.Repeat("é", 13) + "… [cut]", 20},
		{"no rule", strings.Repeat("é", 99), strings.Repeat("é", 99), 0},
		{"bytes are no characters", strings.Repeat("日", 20), strings.Repeat("日", 20), 20},
		{"no room for the mark", "abcdefgh", "abcd", 4},
		{"no text, and long", strings.Repeat("\xff", 21), strings.Repeat("\uFFFD", 13) + "… [cut]", 20},
		{"no text, and it fits", "\xff", "\uFFFD", 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := tt.message
			(&ConditionType[metav1.Condition]{Rules: ConditionRules{MaxMessage: tt.limit}}).fit(&m)
			if m != tt.want {
				t.Errorf("%q, want %q", m, tt.want)
			}
			again := m
			(&ConditionType[metav1.Condition]{Rules: ConditionRules{MaxMessage: tt.limit}}).fit(&again)
			if again != m {
				t.Errorf("cut again it is %q, want %q", again, m)
			}
		})
	}
}

// wideCondition has every field that a condition may have, and one more.
type wideCondition struct {
	Type               string      `json:"type"`
	Status             string      `json:"status"`
	Severity           string      `json:"severity,omitempty"`
	Reason             string      `json:"reason,omitempty"`
	Message            string      `json:"message,omitempty"`
	ObservedGeneration int64       `json:"observedGeneration,omitempty"`
	LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
	LastUpdateTime     metav1.Time `json:"lastUpdateTime,omitempty"`
	LastHeartbeatTime  metav1.Time `json:"lastHeartbeatTime,omitempty"`
	LastProbeTime      metav1.Time `json:"lastProbeTime,omitempty"`
	Owner              string      `json:"owner,omitempty"`
}

var wide = &ConditionType[wideCondition]{
	Fields: func(c *wideCondition) ConditionFields {
		return ConditionFields{
			Type: &c.Type, Status: &c.Status, Severity: &c.Severity, Reason: &c.Reason, Message: &c.Message,
			ObservedGeneration: &c.ObservedGeneration, LastTransitionTime: &c.LastTransitionTime, LastUpdateTime: &c.LastUpdateTime,
			Seen: [2]*metav1.Time{&c.LastHeartbeatTime, &c.LastProbeTime},
		}
	},
	Visit: func(v *Visitor, s Values[wideCondition]) {
		Field(v, "type", Required, &s.Base.Type, &s.Want.Type, &s.Live.Type, Scalar[string]())
		Field(v, "status", Required, &s.Base.Status, &s.Want.Status, &s.Live.Status, Scalar[string]())
		Field(v, "severity", OmitEmpty, &s.Base.Severity, &s.Want.Severity, &s.Live.Severity, Scalar[string]())
		Field(v, "reason", OmitEmpty, &s.Base.Reason, &s.Want.Reason, &s.Live.Reason, Scalar[string]())
		Field(v, "message", OmitEmpty, &s.Base.Message, &s.Want.Message, &s.Live.Message, Scalar[string]())
		Field(v, "observedGeneration", OmitEmpty, &s.Base.ObservedGeneration, &s.Want.ObservedGeneration, &s.Live.ObservedGeneration, Scalar[int64]())
		Field(v, "lastTransitionTime", OmitEmpty, &s.Base.LastTransitionTime, &s.Want.LastTransitionTime, &s.Live.LastTransitionTime, Time())
		Field(v, "lastUpdateTime", OmitEmpty, &s.Base.LastUpdateTime, &s.Want.LastUpdateTime, &s.Live.LastUpdateTime, Time())
		Field(v, "lastHeartbeatTime", OmitEmpty, &s.Base.LastHeartbeatTime, &s.Want.LastHeartbeatTime, &s.Live.LastHeartbeatTime, Time())
		Field(v, "lastProbeTime", OmitEmpty, &s.Base.LastProbeTime, &s.Want.LastProbeTime, &s.Live.LastProbeTime, Time())
		Field(v, "owner", OmitEmpty, &s.Base.Owner, &s.Want.Owner, &s.Live.Owner, Scalar[string]())
	},
}

func storedWide() wideCondition {
	return wideCondition{
		Type: "Alive", Status: "True", Severity: "Info", Reason: "Answered", Message: "m", ObservedGeneration: 3,
		LastTransitionTime: at("08:00:00"), LastUpdateTime: at("09:00:00"),
		LastHeartbeatTime: at("10:00:00"), LastProbeTime: at("11:00:00"), Owner: "kubelet",
	}
}

func TestTimesOfOtherConditions(t *testing.T) {
	edit := func(f func(*wideCondition)) func(*[]wideCondition) {
		return func(l *[]wideCondition) { f(&(*l)[0]) }
	}
	changed := func(f func(*wideCondition)) wideCondition {
		c := storedWide()
		f(&c)
		return c
	}
	for _, tt := range []struct {
		name string
		edit func(*[]wideCondition)
		want wideCondition
	}{
		{"a heartbeat and a probe are no change alone", edit(func(c *wideCondition) { c.LastHeartbeatTime, c.LastProbeTime = at("11:59:00"), at("11:59:00") }), storedWide()},
		{"nor is an update time", edit(func(c *wideCondition) { c.LastUpdateTime = at("11:59:00") }), storedWide()},
		{
			"they go along with a change",
			edit(func(c *wideCondition) { c.LastHeartbeatTime, c.Message = at("11:59:00"), "n" }),
			changed(func(c *wideCondition) {
				c.LastHeartbeatTime, c.Message, c.LastUpdateTime = at("11:59:00"), "n", at("12:00:00")
			}),
		},
		{
			"the update time moves with the reason, and no other",
			edit(func(c *wideCondition) { c.Reason = "Silent" }),
			changed(func(c *wideCondition) { c.Reason, c.LastUpdateTime = "Silent", at("12:00:00") }),
		},
		{
			"both move with the status",
			edit(func(c *wideCondition) { c.Status = "False" }),
			changed(func(c *wideCondition) {
				c.Status, c.LastUpdateTime, c.LastTransitionTime = "False", at("12:00:00"), at("12:00:00")
			}),
		},
		{
			"the caller's own update time is kept",
			edit(func(c *wideCondition) { c.Reason, c.LastUpdateTime = "Silent", at("11:58:00.4") }),
			changed(func(c *wideCondition) { c.Reason, c.LastUpdateTime = "Silent", at("11:58:00") }),
		},
		{
			"severity moves no time",
			edit(func(c *wideCondition) { c.Severity, c.LastUpdateTime = "Error", metav1.Time{} }),
			changed(func(c *wideCondition) { c.Severity = "Error" }),
		},
		{
			"a literal without times loses none",
			func(l *[]wideCondition) {
				(*l)[0] = wideCondition{Type: "Alive", Status: "True", Severity: "Info", Reason: "Answered", Message: "n", Owner: "kubelet"}
			},
			changed(func(c *wideCondition) { c.Message, c.LastUpdateTime = "n", at("12:00:00") }),
		},
		{
			"a literal that says the same is the same",
			func(l *[]wideCondition) {
				(*l)[0] = wideCondition{Type: "Alive", Status: "True", Severity: "Info", Reason: "Answered", Message: "m", Owner: "kubelet"}
			},
			storedWide(),
		},
		{
			"a setter keeps the fields that it does not set",
			func(l *[]wideCondition) {
				MarkCondition(l, wide, wideCondition{Type: "Alive", Status: "True", Severity: "Info", Reason: "Answered", Message: "m"}, 3)
			},
			storedWide(),
		},
		{
			"at another generation too",
			func(l *[]wideCondition) {
				MarkCondition(l, wide, wideCondition{Type: "Alive", Status: "False", Severity: "Error", Reason: "Silent"}, 4)
			},
			changed(func(c *wideCondition) {
				c.Status, c.Severity, c.Reason, c.Message, c.ObservedGeneration = "False", "Error", "Silent", "", 4
				c.LastTransitionTime, c.LastUpdateTime = at("12:00:00"), at("12:00:00")
			}),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			edited := []wideCondition{storedWide()}
			tt.edit(&edited)
			v := visitorAt()
			got, _ := normalised(wide, v, []wideCondition{storedWide()}, edited)
			if v.err != nil {
				t.Fatal(v.err)
			}
			if diff := cmp.Diff([]wideCondition{tt.want}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A time that the base lacks is no reason to write, and is filled in when there is one.
func TestBaseWithoutTransitionTime(t *testing.T) {
	base := []metav1.Condition{cond("Ready", "True", "R", "", 3, metav1.Time{})}
	v := visitorAt()
	same, _ := normalised(MetaCondition, v, base, []metav1.Condition{cond("Ready", "True", "R", "", 0, at("11:00:00"))})
	if diff := cmp.Diff(base, same); diff != "" {
		t.Error(diff)
	}
	other, _ := normalised(MetaCondition, v, base, []metav1.Condition{cond("Ready", "True", "S", "", 0, metav1.Time{})})
	if diff := cmp.Diff([]metav1.Condition{cond("Ready", "True", "S", "", 3, at("12:00:00"))}, other); diff != "" {
		t.Error(diff)
	}
}

func TestDuplicatesInTheBase(t *testing.T) {
	old := at("10:00:00")
	twice := []metav1.Condition{cond("Ready", "False", "Old", "", 1, old), cond("Paused", "True", "P", "", 1, old), cond("Ready", "True", "New", "", 1, old)}
	for _, lock := range []Lock{LockObject, LockFields, LockNone} {
		if got := body(t, FooStatus{Conditions: twice}, FooStatus{Conditions: append([]metav1.Condition(nil), twice...)}, lock); got != "" {
			t.Errorf("%s: an untouched list is written: %s", lock, got)
		}
	}
	edited := append([]metav1.Condition(nil), twice...)
	edited[1].Reason = "Q"
	const one = `{"type":"Paused","status":"True","observedGeneration":1,"lastTransitionTime":"2026-01-02T10:00:00Z","reason":"Q","message":""},{"type":"Ready","status":"True","observedGeneration":1,"lastTransitionTime":"2026-01-02T10:00:00Z","reason":"New","message":""}`
	want := `{"metadata":{"resourceVersion":"7"},"status":{"conditions":[` + one + `]}}`
	if diff := cmp.Diff(want, body(t, FooStatus{Conditions: twice}, FooStatus{Conditions: edited}, LockObject)); diff != "" {
		t.Error(diff)
	}
	if got := body(t, FooStatus{Conditions: twice}, FooStatus{Conditions: edited}, LockFields); !strings.Contains(got, `{"op":"remove","path":"/status/conditions/0"}`) {
		t.Errorf("under fields the older duplicate stays: %s", got)
	}
	v := &Visitor{}
	if diffStatus(v, fooType, &FooStatus{Conditions: twice}, &FooStatus{Conditions: slices.Clone(twice)}, nil); len(v.flipped) > 0 {
		t.Errorf("untouched duplicates flipped: %v", v.flipped)
	}
}

// randomEdit edits a list in any way that a caller may.
func randomEdit(r *rand.Rand, list []metav1.Condition) []metav1.Condition {
	types, statuses, reasons := []string{"A", "B", "C", "D", "E"}, []string{"True", "False", "Unknown"}, []string{"R", "S"}
	one := func() metav1.Condition {
		c := cond(types[r.Intn(len(types))], statuses[r.Intn(3)], reasons[r.Intn(2)], strings.Repeat("m", r.Intn(3)), int64(r.Intn(4)), metav1.Time{})
		if r.Intn(2) == 0 {
			c.LastTransitionTime = metav1.NewTime(noon.Add(time.Duration(r.Intn(7200000)-3600000) * time.Millisecond))
		}
		return c
	}
	list = append([]metav1.Condition(nil), list...)
	for range r.Intn(5) {
		switch r.Intn(5) {
		case 0:
			list = append(list, one())
		case 1:
			meta.SetStatusCondition(&list, one())
		case 2:
			SetCondition(&list, MetaCondition, one(), 3)
		case 3:
			if len(list) > 0 {
				RemoveCondition(&list, MetaCondition, list[r.Intn(len(list))].Type)
			}
		case 4:
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
	}
	return list
}

func TestNormalisingLaws(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for n := range 20000 {
		v := visitorAt()
		base, _ := normalised(MetaCondition, v, nil, randomEdit(r, nil))
		edited := randomEdit(r, base)
		got, _ := normalised(MetaCondition, v, base, append([]metav1.Condition(nil), edited...))
		fail := func(law string) {
			t.Helper()
			t.Fatalf("run %d: %s\nbase   %v\nedited %v\ngot    %v", n, law, base, edited, got)
		}
		if v.err != nil {
			fail(v.err.Error())
		}
		again, _ := normalised(MetaCondition, v, base, append([]metav1.Condition(nil), got...))
		if !cmp.Equal(got, again) {
			fail("normalised twice is not the same as once")
		}
		settled, _ := normalised(MetaCondition, v, got, append([]metav1.Condition(nil), edited...))
		for i := range settled { // what was given without a generation took this call's, and the same edit takes it again
			if settled[i].Status != got[i].Status || settled[i].LastTransitionTime != got[i].LastTransitionTime || settled[i].Reason != got[i].Reason {
				fail("the same edit on its own outcome changes something")
			}
		}
		last := map[string]int{}
		for i := range got {
			if _, twice := last[got[i].Type]; twice {
				fail("a type is there twice")
			}
			last[got[i].Type] = i
			b := MetaCondition.find(base, got[i].Type)
			w := edited[MetaCondition.find(edited, got[i].Type)]
			switch {
			case w.Status != got[i].Status || w.Reason != got[i].Reason || w.Message != got[i].Message:
				fail("what the caller said is not what is written")
			case b >= 0 && base[b].Status == got[i].Status && !base[b].LastTransitionTime.Equal(&got[i].LastTransitionTime):
				fail("a time moved without a flip")
			case got[i].LastTransitionTime.Nanosecond() != 0 || got[i].LastTransitionTime.Location() != time.UTC:
				fail("a time is not in whole seconds UTC")
			}
		}
		for i := range edited {
			if _, in := last[edited[i].Type]; !in {
				fail("a condition was lost")
			}
		}
		position := -1
		for i := range base {
			if at, in := last[base[i].Type]; in {
				if at < position {
					fail("survivors changed places")
				}
				position = at
			}
		}
		if raw, err := appendMetaConditions(nil, got); err != nil || string(raw) != mustJSON(t, append([]metav1.Condition{}, got...)) {
			fail("its JSON is not encoding/json's")
		}
	}
}

func mustJSON(t *testing.T, x any) string {
	t.Helper()
	raw, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func throughJSON(t *testing.T, s string) (stored string) {
	t.Helper()
	if err := json.Unmarshal([]byte(mustJSON(t, s)), &stored); err != nil {
		t.Fatal(err)
	}
	return stored
}

// FuzzConditionJSON holds the fast encoding to that of encoding/json.
func FuzzConditionJSON(f *testing.F) {
	f.Add("Ready", "True", "Reason", "<message> & \"more\" \\ \u2028 é", int64(7), int64(1767355200))
	f.Add("", "", "", "\xff\x00", int64(0), int64(-62135596800))
	f.Fuzz(func(t *testing.T, conditionType, status, reason, message string, generation, seconds int64) {
		const year0, year9999 = -62167219200, 253402300799 // encoding/json has no others
		c := cond(conditionType, status, reason, message, generation, metav1.Unix(min(max(seconds, year0), year9999), 0))
		list := []metav1.Condition{c, c}
		got, err := appendMetaConditions(nil, list)
		if err != nil {
			t.Fatal(err)
		}
		if want := mustJSON(t, list); string(got) != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}

// FuzzMessage holds a message to its limit, and cutting to doing nothing twice.
func FuzzMessage(f *testing.F) {
	f.Add("a message that is too long", 10)
	f.Add("é\xffé\xff", 3)
	f.Fuzz(func(t *testing.T, message string, limit int) {
		ct := &ConditionType[metav1.Condition]{Rules: ConditionRules{MaxMessage: limit}}
		got := message
		ct.fit(&got)
		again := got
		ct.fit(&again)
		switch {
		case limit > 0 && len([]rune(got)) > limit:
			t.Errorf("%d characters, limit %d", len([]rune(got)), limit)
		case again != got:
			t.Errorf("fitted twice: %q, then %q", got, again)
		case (limit <= 0 || len([]rune(message)) <= limit) && got != throughJSON(t, message):
			t.Errorf("%q, stored it would be %q", got, throughJSON(t, message))
		}
	})
}

// The work on a long list grows with it, not with its square.
func TestLongListsAreLinear(t *testing.T) {
	looks := 0
	counting := &ConditionType[metav1.Condition]{
		Fields: func(c *metav1.Condition) ConditionFields {
			looks++
			return MetaCondition.Fields(c)
		},
		Rules: MetaCondition.Rules,
		Same:  MetaCondition.Same, same: MetaCondition.same, encode: MetaCondition.encode,
	}
	list := func(n int) []metav1.Condition {
		l := make([]metav1.Condition, n)
		for i := range l {
			l[i] = cond(fmt.Sprintf("Type%d", i), "True", "R", "", 3, at("10:00:00"))
		}
		return l
	}
	work := func(n int) int {
		base, edited := list(n), list(n)
		edited[n/2].Reason = "S"
		edited[0], edited[n-1] = edited[n-1], edited[0]
		looks = 0
		v := visitorAt()
		got, _ := normalised(counting, v, base, edited)
		inBase := counting.index(base)
		conditionsKind[[]metav1.Condition, metav1.Condition]{counting}.entryChanges(v, base, got, &inBase, true)
		return looks
	}
	if few, many := work(100), work(1000); many > 11*few {
		t.Errorf("%d looks at 100 conditions, %d at 1000", few, many)
	}
}

func normalised[C any](t *ConditionType[C], v *Visitor, base, want []C) (list []C, edited bool) {
	inBase := t.index(base)
	return t.normalise(v, base, want, &inBase, new([]C))
}
