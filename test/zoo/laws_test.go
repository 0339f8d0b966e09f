package zoo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	zoov1 "github.com/statuspatch/statuspatcher-gen/test/zoo/api/v1"
)

// locks are the three locks.
var locks = []zoov1.StatusPatchLock{zoov1.StatusPatchLockObject, zoov1.StatusPatchLockFields, zoov1.StatusPatchLockNone}

// checkLaws patches from one random status to another and checks what was sent. It
// reports whether the two could be used: the server may reject either.
func checkLaws[T, S any](t *testing.T, s *species[T, S], sch *crdSchema, lock zoov1.StatusPatchLock, data []byte) bool {
	t.Helper()
	c := &choices{bytes: data}
	server := newMemoryServer(sch, s.kind, "x")
	if first := s.random(c); c.often(8) {
		if err := server.update(s.json(sch, first)); err != nil {
			return false
		}
	} // else the object has no status yet
	obj := new(T)
	if err := server.Get(context.Background(), client.ObjectKey{}, s.object(obj)); err != nil {
		t.Fatalf("%v: %s", err, encodeTree(server.object))
	}
	want := s.edited(c, obj)
	before := server.status()

	after := newMemoryServer(sch, s.kind, "x")
	after.object = deepCopyTree(server.object).(map[string]any)
	if err := after.update(s.json(sch, want)); err != nil {
		return false
	}
	changes := !reflect.DeepEqual(s.zeroless(t, sch, server.object), s.zeroless(t, sch, after.object))

	err := s.patch(context.Background(), server, obj, func() *S { return s.copyOf(want) }, zoov1.WithStatusPatchLock(lock))
	if err != nil {
		t.Fatalf("%v\nbase %s\nwant %s\nsent %s", err, encodeTree(before), mustJSON(want), sentText(server.sent))
	}
	explain := func() string {
		return fmt.Sprintf("base %s\nwant %s\nsent %s", encodeTree(before), mustJSON(want), sentText(server.sent))
	}
	switch stored := !reflect.DeepEqual(before, server.status()); {
	case changes && len(server.sent) == 0:
		t.Errorf("law b: nothing was sent, and the status changes\n%s", explain())
	case !changes && len(server.sent) > 0 && !stored: // an absent list may have become an empty one
		t.Errorf("law b: what was sent changes nothing\n%s", explain())
	}
	expected := sch.inOrder(withoutLacking(after.status(), before, server.status()))
	if diff := cmp.Diff(expected, sch.inOrder(withoutLacking(server.status(), before, after.status()))); len(server.sent) > 0 && diff != "" {
		t.Errorf("laws a, f: stored is not what an update would have stored (-update +patch):\n%s\n%s", diff, explain())
	}
	read, wanted := s.zeroless(t, sch, server.object), s.zeroless(t, sch, after.object)
	if lock == zoov1.StatusPatchLockNone {
		read, wanted = withoutEmpty(read), withoutEmpty(wanted) // a map is cleared key by key
	}
	if diff := cmp.Diff(wanted, read); diff != "" {
		t.Errorf("law a: the stored status does not read as what was wanted (-wanted +stored):\n%s\n%s", diff, explain())
	}
	if len(server.sent) > 0 {
		body := readBody(t, server.sent[0], before)
		checkNeedless(t, s, sch, body, before, after.status(), explain)
		checkGroups(t, s, body, before, after.status(), explain)
		fresh := new(T)
		if err := server.Get(context.Background(), client.ObjectKey{}, s.object(fresh)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(mustJSON(fresh), mustJSON(obj)); diff != "" {
			t.Errorf("the caller's object is not the server's (-server +caller):\n%s\n%s", diff, explain())
		}
	}
	if len(server.sent) > 1 && !unknowable(server.refused[0], before) {
		t.Errorf("sent %d patches to an idle object: %v\n%s", len(server.sent), server.refused, explain())
	}
	sent := len(server.sent)
	if err := s.patch(context.Background(), server, obj, func() *S { return s.copyOf(want) }, zoov1.WithStatusPatchLock(lock)); err != nil {
		t.Fatal(err)
	}
	if len(server.sent) > sent {
		t.Errorf("the same again is sent again: %s\n%s", server.sent[sent].body, explain())
	}
	return true
}

// unknowable reports whether the first patch was refused for a test of what Go cannot
// tell: whether the server has a struct by value that is zero, or an empty list or map
// that is left out where it is empty.
func unknowable(refused error, before map[string]any) bool {
	text, ok := strings.CutPrefix(refused.Error(), "testing value /status/")
	if !ok {
		return false
	}
	path := strings.Split(strings.TrimSuffix(text, " failed: test failed"), "/")
	for i := range path {
		path[i] = unescaped(path[i])
	}
	had, _ := lookUp(before, path)
	container, ok := had.(map[string]any)
	return ok && isZero(container) || bytes.Contains(encodeTree(had), []byte("[]")) || bytes.Contains(encodeTree(had), []byte("{}"))
}

// unescaped is a name as a JSON pointer stands for.
func unescaped(name string) string { return strings.NewReplacer("~1", "/", "~0", "~").Replace(name) }

func mustJSON(x any) string {
	raw, err := json.Marshal(x)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func sentText(sent []sentPatch) string {
	var b strings.Builder
	for _, p := range sent {
		fmt.Fprintf(&b, "%s\n", p.body)
	}
	return b.String()
}

// zeroless is an object's status as Go reads it, in JSON: a zero that the server has
// and one that it lacks are the same to a Go client.
func (s *species[T, S]) zeroless(t *testing.T, sch *crdSchema, object map[string]any) any {
	t.Helper()
	obj := new(T)
	if err := decodeInto(object, s.object(obj)); err != nil {
		t.Fatal(err)
	}
	return sch.inOrder(s.json(sch, s.status(obj)))
}

// withoutLacking is a status without what another lacks and a Go client does not tell
// from absent: nulls, what is empty, and zeros that base lacks too.
func withoutLacking(status, base, other map[string]any) map[string]any {
	for key, value := range status {
		if v, ok := value.(map[string]any); ok {
			b, _ := base[key].(map[string]any)
			o, _ := other[key].(map[string]any)
			value = withoutLacking(v, b, o)
		}
		if hasKey(other, key) {
			continue
		}
		if _, had := base[key]; isEmpty(value) || !had && value != nil && isZero(value) {
			delete(status, key)
		}
	}
	return status
}

// withoutEmpty drops what is empty and what is null.
func withoutEmpty(tree any) any {
	object, _ := tree.(map[string]any)
	for key, value := range object {
		if value = withoutEmpty(value); value == nil || isEmpty(value) {
			delete(object, key)
		}
	}
	return tree
}

func isEmpty(tree any) bool {
	switch t := tree.(type) {
	case map[string]any:
		return len(t) == 0
	case []any:
		return len(t) == 0
	}
	return false
}

// inOrder sorts the lists of a status whose order does not count.
func (c *crdSchema) inOrder(status map[string]any) any {
	property := c.structural.Properties["status"]
	return inOrder(deepCopyTree(status), &property)
}

func inOrder(tree any, s *schema.Structural) any {
	switch t := tree.(type) {
	case map[string]any:
		for key, value := range t {
			t[key] = inOrder(value, propertyOf(s, key))
		}
	case []any:
		for i := range t {
			var items *schema.Structural
			if s != nil {
				items = s.Items
			}
			t[i] = inOrder(t[i], items)
		}
		if s != nil && s.XListType != nil && *s.XListType != "atomic" {
			sort.Slice(t, func(i, j int) bool { return string(encodeTree(t[i])) < string(encodeTree(t[j])) })
		}
	case string:
		return strings.ReplaceAll(t, `\ufffd`, "\ufffd") // a string in a string, that was no UTF-8
	}
	return tree
}

// propertyOf is the schema of a key, nil where there is none.
func propertyOf(s *schema.Structural, key string) *schema.Structural {
	if s == nil {
		return nil
	}
	if property, ok := s.Properties[key]; ok {
		return &property
	}
	if s.AdditionalProperties != nil {
		return s.AdditionalProperties.Structural
	}
	return nil
}

// fillRequired puts zeros where the schema asks for a value and Go writes none.
func fillRequired(tree any, s schema.Structural) {
	switch t := tree.(type) {
	case map[string]any:
		if s.ValueValidation != nil {
			for _, name := range s.ValueValidation.Required {
				if property := s.Properties[name]; t[name] == nil && !(property.Nullable && hasKey(t, name)) {
					if zero, ok := zeros[property.Type]; ok {
						t[name] = deepCopyTree(zero)
					}
				}
			}
		}
		for key, value := range t {
			if property := propertyOf(&s, key); property != nil {
				fillRequired(value, *property)
			}
		}
	case []any:
		// Entries of lists are sent as they are.
	}
}

func hasKey(t map[string]any, name string) bool { _, ok := t[name]; return ok }

var zeros = map[string]any{
	"string": "", "integer": int64(0), "number": int64(0), "boolean": false, "array": []any{}, "object": map[string]any{},
}

// bodyEdit is one value that a body sets, or, with nil, removes.
type bodyEdit struct {
	path  []string
	value any
	test  bool
}

// readBody lists what a body does to the status, container by container.
func readBody(t *testing.T, p sentPatch, before map[string]any) []bodyEdit {
	t.Helper()
	var edits []bodyEdit
	if p.kind == types.MergePatchType {
		body, err := readObject(p.body)
		if err != nil {
			t.Fatal(err)
		}
		for key := range body {
			if key != "metadata" && key != "status" {
				t.Errorf("the body has the key %s: %s", key, p.body)
			}
		}
		if diff := cmp.Diff([]string{"resourceVersion"}, keysOf(body["metadata"])); diff != "" {
			t.Errorf("metadata of the body: %s", diff)
		}
		return leaves(nil, body["status"], false, nil)
	}
	var operations []struct {
		Op, Path string
		Value    any
	}
	if err := json.Unmarshal(p.body, &operations); err != nil {
		t.Fatal(err)
	}
	raw, err := readObject([]byte(`{"ops":` + string(p.body) + `}`))
	if err != nil {
		t.Fatal(err)
	}
	for i, op := range operations {
		path := strings.Split(op.Path, "/")[1:]
		for j := range path {
			path[j] = unescaped(path[j])
		}
		if path[0] == "metadata" {
			if path[1] != "uid" && path[1] != "resourceVersion" {
				t.Errorf("the body touches %s", op.Path)
			}
			continue
		}
		value := raw["ops"].([]any)[i].(map[string]any)["value"]
		test := op.Op == "test"
		if at, _ := lookUp(before, path[1:]); at != nil || test {
			edits = append(edits, bodyEdit{path[1:], value, test})
		} else {
			// Added whole, it also says what is not in it.
			edits = leaves(path[1:], value, false, append(edits, bodyEdit{path[1:], value, true}))
		}
	}
	return edits
}

func keysOf(tree any) []string {
	object, _ := tree.(map[string]any)
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

func leaves(path []string, tree any, test bool, to []bodyEdit) []bodyEdit {
	object, ok := tree.(map[string]any)
	if !ok || len(object) == 0 {
		return append(to, bodyEdit{path, tree, test})
	}
	for _, key := range keysOf(tree) {
		to = leaves(append(path[:len(path):len(path)], key), object[key], test, to)
	}
	return to
}

// lookUp is the value at a path, and whether there is one.
func lookUp(tree any, path []string) (any, bool) {
	for _, name := range path {
		switch t := tree.(type) {
		case map[string]any:
			value, ok := t[name]
			if !ok {
				return nil, false
			}
			tree = value
		case []any:
			i := slices.IndexFunc(make([]struct{}, len(t)), func(struct{}) bool { return false })
			if _, err := fmt.Sscanf(name, "%d", &i); err != nil || i < 0 || i >= len(t) {
				return nil, false
			}
			tree = t[i]
		default:
			return nil, false
		}
	}
	return tree, true
}

// checkNeedless is law c: nothing goes out that the server has, but for groups, and
// zeros of a struct by value that Go cannot tell from an absent one.
func checkNeedless[T, S any](t *testing.T, s *species[T, S], sch *crdSchema, body []bodyEdit, before, after map[string]any, explain func() string) {
	t.Helper()
	for _, e := range body {
		if e.test || s.inGroup(e.path) {
			continue
		}
		had, present := lookUp(before, e.path)
		switch {
		case present && had != nil && reflect.DeepEqual(had, e.value) && !isZero(had) && len(e.path) > 0:
			t.Errorf("law c: %s goes out and is what the server has\n%s", strings.Join(e.path, "."), explain())
		case !present && e.value == nil:
			if has, _ := lookUp(after, e.path); has == nil {
				if _, stored := lookUp(after, e.path); !stored {
					t.Errorf("law c: %s is removed and is not there\n%s", strings.Join(e.path, "."), explain())
				}
			}
		}
	}
}

func isZero(tree any) bool {
	switch t := tree.(type) {
	case map[string]any:
		for _, value := range t {
			if !isZero(value) {
				return false
			}
		}
		return true
	case []any:
		for _, value := range t {
			if !isZero(value) {
				return false
			}
		}
		return true
	}
	return tree == nil || reflect.ValueOf(tree).IsZero() || tree == "0" || tree == "0s" || tree == "0.0" || tree == "<0>"
}

// inGroup reports whether a path leads to a member of a group, or below one.
func (s *species[T, S]) inGroup(path []string) bool {
	for _, group := range s.groups {
		for _, member := range group {
			if len(path) >= len(member) && slices.Equal(path[:len(member)], member) {
				return true
			}
		}
	}
	return false
}

// checkGroups is law d: if a member goes out, all do, but for those whose parent the
// server neither has nor gets.
func checkGroups[T, S any](t *testing.T, s *species[T, S], body []bodyEdit, before, after map[string]any, explain func() string) {
	t.Helper()
	for _, group := range s.groups {
		changed := false
		for _, member := range group {
			if member[0] == "conditions" {
				changed = changed || !reflect.DeepEqual(conditionOf(before, "Deep"), conditionOf(after, "Deep"))
				continue
			}
			b, _ := lookUp(before, member)
			a, _ := lookUp(after, member)
			changed = changed || !reflect.DeepEqual(a, b)
		}
		if !changed {
			continue
		}
		for _, member := range group {
			if member[0] == "conditions" {
				if conditionOf(before, "Deep") == nil && conditionOf(after, "Deep") == nil {
					continue
				}
			}
			parent := member[:len(member)-1]
			_, had := lookUp(before, parent)
			_, has := lookUp(after, parent)
			if has && !mentions(body, member) {
				t.Errorf("law d: the member %s of a group stays behind\n%s", strings.Join(member, "."), explain())
			}
			if !has && had && !mentions(body, member) {
				t.Errorf("law d: the member %s of a group is not removed\n%s", strings.Join(member, "."), explain())
			}
		}
	}
}

func conditionOf(status map[string]any, conditionType string) any {
	list, _ := status["conditions"].([]any)
	for _, c := range list {
		if c.(map[string]any)["type"] == conditionType {
			return c
		}
	}
	return nil
}

// mentions reports whether a body writes or tests a path, something above or below it.
func mentions(body []bodyEdit, path []string) bool {
	for _, e := range body {
		n := min(len(e.path), len(path))
		if slices.Equal(e.path[:n], path[:n]) {
			return true
		}
	}
	return false
}
