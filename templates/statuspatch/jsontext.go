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
