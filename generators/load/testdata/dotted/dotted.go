// Package dotted is imported with a dot.
package dotted

// Dot is found through the dot.
type Dot struct {
	X int32 `json:"x"`
}
