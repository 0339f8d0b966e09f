//go:build race

package realtypes_test

// poolLosses are allocations more than usual: the race detector has pools forget a part
// of what they are given.
const poolLosses = 10
