package model

import (
	"encoding/json"
	"reflect"
	"testing"
)

// validName says what encoding/json does with a name.
func TestValidName(t *testing.T) {
	for _, name := range []string{"a", "größe", "a/b", "a~b", "<a>&b", "a b", "a.b", "-x", "[x]", "1", `a"b`, `a\b`, "a'b", "a`b", "a€b"} {
		typ := reflect.StructOf([]reflect.StructField{{
			Name: "Field", Type: reflect.TypeOf(0), Tag: reflect.StructTag("json:" + quoteTag(name)),
		}})
		raw, err := json.Marshal(reflect.New(typ).Interface())
		if err != nil {
			t.Fatal(err)
		}
		taken := string(raw) != `{"Field":0}`
		if got := validName(name); got != taken {
			t.Errorf("validName(%q) = %v, but encoding/json writes %s", name, got, raw)
		}
	}
}

func quoteTag(name string) string {
	raw, err := json.Marshal(name)
	if err != nil {
		return `""`
	}
	return string(raw)
}
