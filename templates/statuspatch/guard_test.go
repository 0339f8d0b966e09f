package statuspatch

import "testing"

// The observedGeneration field is guarded under every lock, also where the base
// lacks what it is in.
func TestObservedGuard(t *testing.T) {
	deep := *fooType
	deep.ObservedPath = []string{"nested", "ready"}
	deep.Observed = func(s *FooStatus, _ bool) *int64 {
		if s.Nested == nil {
			return nil
		}
		seen := int64(s.Nested.Ready)
		return &seen
	}
	deep.ObservedRequired = true
	for _, tt := range []struct {
		name string
		t    *Type[Foo, FooStatus]
		base FooStatus
		lock Lock
		path string // "" for no guard
		want string
	}{
		{"absent field", fooType, FooStatus{Phase: "A"}, LockFields, "/observedGeneration", ""},
		{"present field", fooType, FooStatus{Phase: "A", ObservedGeneration: 3}, LockNone, "/observedGeneration", "3"},
		{"absent parent", &deep, FooStatus{Phase: "A"}, LockFields, "/nested", ""},
		{"absent parent, no lock", &deep, FooStatus{Phase: "A"}, LockNone, "/nested", ""},
		{"present parent", &deep, FooStatus{Phase: "A", Nested: &FooNested{}}, LockNone, "/nested/ready", "0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &call[Foo, FooStatus]{t: tt.t}
			w.o.lock, w.base = tt.lock, base2(&tt.base)
			guard, path := w.observedGuard(below("phase"))
			if guard == nil || pointer(path...) != tt.path || string(guard.base) != tt.want {
				t.Errorf("guard %+v at %s, want %q at %s", guard, pointer(path...), tt.want, tt.path)
			}
		})
	}
	w := &call[Foo, FooStatus]{t: fooType}
	w.o.lock, w.base = LockFields, base2(&FooStatus{})
	for name, root := range map[string]*change{
		"status itself is added":              {op: opObject, added: true},
		"the field is sent, and tested there": below("observedGeneration"),
	} {
		if guard, path := w.observedGuard(root); guard != nil {
			t.Errorf("%s: guard at %v, want none", name, path)
		}
	}
}

// below is a change of an object in which one key is set.
func below(name string) *change {
	c := &change{op: opObject}
	c.append(&change{name: name, op: opSet})
	return c
}
