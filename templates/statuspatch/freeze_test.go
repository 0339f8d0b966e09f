package statuspatch

import "testing"

// An empty list in a field without omitempty is not nil: the copy that edits of the
// caller's object are told by has to keep that apart.
func TestFreezeKeepsEmptyAndNilApart(t *testing.T) {
	for name, original := range map[string]FooStatus{
		"empty": {Names: []string{}, Au: []string{}, Tags: []string{}},
		"nil":   {},
		"some":  {Names: []string{"a"}, Au: []string{"b"}, Tags: []string{"c"}},
	} {
		kept := original
		fooType.Freeze(new(FooStatus), &kept)
		v := &Visitor{mode: modeEqual, identity: true}
		visitFooStatus(v, pair(&kept, &original))
		if v.differs {
			t.Errorf("%s: status.%s differs, which nobody edited", name, v.where)
		}
		if len(original.Names) > 0 {
			original.Names[0] = "edited"
			v.begin(modeEqual)
			visitFooStatus(v, pair(&kept, &original))
			if v.where != "names" {
				t.Errorf("an edit of names is seen at %q", v.where)
			}
		}
	}
}
