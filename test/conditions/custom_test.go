package conditions_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "github.com/statuspatch/statuspatcher-gen/test/conditions/api/v1"
)

func alive() v1.ProbeCondition {
	return v1.ProbeCondition{
		Type: "Alive", Status: "True", Severity: v1.SeverityInfo, Reason: "Answered", Message: "m", ObservedGeneration: 1,
		LastTransitionTime: then, LastUpdateTime: then, LastHeartbeatTime: then, LastProbeTime: then, Owner: "o",
	}
}

// A condition struct of the API's own: its setter keeps what it does not set, times move
// by their own rules, lengths are those of its own markers.
func TestEditsOfCustomConditions(t *testing.T) {
	type patch = *v1.ProbeStatusPatch
	entry := func(f func(c *v1.ProbeCondition)) *v1.ProbeCondition {
		c := alive()
		f(&c)
		return &c
	}
	atNoonUTC := metav1.NewTime(noon.UTC().Truncate(1e9))
	for _, tt := range []struct {
		name  string
		edit  func(patch)
		want  *v1.ProbeCondition // nil for no request
		error string
	}{
		{name: "the same", edit: func(p patch) {
			p.SetAliveCondition("True", v1.ProbeAliveConditionReasonAnswered, v1.SeverityInfo, "m")
		}},
		{name: "heartbeats", edit: func(p patch) {
			c := &p.Status.Conditions[0]
			c.LastHeartbeatTime, c.LastProbeTime, c.LastUpdateTime, c.LastTransitionTime = atNoonUTC, atNoonUTC, atNoonUTC, atNoonUTC
		}},
		{
			name: "status",
			edit: func(p patch) {
				p.SetAliveCondition("False", v1.ProbeAliveConditionReasonSilent, v1.SeverityError, "n")
			},
			want: entry(func(c *v1.ProbeCondition) {
				c.Status, c.Reason, c.Severity, c.Message = "False", "Silent", v1.SeverityError, "n"
				c.LastTransitionTime, c.LastUpdateTime = atNoonUTC, atNoonUTC
			}),
		},
		{
			name: "message",
			edit: func(p patch) {
				p.SetAliveCondition("True", v1.ProbeAliveConditionReasonAnswered, v1.SeverityInfo, "n")
			},
			want: entry(func(c *v1.ProbeCondition) { c.Message, c.LastUpdateTime = "n", atNoonUTC }),
		},
		{
			name: "severity",
			edit: func(p patch) {
				p.SetAliveCondition("True", v1.ProbeAliveConditionReasonAnswered, v1.SeverityError, "m")
			},
			want: entry(func(c *v1.ProbeCondition) { c.Severity = v1.SeverityError }),
		},
		{
			name: "a field of its own",
			edit: func(p patch) { p.Status.Conditions[0].Owner = "p" },
			want: entry(func(c *v1.ProbeCondition) { c.Owner = "p" }),
		},
		{
			name: "a literal replaces all but times",
			edit: func(p patch) {
				p.SetCondition(v1.ProbeCondition{Type: "Alive", Status: "True", Reason: "Answered"})
			},
			want: entry(func(c *v1.ProbeCondition) {
				c.Severity, c.Message, c.Owner, c.LastUpdateTime = "", "", "", atNoonUTC
			}),
		},
		{
			name: "a message longer than its marker allows",
			edit: func(p patch) {
				p.SetAliveCondition("True", v1.ProbeAliveConditionReasonAnswered, v1.SeverityInfo, strings.Repeat("é", 41))
			},
			want: entry(func(c *v1.ProbeCondition) {
				c.Message, c.LastUpdateTime = strings.Repeat("é", 33)+"… [cut]", atNoonUTC
			}),
		},
		{
			name: "a reason in no form that metav1 knows",
			edit: func(p patch) { p.Status.Conditions[0].Reason = "not in CamelCase!" },
			want: entry(func(c *v1.ProbeCondition) { c.Reason, c.LastUpdateTime = "not in CamelCase!", atNoonUTC }),
		},
		{
			name:  "a reason longer than its marker allows",
			edit:  func(p patch) { p.Status.Conditions[0].Reason = strings.Repeat("r", 31) },
			error: `condition "Alive" is invalid: its reason is longer than 30 characters`,
		},
		{
			name: "a type longer than its marker allows",
			edit: func(p patch) {
				p.SetCondition(v1.ProbeCondition{Type: strings.Repeat("t", 21), Status: "True", Reason: "R"})
			},
			error: `is invalid: its type is longer than 20 characters`,
		},
		{
			name:  "no reason, which its marker asks for",
			edit:  func(p patch) { p.SetAliveCondition("False", "", "", "") },
			error: `condition "Alive" is invalid: it needs a reason`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, b *backend) {
				probe := create(t, b, &v1.Probe{ObjectMeta: metav1.ObjectMeta{Name: "p"}}, func(o *v1.Probe) {
					o.Status = &v1.ProbeStatus{Conditions: v1.ProbeConditions{alive()}, History: v1.ProbeConditions{}}
				})
				err := v1.PatchProbeStatus(t.Context(), b.client, probe, func(p *v1.ProbeStatusPatch) error {
					tt.edit(p)
					return nil
				}, atNoon)
				if tt.error != "" {
					if err == nil || !strings.Contains(err.Error(), tt.error) || len(b.patches()) != 0 {
						t.Errorf("error %v, want %q before any request", err, tt.error)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				want, requests := alive(), 0
				if tt.want != nil {
					want, requests = *tt.want, 1
				}
				if sent := b.patches(); len(sent) != requests {
					t.Errorf("sent %q, want %d", sent, requests)
				}
				if diff := cmp.Diff(v1.ProbeConditions{want}, stored(t, b, probe).Status.Conditions); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// Under the fields lock an entry is tested for what the server has, which drops the
// times that this type writes as null.
func TestCustomConditionsWithoutTimesUnderFields(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		probe := create(t, b, &v1.Probe{ObjectMeta: metav1.ObjectMeta{Name: "p"}}, func(o *v1.Probe) {
			o.Status = &v1.ProbeStatus{History: v1.ProbeConditions{}, Conditions: v1.ProbeConditions{
				{Type: "Other", Status: "True", Reason: "R", LastTransitionTime: then},
				{Type: "Alive", Status: "True", Reason: "Answered", LastTransitionTime: then, Owner: "a<b/~"},
			}}
		})
		base := probe.DeepCopy()
		if err := v1.PatchProbeStatus(t.Context(), b.client, probe, func(p *v1.ProbeStatusPatch) error {
			p.SetAliveCondition("False", v1.ProbeAliveConditionReasonSilent, "", "")
			return nil
		}, atNoon, v1.WithStatusPatchLock(v1.StatusPatchLockFields)); err != nil {
			t.Fatal(err)
		}
		want := `[{"op":"test","path":"/metadata/uid","value":"UID"},` +
			`{"op":"test","path":"/status/conditions/1/kind","value":"Alive"},` +
			`{"op":"test","path":"/status/conditions/1/kind","value":"Alive"},` +
			`{"op":"test","path":"/status/conditions/1/lastHeartbeatTime","value":null},` +
			`{"op":"test","path":"/status/conditions/1/lastProbeTime","value":null},` +
			`{"op":"test","path":"/status/conditions/1/lastTransitionTime","value":` + thenText + `},` +
			`{"op":"test","path":"/status/conditions/1/lastUpdateTime","value":null},` +
			`{"op":"test","path":"/status/conditions/1/owner","value":"a\u003cb/~"},` +
			`{"op":"test","path":"/status/conditions/1/reason","value":"Answered"},` +
			`{"op":"test","path":"/status/conditions/1/status","value":"True"},` +
			`{"op":"replace","path":"/status/conditions/1","value":{"kind":"Alive","status":"False","reason":"Silent","observedGeneration":1,` +
			`"lastTransitionTime":` + noonText + `,"lastUpdateTime":` + noonText + `,"lastHeartbeatTime":null,"lastProbeTime":null,"owner":"a\u003cb/~"}}]`
		sent := b.patches()
		if len(sent) != 1 {
			t.Fatalf("sent %q, want one", sent)
		}
		if diff := cmp.Diff(want, without(sent[0], base)); diff != "" {
			t.Error(diff)
		}
		if c := stored(t, b, probe).Status.Conditions[1]; c.Status != "False" || c.Owner != "a<b/~" {
			t.Errorf("stored %+v", c)
		}
	})
}

// A list that the schema requires is emptied, not removed; a status that is a pointer is
// made; an empty list in it is no edit of the caller's object.
func TestRequiredList(t *testing.T) {
	onBoth(t, func(t *testing.T, b *backend) {
		probe := create(t, b, &v1.Probe{ObjectMeta: metav1.ObjectMeta{Name: "p"}}, nil)
		for _, step := range []struct {
			edit func(*v1.ProbeStatusPatch)
			body string
		}{
			{
				func(p *v1.ProbeStatusPatch) {
					p.SetAliveCondition("True", v1.ProbeAliveConditionReasonAnswered, "", "")
				},
				`{"metadata":{"resourceVersion":"RV"},"status":{"conditions":[{"kind":"Alive","status":"True","reason":"Answered","observedGeneration":1,` +
					`"lastTransitionTime":` + noonText + `,"lastUpdateTime":` + noonText + `,"lastHeartbeatTime":null,"lastProbeTime":null}],"history":[]}}`,
			},
			{
				func(p *v1.ProbeStatusPatch) { p.RemoveAliveCondition() },
				`{"metadata":{"resourceVersion":"RV"},"status":{"conditions":null}}`,
			},
			{func(p *v1.ProbeStatusPatch) { p.RemoveAliveCondition() }, ""},
			{
				func(p *v1.ProbeStatusPatch) { p.SetCheckedCondition("True", "R", "", "") },
				`{"metadata":{"resourceVersion":"RV"},"status":{"history":[{"kind":"Checked","status":"True","reason":"R","observedGeneration":1,` +
					`"lastTransitionTime":` + noonText + `,"lastUpdateTime":` + noonText + `,"lastHeartbeatTime":null,"lastProbeTime":null}]}}`,
			},
			{
				func(p *v1.ProbeStatusPatch) { p.RemoveCheckedCondition() },
				`{"metadata":{"resourceVersion":"RV"},"status":{"history":[]}}`,
			},
			{func(p *v1.ProbeStatusPatch) { p.Status.History = nil }, ""},
		} {
			base := probe.DeepCopy()
			if err := v1.PatchProbeStatus(t.Context(), b.client, probe, func(p *v1.ProbeStatusPatch) error {
				step.edit(p)
				return nil
			}, atNoon); err != nil {
				t.Fatal(err)
			}
			sent := ""
			for _, body := range b.patches() {
				sent += without(body, base)
			}
			if diff := cmp.Diff(step.body, sent); diff != "" {
				t.Error(diff)
			}
		}
	})
}
