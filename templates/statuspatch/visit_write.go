package statuspatch

// encodeField writes a field of a struct that is sent, or tested for, whole.
func encodeField[T any, K kind[T]](v *Visitor, f fieldInfo, x *T, k K) {
	raw, err := []byte("null"), error(nil)
	switch wantedPresence(v, f, x, k) {
	case absent:
		return
	case present:
		raw, err = k.encode(x)
	}
	v.fail(err)
	if f.has(Quoted) {
		raw = quote(raw)
	}
	v.appendKey(f.name, raw)
}

// appendKey writes a key of an object that was begun, and its value.
func (v *Visitor) appendKey(name string, value []byte) {
	if len(v.text) > 1 {
		v.text = append(v.text, ',')
	}
	v.text = append(append(appendString(v.text, name), ':'), value...)
}

// membersField writes down what of a field is a member of the visitor's group.
func membersField[T any, K kind[T]](v *Visitor, f fieldInfo, x *T, k K) {
	node := v.member.child(f.name)
	switch {
	case node == nil:
	case node.isMember():
		if node.group == v.group && !node.passive {
			text, ok := appendScalar(v.text, x)
			if !ok {
				raw, err := k.encode(x)
				v.fail(err)
				text = append(v.text, raw...)
			}
			v.text = append(text, ',')
		}
	default:
		member := v.member
		v.member = node
		k.descend(v, x, x)
		v.member = member
	}
}
