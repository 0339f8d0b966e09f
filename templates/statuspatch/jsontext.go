package statuspatch

import (
	"encoding/json"
	"strconv"
	"strings"
)

// appendString appends s as encoding/json writes it.
func appendString(to []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if !plain[s[i]] {
			raw, err := json.Marshal(s)
			if err != nil {
				return to // a string always encodes
			}
			return append(to, raw...)
		}
	}
	return append(append(append(to, '"'), s...), '"')
}

// plain are the characters that encoding/json writes as they are.
var plain = func() (is [256]bool) {
	for c := ' '; c <= '~'; c++ {
		is[c] = !strings.ContainsRune(`"\<>&`, c)
	}
	return is
}()

func appendInt(to []byte, n int64) []byte { return strconv.AppendInt(to, n, 10) }

// appendJSON appends what json.Marshal makes of what x points to, with a short
// way for the commonest types.
func appendJSON(to []byte, x any) ([]byte, error) {
	switch x := x.(type) {
	case *int32:
		return appendInt(to, int64(*x)), nil
	case *int64:
		return appendInt(to, *x), nil
	case *int:
		return appendInt(to, int64(*x)), nil
	case *bool:
		return strconv.AppendBool(to, *x), nil
	case *string:
		return appendString(to, *x), nil
	case **int32:
		if *x != nil {
			return appendInt(to, int64(**x)), nil
		}
	}
	raw, err := json.Marshal(x)
	return append(to, raw...), err
}
