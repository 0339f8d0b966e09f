package markers

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

const (
	onPackage = markers.DescribesPackage
	onType    = markers.DescribesType
	onField   = markers.DescribesField
)

func TestParse(t *testing.T) {
	tests := []struct {
		text   string
		target markers.TargetType
		want   any
	}{
		{"+statuspatch", onType, PatchOn},
		{"+statuspatch=true", onType, PatchOn},
		{"+statuspatch=false", onType, PatchOff},
		{"+statuspatch=package", onPackage, PatchPackage},
		{"+statuspatch:group=replicas,readyReplicas", onType, Group{Fields: []string{"replicas", "readyReplicas"}}},
		{"+statuspatch:group=replicas, readyReplicas", onType, Group{Fields: []string{"replicas", "readyReplicas"}}},
		{"+statuspatch:group=a.b.c,conditions[Ready]", onType, Group{Fields: []string{"a.b.c", "conditions[Ready]"}}},
		{"+statuspatch:group=a,conditions[example.com/Synced]", onType, Group{Fields: []string{"a", "conditions[example.com/Synced]"}}},
		{"+statuspatch:group:name=counters,fields=a.b;c", onType, Group{Name: "counters", Fields: []string{"a.b", "c"}}},
		{"+statuspatch:group:fields=a;b", onType, Group{Fields: []string{"a", "b"}}},
		{"+statuspatch:group:fields={a,b},name=x", onType, Group{Name: "x", Fields: []string{"a", "b"}}},
		{"+statuspatch:group:name=n,fields=r.a;conditions[Available]", onType, Group{Name: "n", Fields: []string{"r.a", "conditions[Available]"}}},
		{"+statuspatch:group:name=n,fields=a;conditions[example.com/Synced];b", onType, Group{Name: "n", Fields: []string{"a", "conditions[example.com/Synced]", "b"}}},
		{"+statuspatch:condition=Ready", onType, Condition{Type: "Ready"}},
		{`+statuspatch:condition="Ready"`, onType, Condition{Type: "Ready"}},
		{"+statuspatch:condition=example.com/Synced", onType, Condition{Type: "example.com/Synced"}},
		{"+statuspatch:condition:type=Ready,reasons=AllReady;Scaling", onType, Condition{Type: "Ready", Reasons: []string{"AllReady", "Scaling"}}},
		{"+statuspatch:condition:type=Ready,reasons=AllReady", onType, Condition{Type: "Ready", Reasons: []string{"AllReady"}}},
		{"+statuspatch:condition:type=example.com/Synced,name=Synced,path=v1beta2.conditions", onType, Condition{Type: "example.com/Synced", Name: "Synced", Path: "v1beta2.conditions"}},
		{"+statuspatch:observedGeneration", onField, ObservedGeneration{}},
		{"+statuspatch:observedGeneration=a.observedGeneration", onType, ObservedGenerationPath("a.observedGeneration")},
		{"+statuspatch:lock=object", onType, LockObject},
		{"+statuspatch:lock=fields", onType, LockFields},
		{"+statuspatch:lock=none", onType, LockNone},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			got, err := Parse(tt.text, tt.target)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Parse (-want +got):\n%s", diff)
			}
		})
	}
}

// TestParseErrors checks the place of mistakes; their wording is in the
// command's goldens.
func TestParseErrors(t *testing.T) {
	tests := []struct {
		text   string
		target markers.TargetType
		at     string // the rest of the text from the mistake on
		has    string
	}{
		{"+statuspach", onType, "+statuspach", "did you mean +statuspatch?"},
		{"+statuspatch:conditoin=Ready", onType, "+statuspatch:conditoin=Ready", "did you mean +statuspatch:condition?"},
		{"+statuspatch:group:name=a,feilds=b;c", onType, "feilds=b;c", `did you mean "fields"?`},
		{"+statuspatch:group:name=a, feilds=b;c", onType, "feilds=b;c", `did you mean "fields"?`},
		{"+statuspatch:lock=feilds", onType, "feilds", `did you mean "fields"?`},
		{"+statuspatch:group:name=a,fields=b;;c", onType, ";c", "empty"},
		{"+statuspatch:condition:type=A,type=B", onType, "type=B", "twice"},
		{"+statuspatch:observedGeneration", onType, "+statuspatch:observedGeneration", "needs a value"},
		{"+statuspatch:lock=object", onField, "+statuspatch:lock=object", "does not belong on a status field"},
		{"+statuspatch on", onType, "on", "line of its own"},
		{"+statuspatch:", onType, "+statuspatch:", "unknown marker"},
		{"+statuspatch:group:=a,b", onType, "+statuspatch:group:=a,b", "ends with a colon"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			_, err := Parse(tt.text, tt.target)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("Parse: %v, want an *Error", err)
			}
			if got := tt.text[e.Offset:]; got != tt.at {
				t.Errorf("the mistake is at %q, want %q (%s)", got, tt.at, e.Message)
			}
			if !strings.Contains(e.Message, tt.has) {
				t.Errorf("message %q does not contain %q", e.Message, tt.has)
			}
		})
	}
}

func TestIs(t *testing.T) {
	for text, want := range map[string]bool{
		"+statuspatch": true, "+statuspatch:x": true, "+statuspatch=false": true, "+statuspatch on": true,
		"+statuspacth": true, "+StatusPatch:group=a,b": true, "+status-patch": true,
		"+statuspatcher": false, "+kubebuilder:subresource:status": false, "+status": false, "+": false,
	} {
		if got := Is(text); got != want {
			t.Errorf("Is(%q) = %v, want %v", text, got, want)
		}
	}
}

// TestRegister checks that other tools can use the definitions.
func TestRegister(t *testing.T) {
	reg := &markers.Registry{}
	if err := Register(reg); err != nil {
		t.Fatal(err)
	}
	const text = "+statuspatch:group:name=counters,fields=a;b"
	def := reg.Lookup(text, onType)
	if def == nil {
		t.Fatalf("no definition for %s", text)
	}
	got, err := def.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Group{Name: "counters", Fields: []string{"a", "b"}}, got); diff != "" {
		t.Errorf("Parse (-want +got):\n%s", diff)
	}
	if reg.HelpFor(def) == nil {
		t.Error("the definition has no help")
	}
	if plain := reg.Lookup("+statuspatch:group=a,b", onType); plain != def {
		t.Error("the plain form has another definition than the named one")
	}
}

// TestHelp checks that the help knows every marker and argument, and that its
// examples are right.
func TestHelp(t *testing.T) {
	var b strings.Builder
	if err := WriteHelp(&b); err != nil {
		t.Fatal(err)
	}
	for _, d := range definitions {
		for arg := range arguments(d) {
			if !strings.Contains(b.String(), "    "+arg+" (") {
				t.Errorf("help lacks argument %s of +%s", arg, d.Name)
			}
		}
		if d.help.Summary == "" {
			t.Errorf("+%s has no help", d.Name)
		}
		for _, e := range d.examples {
			if !strings.Contains(b.String(), "// "+e+"\n") {
				t.Errorf("help lacks the example %s", e)
			}
			if _, err := Parse(e, d.Target); err != nil {
				t.Errorf("example %s: %v", e, err)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, d := range definitions {
		for _, e := range d.examples {
			f.Add(e)
		}
	}
	for _, s := range []string{
		"+statuspatch:group:name=,fields=", "+statuspatch:group:fields={a,b", "+statuspatch:condition:type=\"a",
		"+statuspatch:group:name=a,fields=}", "+statuspatch:condition:type=`", "+statuspatch:group:fields=;",
		"+statuspatch:condition:type=a//b", "+statuspatch:group:fields=/*", "+statuspatch:group:name='a',fields=a;b",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.HasPrefix(text, "+") || strings.ContainsAny(text, "\n\r") {
			return
		}
		Is(text)
		for _, target := range []markers.TargetType{onPackage, onType, onField} {
			_, err := Parse(text, target)
			var e *Error
			if err != nil && (!errors.As(err, &e) || e.Offset < 0 || e.Offset > len(text)) {
				t.Errorf("Parse(%q): error %v has no place in the text", text, err)
			}
		}
	})
}
