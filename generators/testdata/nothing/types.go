// Package nothing opts in, and has no root type.
//
// +statuspatch=package
package nothing

// Foo is a struct.
type Foo struct {
	Name string `json:"name"`
}
