package statuspatch

import "testing"

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
