// Package realtypes gives types of Kubernetes and Cluster API status patchers, by aliases
// that carry the markers. It is the proof on types that nobody made for this generator.
package realtypes
