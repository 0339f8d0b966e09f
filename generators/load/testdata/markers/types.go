// Package markers has comments in many places.
//
// +package=doc
package markers

// +package=loose

// +package=before-import
import "fmt"

// +type=A-loose

// A is a type.
// +type=A-doc
//   +type=A-indented
/* +none */
type A struct { // +none
	// +field=X-loose

	// X is a field.
	// +field=X-doc
	X int // +none
	Y int // +none

	// +field=Z-loose

	Z int
	// +none
}

// +package=after-A

// +type=B-loose
//
// with text in between

type B int

type (
	// +type=C-doc
	C int // +none

	// +type=D-loose

	// D is the last of a group.
	D string
)

// +none
func f() {
	// +none
	fmt.Println()
}

// +package=end
