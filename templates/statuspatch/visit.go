package statuspatch

// Values are the statuses, or the structs within them, that one visit looks at
// side by side. None is nil; Live is of use where a visit rebases.
type Values[S any] struct {
	Base, Want, Live *S
}

// pair are the values of a visit that does not rebase.
func pair[S any](base, want *S) Values[S] { return Values[S]{Base: base, Want: want, Live: want} }

// mode is what a visit does at each field.
type mode uint8

const (
	modeDiff   mode = iota // record what differs between Base and Want
	modeEqual              // see whether Base and Want have the same JSON
	modeZero               // see whether Want is zero
	modeRebase             // carry what differs between Base and Want over to Live
	modeEncode             // write Want's JSON
	modeDone               // nothing: the answer is known
)

// Visitor goes through the fields of a status. Generated functions call it
// with one line for each field.
type Visitor struct {
	mode mode
	err  error

	// modeEqual and modeZero: the answer, and the first field that gave it.
	differs  bool
	where    string
	identity bool // values behind the same pointer need no look

	// modeDiff
	field         fieldInfo   // the field that is being visited
	containers    []container // the containers that it is in, the innermost last
	root          *change     // what was recorded of the outermost, where that is a tree
	merging       bool        // what is recorded is written as a merge patch
	bodyFrom      int         // where in memory.body its status begins
	nulls         bool        // a value has nulls, which a merge patch drops
	nilEntries    bool        // a base value that is tested for has nils among the entries of a list
	memory        memory
	member        *memberNode // the same container in the tree of members
	inside        *memberNode // the member that is being visited, nil outside
	changed       groupSet    // groups of which a member changed
	forced        groupSet    // groups to be sent whole
	flipped       []string    // types of conditions whose status changed
	adding        bool        // the container is absent in the base
	tests         bool        // base values are needed
	keepUnknown   bool        // maps are cleared key by key
	requiredZeros bool        // required fields are sent although they are zero
	zeroStructs   zeroStructs // what is taken for true of structs that are zero in the base
	unsure        bool        // the next container may be there
	fromZero      bool        // the next container is a struct by value that was zero

	// modeRebase: where the visit is, and what both sides changed.
	path      []string
	conflicts []string

	// modeEncode: what was written.
	text []byte

	// For conditions.
	generation int64
	clock      *clock
}

// begin makes the visitor ready for a visit in a mode that only looks.
func (v *Visitor) begin(m mode) {
	v.mode, v.err = m, nil
	v.differs, v.where, v.identity = false, "", false
}

func (v *Visitor) fail(err error) {
	if v.err == nil && err != nil {
		v.err = err
	}
}

// Flags say how a field's zero, nil and empty values are written.
type Flags uint8

const (
	// OmitEmpty and OmitZero are the options of the field's json tag.
	OmitEmpty Flags = 1 << iota
	OmitZero
	// Quoted is the json tag's option "string".
	Quoted
	// Required is whether the schema asks for the field.
	Required
	// Nullable is whether the schema lets null be stored.
	Nullable
)

// fieldInfo is what the schema knows of a field.
type fieldInfo struct {
	name       string
	flags      Flags
	hasDefault bool
	defaultTo  string // JSON
}

func (f *fieldInfo) has(flag Flags) bool { return f.flags&flag != 0 }

// kind knows one kind of value: how it compares, and how a difference is
// written. Its methods take the values by pointer; none is nil.
type kind[T any] interface {
	// zero reports whether x is Go's zero value, empty whether encoding/json
	// takes it for empty, and isNull whether it encodes as null.
	zero(v *Visitor, x *T) bool
	empty(x *T) bool
	isNull(x *T) bool
	// nilAs is how the server is told of a nil in a required field that is not nullable.
	nilAs() presence
	// identical reports whether a look at a and b shows that they have the same
	// JSON; false means nothing.
	identical(a, b *T) bool
	// equal reports whether a and b have the same JSON, neither being left out.
	equal(v *Visitor, a, b *T) bool
	// encode appends the value's JSON, as the server is to store it: without the
	// nulls that it drops, with the zeros that it misses or has a default for.
	encode(to []byte, x *T) ([]byte, error)
	// diff and add work on the field v.field. diff records what differs; sure says that the base value is certainly stored.
	diff(v *Visitor, base, want *T, sure bool)
	// add records the whole of want, which the base lacks.
	add(v *Visitor, want *T)
	// clear records the removal of base key by key, if it has keys that others may write.
	clear(v *Visitor, base *T) bool
	// lose tells the visitor which members and conditions go away with base.
	lose(v *Visitor, base *T)
	// rebase sets in live what differs between base and want.
	rebase(v *Visitor, base, want, live *T)
	// composite reports whether values merge key by key rather than whole.
	composite() bool
}

// Field visits one field of a struct, by its address on each side; k knows its
// kind of value.
func Field[T any, K kind[T]](v *Visitor, name string, flags Flags, base, want, live *T, k K) {
	if v.mode == modeDone {
		return
	}
	if v.mode != modeDiff {
		visitField(v, &fieldInfo{name: name, flags: flags}, base, want, live, k)
		return
	}
	member := v.member.child(name)
	if v.skips(member) && k.identical(base, want) {
		return
	}
	v.field = fieldInfo{name: name, flags: flags}
	diffField(v, member, base, want, k)
}

// DefaultedField is Field for one that the server gives a default, which is
// JSON.
func DefaultedField[T any, K kind[T]](v *Visitor, name string, flags Flags, defaultTo string, base, want, live *T, k K) {
	f := fieldInfo{name: name, flags: flags, hasDefault: true, defaultTo: defaultTo}
	if v.mode != modeDiff {
		visitField(v, &f, base, want, live, k)
		return
	}
	member := v.member.child(name)
	if v.skips(member) && k.identical(base, want) {
		return
	}
	v.field = f
	diffField(v, member, base, want, k)
}

func visitField[T any, K kind[T]](v *Visitor, f *fieldInfo, base, want, live *T, k K) {
	switch v.mode {
	case modeEqual:
		if !k.identical(base, want) && !sameJSON(v, f, base, want, k) {
			v.differs, v.mode = true, modeDone
			v.where = joinPath(f.name, v.where)
		}
	case modeZero:
		if !omitted(v, f, want, k) && !k.zero(v, want) {
			v.differs, v.mode = true, modeDone
		}
	case modeRebase:
		rebaseField(v, f, base, want, live, k)
	case modeEncode:
		encodeField(v, f, want, k)
	}
}

func joinPath(name, below string) string {
	if below == "" {
		return name
	}
	return name + "." + below
}
