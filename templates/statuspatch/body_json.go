package statuspatch

import (
	"bytes"
	"encoding/json"
	"sort"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/types"
)

// jsonPatch writes a JSON patch (RFC 6902): first all tests, then the edits.
type jsonPatch struct {
	lock         Lock
	tests, edits []byte
}

// jsonBody is a JSON patch of status. Under LockObject it is guarded by the
// resourceVersion, else by the UID and the base values. observed is the path
// of the observedGeneration field and its base value, nil where there is none.
func jsonBody(root *change, lock Lock, resourceVersion string, uid types.UID, observed *change, observedPath []string) []byte {
	p := &jsonPatch{lock: lock}
	if lock == LockObject {
		p.edit("replace", "/metadata/resourceVersion", appendString(nil, resourceVersion))
	} else {
		if uid != "" {
			p.test("/metadata/uid", appendString(nil, string(uid)))
		}
		if observed != nil {
			p.test("/status"+pointer(observedPath...), observed.base)
		}
	}
	p.object("/status", root)
	body := append([]byte{'['}, p.tests...)
	if len(p.tests) > 0 && len(p.edits) > 0 {
		body = append(body, ',')
	}
	return append(append(body, p.edits...), ']')
}

func (p *jsonPatch) test(path string, value []byte) {
	if p.lock == LockObject {
		return
	}
	if value == nil {
		value = []byte("null") // an absent key passes this test
	}
	p.tests = appendOperation(p.tests, "test", path, value)
}

func (p *jsonPatch) edit(op, path string, value []byte) {
	p.edits = appendOperation(p.edits, op, path, value)
}

func appendOperation(to []byte, op, path string, value []byte) []byte {
	if len(to) > 0 {
		to = append(to, ',')
	}
	to = append(append(append(to, `{"op":"`...), op...), `","path":`...)
	to = appendString(to, path)
	if value != nil {
		to = append(append(to, `,"value":`...), value...)
	}
	return append(to, '}')
}

// pointer is the JSON pointer (RFC 6901) of a path.
func pointer(path ...string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
	}
	return b.String()
}

func (p *jsonPatch) object(path string, c *change) {
	if c.added {
		if c.unsure {
			// Else what another writer put into it would be lost.
			p.tests = appendOperation(p.tests, "test", path, []byte("null"))
		} else {
			p.test(path, nil)
		}
		p.edit("add", path, appendWhole(nil, c))
		return
	}
	for b := c.first; b != nil; b = b.next {
		at := path + pointer(b.name)
		switch b.op {
		case opObject:
			p.object(at, b)
		case opSet:
			p.value(at, b)
		case opRemove:
			p.removal(at, b)
		case opConditions:
			p.conditions(at, b)
		case opAbsent:
			p.test(at, nil)
		}
	}
}

func (p *jsonPatch) value(path string, c *change) {
	if p.lock == LockFields || c.base == nil && isContainer(c.want) {
		p.test(path, c.base)
	}
	switch {
	case c.unchanged && p.lock == LockFields && c.base != nil && bytes.Equal(c.base, c.want):
		// The test alone holds the group together.
	case c.base == nil, p.lock == LockNone:
		p.edit("add", path, c.want) // also replaces
	default:
		p.edit("replace", path, c.want)
	}
}

// isContainer reports whether raw is an object or a list.
func isContainer(raw []byte) bool { return len(raw) > 0 && (raw[0] == '{' || raw[0] == '[') }

func (p *jsonPatch) removal(path string, c *change) {
	if p.lock == LockFields {
		p.test(path, c.base)
	}
	switch {
	case c.base != nil:
		// Where it is gone by now this fails, and counts as a conflict. A null
		// in its place would be stored in a map of a type built into the server.
		p.edit("remove", path, nil)
	case p.lock == LockFields:
		// The test saw that there is nothing to remove.
	default:
		// Unlike remove this is free where the key is absent; the server drops
		// a null that it may not store.
		p.edit("add", path, []byte("null"))
	}
}

// conditions edits a list entry by entry: those that stay first, then removals
// from the end, so that indexes hold, then additions.
func (p *jsonPatch) conditions(path string, c *change) {
	if p.lock == LockObject {
		p.edit("add", path, c.want)
		return
	}
	if c.base == nil {
		p.test(path, nil)
		p.edit("add", path, c.want)
		return
	}
	listTested := false
	for _, e := range c.entries {
		if e.index < 0 || e.want == nil { // comes, goes, or stays away
			if !listTested {
				p.test(path, c.base)
				listTested = true
			}
			continue
		}
		at := path + "/" + strconv.Itoa(e.index)
		p.test(at+pointer(e.typeKey), appendString(nil, e.typ))
		p.entry(at, e.base)
		if !e.unchanged {
			p.edit("replace", at, e.want)
		}
	}
	for i := len(c.entries) - 1; i >= 0; i-- {
		if e := c.entries[i]; e.want == nil && e.index >= 0 {
			p.edit("remove", path+"/"+strconv.Itoa(e.index), nil)
		}
	}
	for _, e := range c.entries {
		if e.index < 0 && e.want != nil {
			p.edit("add", path+"/-", e.want)
		}
	}
}

// entry tests a condition. A null in it is stored by a server that has the Go
// type and dropped by one that has a schema; field by field both pass the test.
func (p *jsonPatch) entry(path string, value []byte) {
	var fields map[string]json.RawMessage
	if !holdsNull(value) || json.Unmarshal(value, &fields) != nil {
		p.test(path, value)
		return
	}
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		p.test(path+pointer(name), fields[name])
	}
}

// appendWhole writes a container that the base lacks as one value: what would
// be removed from it is not there.
func appendWhole(to []byte, c *change) []byte {
	switch c.op {
	case opSet, opConditions:
		return append(to, c.want...)
	case opRemove:
		return append(to, "null"...)
	}
	to = append(to, '{')
	first := true
	for b := c.first; b != nil; b = b.next {
		if b.op == opRemove {
			continue
		}
		if !first {
			to = append(to, ',')
		}
		first = false
		to = appendWhole(append(appendString(to, b.name), ':'), b)
	}
	return append(to, '}')
}
