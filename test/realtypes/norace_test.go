//go:build !race

package realtypes_test

const poolLosses = 0
