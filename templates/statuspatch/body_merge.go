package statuspatch

// mergeBody is a merge patch that is guarded by a resourceVersion.
func mergeBody(root *change, resourceVersion string) []byte {
	const guard, status = `{"metadata":{"resourceVersion":`, `},"status":`
	to := make([]byte, 0, len(guard)+len(resourceVersion)+len(`""`)+len(status)+root.size()+len("}"))
	to = append(appendString(append(to, guard...), resourceVersion), status...)
	return append(appendMerge(to, root), '}')
}

func appendMerge(to []byte, c *change) []byte {
	switch c.op {
	case opSet, opConditions:
		return append(to, c.want...)
	case opRemove:
		return append(to, "null"...)
	}
	to = append(to, '{')
	for b := c.first; b != nil; b = b.next {
		if b != c.first {
			to = append(to, ',')
		}
		to = appendMerge(append(appendString(to, b.name), ':'), b)
	}
	return append(to, '}')
}
