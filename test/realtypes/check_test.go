package realtypes_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checkSame compares what is stored with what is wanted.
func checkSame(t *testing.T, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
