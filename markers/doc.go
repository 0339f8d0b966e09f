// Package markers defines the +statuspatch markers: comments by which the
// author of an API type says how its status is patched.
//
// The definitions are controller-tools ones, so that other tools built on it
// can register them too. [Parse] is what the generator itself uses: it reports
// one error for one mistake, with its place in the comment.
package markers
