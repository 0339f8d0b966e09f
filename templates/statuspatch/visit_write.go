package statuspatch

// encodeField writes a field of a struct that is sent, or tested for, whole.
func encodeField[T any, K kind[T]](v *Visitor, f *fieldInfo, x *T, k K) {
	switch wantedPresence(v, f, x, k) {
	case absent:
	case null:
		v.text = append(appendKey(v.text, f.name), "null"...)
	default:
		key := appendKey(v.text, f.name)
		text, err := k.encode(key, x)
		v.fail(err)
		if f.has(Quoted) {
			text = append(key, quote(text[len(key):])...)
		}
		v.text = text
	}
}

// appendKey appends a key of an object that was begun.
func appendKey(to []byte, name string) []byte {
	if to[len(to)-1] != '{' {
		to = append(to, ',')
	}
	return append(appendString(to, name), ':')
}
