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
	switch x := x.(type) {
	case *int32:
		return appendInt(nil, int64(*x)), nil
	case *int64:
		return appendInt(nil, *x), nil
	case *int:
		return appendInt(nil, int64(*x)), nil
	case *bool:
		return strconv.AppendBool(nil, *x), nil
	case *string:
		return appendString(make([]byte, 0, len(*x)+2), *x), nil
	}
	return json.Marshal(x)
}
