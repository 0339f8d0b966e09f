package statuspatch

// leafKind is the kind of values that are sent whole: R knows how they compare.
type leafKind[T any, R leafRules[T]] struct{ rules R }

// leafRules is what sets one kind of whole values apart. See kind for the methods.
type leafRules[T any] interface {
	zero(x *T) bool
	empty(x *T) bool
	isNull(x *T) bool
	nilAs() presence
	identical(a, b *T) bool
	equal(v *Visitor, a, b *T) bool
	encode(to []byte, x *T) ([]byte, error)
	rebase(v *Visitor, base, want, live *T) bool
}

// leafDefaults are the answers that most kinds share.
type leafDefaults[T any] struct{}

func (leafDefaults[T]) nilAs() presence                         { return absent }
func (leafDefaults[T]) rebase(_ *Visitor, _, _, _ *T) bool      { return false }
func (leafDefaults[T]) empty(*T) bool                           { return false }
func (leafDefaults[T]) isNull(*T) bool                          { return false }
func (k leafKind[T, R]) zero(_ *Visitor, x *T) bool             { return k.rules.zero(x) }
func (k leafKind[T, R]) empty(x *T) bool                        { return k.rules.empty(x) }
func (k leafKind[T, R]) isNull(x *T) bool                       { return k.rules.isNull(x) }
func (k leafKind[T, R]) nilAs() presence                        { return k.rules.nilAs() }
func (k leafKind[T, R]) identical(a, b *T) bool                 { return k.rules.identical(a, b) }
func (k leafKind[T, R]) equal(v *Visitor, a, b *T) bool         { return k.rules.equal(v, a, b) }
func (k leafKind[T, R]) encode(to []byte, x *T) ([]byte, error) { return k.rules.encode(to, x) }
func (k leafKind[T, R]) add(v *Visitor, want *T)                { k.set(v, want, nil, false) }
func (k leafKind[T, R]) clear(*Visitor, *T) bool                { return false }
func (k leafKind[T, R]) lose(*Visitor, *T)                      {}
func (k leafKind[T, R]) composite() bool                        { return false }

func (k leafKind[T, R]) diff(v *Visitor, base, want *T, _ bool) {
	same := k.rules.equal(v, base, want)
	if same && !v.inForced() && !(v.requiredZeros && v.field.has(Required) && k.rules.zero(want)) {
		return
	}
	v.markIf(!same)
	k.set(v, want, baseJSON(v, base, k), same)
}

func (k leafKind[T, R]) set(v *Visitor, want *T, base []byte, unchanged bool) {
	v.setWhole(&v.field, written(v, want, k), base, unchanged)
}

func (k leafKind[T, R]) rebase(v *Visitor, base, want, live *T) {
	if !rebaseWhole(v, k, base, want, live) && !k.rules.rebase(v, base, want, live) {
		v.bothChanged()
	}
}
