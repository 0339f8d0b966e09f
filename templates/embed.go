// Package templates holds the text of generated code: a template for each
// construct, and the support package in the forms in which it is copied out,
// which hack/bundle makes of ./statuspatch.
package templates

import "embed"

// FS holds the templates, *.go.tmpl.
//
//go:embed *.go.tmpl
var FS embed.FS

// SupportCopied is the support package to be put into an API package, with
// prefixed identifiers and without a package clause.
//
//go:embed support_copied.go.txt
var SupportCopied []byte

// SupportPackage is the support package as a package of its own, without a
// package clause.
//
//go:embed support_package.go.txt
var SupportPackage []byte
