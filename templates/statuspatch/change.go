package statuspatch

// operation is what a change does to its key.
type operation uint8

const (
	opObject     operation = iota // goes on below
	opSet                         // has a value
	opRemove                      // goes away
	opConditions                  // a list of conditions, edited entry by entry
	opAbsent                      // stays absent, which is tested for
)

// change is a node of the tree of what differs between base and wanted status.
type change struct {
	name string
	op   operation

	// want is the wanted value's JSON, for opSet and opConditions.
	want []byte
	// base is the base value's JSON, nil where it is absent. It is filled in
	// only where it will be tested for.
	base []byte
	// added says that the base has no such container.
	added bool
	// unsure says that it may have one all the same: a struct by value that is zero.
	unsure bool
	// unchanged says that the value is sent for its group or the schema alone.
	unchanged bool

	first, last *change // those below
	next        *change // the one behind it

	entries []entryChange
}

// append puts a change below c.
func (c *change) append(below *change) {
	if c.last == nil {
		c.first = below
	} else {
		c.last.next = below
	}
	c.last = below
}

// entryChange is the change of one condition in a list.
type entryChange struct {
	index      int    // in the base list; -1 for a new entry
	typeKey    string // the name of its type's field
	typ        string
	base, want []byte // want is nil where the entry goes away
	unchanged  bool   // it is sent for its group alone
}

// any reports whether something holds for c or a change below it.
func (c *change) any(holds func(*change) bool) bool {
	if holds(c) {
		return true
	}
	for b := c.first; b != nil; b = b.next {
		if b.any(holds) {
			return true
		}
	}
	return false
}

// holdsUnsure reports whether a container that may be there is added.
func (c *change) holdsUnsure() bool {
	return c.any(func(c *change) bool { return c.unsure })
}

// zeroStructs is what is taken for true of structs by value that are zero in the
// base, where a patch under LockObject must know. It is tried in this order.
type zeroStructs uint8

const (
	zeroIsAbsent   zeroStructs = iota // added, if they are absent
	zeroIsPresent                     // edited
	zeroIsReplaced                    // some are there and some are not: set
)

// testsNullEntry reports whether a base value has a null among the entries of a
// list. The API server panics where a JSON patch tests for such a value.
func (c *change) testsNullEntry() bool {
	return c.any(func(c *change) bool { return holdsNullEntry(c.base) })
}

// child is the change of a key, nil if there is none.
func (c *change) child(name string) *change {
	if c == nil {
		return nil
	}
	for b := c.first; b != nil; b = b.next {
		if b.name == name {
			return b
		}
	}
	return nil
}
