package statuspatch

import (
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Nulls decide how a value can be sent, and whether it can be tested for.
func TestNullsInJSON(t *testing.T) {
	for _, tt := range []struct {
		raw         string
		null, entry bool
	}{
		{raw: `{}`},
		{raw: `"null"`},
		{raw: `["null","\"null"]`},
		{raw: `{"null":1}`},
		{raw: `null`, null: true},
		{raw: `{"a":null}`, null: true},
		{raw: `[{"a":null}]`, null: true},
		{raw: `[null]`, null: true, entry: true},
		{raw: `{"a":[1,{"b":[[],null]}]}`, null: true, entry: true},
		{raw: `{"a\"":["\\",null]}`, null: true, entry: true},
	} {
		if got := holdsNull([]byte(tt.raw)); got != tt.null {
			t.Errorf("holdsNull(%s) = %t", tt.raw, got)
		}
		if got := holdsNullEntry([]byte(tt.raw)); got != tt.entry {
			t.Errorf("holdsNullEntry(%s) = %t", tt.raw, got)
		}
	}
}

func TestNilEntries(t *testing.T) {
	type inner struct {
		Lists  [][]string
		hidden [][]string
	}
	for name, tt := range map[string]struct {
		x    any
		want bool
	}{
		"a list of lists":                    {[][]string{{}, nil}, true},
		"empty lists":                        {[][]string{{}, {"a"}}, false},
		"bytes":                              {[][]byte{[]byte("a"), nil}, true},
		"maps":                               {[]map[string]string{nil}, true},
		"pointers":                           {[]*int{nil}, true},
		"nil itself":                         {[][]string(nil), false},
		"a value of a map":                   {map[string][]string{"a": nil}, false},
		"a list in a value of a map":         {map[string][][]string{"a": {nil}}, true},
		"a list in an entry":                 {[]inner{{}, {Lists: [][]string{nil}}}, true},
		"nothing to read in an entry":        {[]*inner{{hidden: [][]string{nil}}}, false},
		"a list of basic values":             {[]string{""}, false},
		"an array":                           {[2][]int{{1}, nil}, true},
		"a nil pointer":                      {(*inner)(nil), false},
		"a time, with a location of its own": {[]metav1.Time{metav1.Now()}, false},
	} {
		if got := holdsNilEntry(reflect.ValueOf(tt.x)); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// A list that holds null on the server is not tested for, since the API server cannot
// compare it: the patch goes out under the object's lock.
func TestNilEntriesGoOutUnderTheObjectsLock(t *testing.T) {
	type status struct {
		Lists [][]string
		Phase string
	}
	kindOfLists := ListOf[[][]string](ListOf[[]string](Scalar[string]()))
	matrix := NewType(Type[Foo, status]{
		Kind: "Foo", Lock: LockFields, Object: fooType.Object,
		Status: func(*Foo) *status { return &status{Lists: [][]string{{"a"}, nil}, Phase: "A"} },
		Visit: func(v *Visitor, s Values[status]) {
			Field(v, "lists", OmitEmpty, &s.Base.Lists, &s.Want.Lists, &s.Live.Lists, kindOfLists)
			Field(v, "phase", OmitEmpty, &s.Base.Phase, &s.Want.Phase, &s.Live.Phase, Scalar[string]())
		},
	})
	for want, edited := range map[string]status{
		`{"metadata":{"resourceVersion":"7"},"status":{"lists":[["a"]]}}`:                                                                                          {Lists: [][]string{{"a"}}, Phase: "A"},
		`{"metadata":{"resourceVersion":"7"},"status":{"lists":null}}`:                                                                                             {Phase: "A"},
		`[{"op":"test","path":"/metadata/uid","value":"u1"},{"op":"test","path":"/status/phase","value":"A"},{"op":"replace","path":"/status/phase","value":"B"}]`: {Lists: [][]string{{"a"}, nil}, Phase: "B"},
	} {
		w, err := newCall(&echo{}, matrix, fooAt("7", FooStatus{}), nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := w.prepare(&edited, LockFields)
		if err != nil || string(p.body) != want {
			t.Errorf("error %v\n got %s\nwant %s", err, p.body, want)
		}
	}
}
