package statuspatch

// A merge patch (RFC 7386) is written while the statuses are visited: the fields
// come in its order. A JSON patch needs a tree of changes, since its tests come first.

// beginMerge has the visitor write a merge patch that is guarded by a
// resourceVersion.
func (v *Visitor) beginMerge(resourceVersion string) {
	m := &v.memory
	m.body = appendString(append(m.body[:0], `{"metadata":{"resourceVersion":`...), resourceVersion)
	m.body = append(m.body, `},"status":`...)
	v.merging, v.bodyFrom = true, len(m.body)
}

// merged is the merge patch; beginning another does not touch it.
func (v *Visitor) merged() []byte {
	v.memory.body = append(v.memory.body, '}')
	return append([]byte(nil), v.memory.body...)
}

// merge writes a key of the container that is being visited, and its value.
func (v *Visitor) merge(name string, value []byte) {
	v.open(len(v.containers) - 1)
	v.memory.body = append(appendKey(v.memory.body, name), value...)
}

// open begins a container, and those around it, if it is not begun yet.
func (v *Visitor) open(at int) {
	c := &v.containers[at]
	if c.open {
		return
	}
	if at > 0 {
		v.open(at - 1)
		v.memory.body = appendKey(v.memory.body, c.name)
	}
	v.memory.body = append(v.memory.body, '{')
	c.open = true
}
