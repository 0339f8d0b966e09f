package statuspatch

import (
	"encoding/json"
	"strconv"
)

// appendString appends s as encoding/json writes it.
func appendString(to []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			raw, err := json.Marshal(s)
			if err != nil {
				return to // a string always encodes
			}
			return append(to, raw...)
		}
	}
	return append(append(append(to, '"'), s...), '"')
}

func appendInt(to []byte, n int64) []byte { return strconv.AppendInt(to, n, 10) }

// encodeScalar is json.Marshal, with a short way for the commonest types.
func encodeScalar(x any) ([]byte, error) {
	if text, ok := appendScalar(nil, x); ok {
		return text, nil
	}
	return json.Marshal(x)
}

// appendScalar appends the JSON of what x points to, if it is of one of the
// commonest types, or a pointer to one.
func appendScalar(to []byte, x any) ([]byte, bool) {
	switch x := x.(type) {
	case *int32:
		return appendInt(to, int64(*x)), true
	case *int64:
		return appendInt(to, *x), true
	case *int:
		return appendInt(to, int64(*x)), true
	case *bool:
		return strconv.AppendBool(to, *x), true
	case *string:
		return appendString(to, *x), true
	case **int32:
		if *x != nil {
			return appendInt(to, int64(**x)), true
		}
		return append(to, "null"...), true
	}
	return to, false
}
