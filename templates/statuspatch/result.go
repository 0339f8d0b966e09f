package statuspatch

// Result says what a call did.
type Result struct {
	// Changed is whether a new resourceVersion was stored.
	Changed bool
	// Attempts is the number of PATCHes sent.
	Attempts int
	// ResourceVersion is the one stored; without a write that of the base.
	ResourceVersion string
	// Transitioned are the types of the conditions that appeared, vanished or
	// changed status by the write that landed, each once, in the list's order.
	Transitioned []string
}
