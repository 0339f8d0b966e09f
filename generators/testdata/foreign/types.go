// Package foreign has an exported type with an unexported one inside.
package foreign

// Holder holds it.
type Holder struct {
	Inner inner `json:"inner,omitempty"`
}

type inner struct {
	X int32 `json:"x,omitempty"`
}
