package v1

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Version is comparable and writes itself as a string.
//
// +kubebuilder:validation:Type=string
type Version struct {
	Major int `json:"-"`
	Minor int `json:"-"`
}

// MarshalJSON writes the version with a dot.
func (v Version) MarshalJSON() ([]byte, error) {
	return json.Marshal(fmt.Sprintf("%d.%d", v.Major, v.Minor))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Version) UnmarshalJSON(raw []byte) error {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	if s == "" {
		*v = Version{}
		return nil
	}
	_, err := fmt.Sscanf(s, "%d.%d", &v.Major, &v.Minor)
	return err
}

// Point is comparable and writes itself as an object, of different keys.
//
// +kubebuilder:validation:Type=object
// +kubebuilder:pruning:PreserveUnknownFields
type Point struct {
	X int `json:"-"`
	Y int `json:"-"`
}

// MarshalJSON leaves zeros out.
func (p Point) MarshalJSON() ([]byte, error) {
	m := map[string]int{}
	if p.X != 0 {
		m["x"] = p.X
	}
	if p.Y != 0 {
		m["y"] = p.Y
	}
	return json.Marshal(m)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Point) UnmarshalJSON(raw []byte) error {
	var m map[string]int
	if err := json.Unmarshal(raw, &m); err != nil {
		return err
	}
	*p = Point{m["x"], m["y"]}
	return nil
}

// Tags is not comparable and writes itself as a string.
//
// +kubebuilder:validation:Type=string
type Tags struct {
	list []string
}

// NewTags makes tags of names without commas.
func NewTags(names ...string) Tags { return Tags{names} }

// MarshalJSON joins the tags.
func (t Tags) MarshalJSON() ([]byte, error) { return json.Marshal(strings.Join(t.list, ",")) }

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Tags) UnmarshalJSON(raw []byte) error {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	t.list = nil
	if s != "" {
		t.list = strings.Split(s, ",")
	}
	return nil
}

// Token writes itself as text.
//
// +kubebuilder:validation:Type=string
type Token struct {
	value int
}

// NewToken makes a token.
func NewToken(value int) Token { return Token{value} }

// MarshalText writes the token.
func (t Token) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "<%d>", t.value), nil }

// UnmarshalText reads what MarshalText writes.
func (t *Token) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "<%d>", &t.value)
	return err
}
