// Package statuspatch is the code that generated status patchers share: it
// compares two statuses field by field, turns the difference into one PATCH of
// the status subresource, and sends it until it lands or cannot.
//
// statuspatcher-gen copies this package, with its identifiers prefixed, into
// each package it generates into, or as it stands into one package of the
// user's module. It therefore imports only the standard library, apimachinery
// and controller-runtime, and keeps to Go 1.21.
//
// From the outside in:
//
//	closure.go, deferred.go   the two forms a caller sees
//	write.go, reread.go       one call: send, retry, take in the answer
//	visit*.go, presence.go    the visit of all fields: what differs, what is written of it
//	kinds*.go, same.go        the comparison of values, by kind
//	conditions*.go            lists of conditions
//	change.go, body*.go       what differs, as a merge patch or a JSON patch
package statuspatch
