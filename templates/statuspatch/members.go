package statuspatch

// Group is an atomic group of a status S: if one member changes, all are sent.
type Group[S any] struct {
	// Setter and Mark are the names of the methods that write the group.
	Setter, Mark string
	// Members are the JSON paths of the members below status. A condition is
	// its list's path and its type in brackets.
	Members [][]string
	// Passive is the number of members, from the end, that never make the group
	// go out: observedGeneration, which is filled in.
	Passive int
	// Values writes down what the other members are in a status.
	Values func(to *MemberValues, s *S)
}

// MemberValues are the values of a group's members, written down: where the
// text is the same, so are the members.
type MemberValues struct{ text []byte }

// Add writes down a member that is a plain value, or points to one; x is its address.
func (m *MemberValues) Add(x any) { m.end(appendJSON(m.text, x)) }

// AddMember writes down a member of the kind k as it is stored: nil lists and
// maps are as empty ones.
func AddMember[T any, K kind[T]](m *MemberValues, x *T, k K) { m.end(k.encode(m.text, x)) }

// AddCondition writes down a member that is a condition in a list.
func AddCondition[L ~[]C, C any](m *MemberValues, list L, t *ConditionType[C], conditionType string) {
	for i := range list {
		if t.typeOf(&list[i]) == conditionType {
			m.end(t.appendList(m.text, list[i:i+1]))
		}
	}
	m.text = append(m.text, ';')
}

// OrZero is parent, or where it is nil a zero one, whose members are zero.
func OrZero[S any](parent *S) *S {
	if parent == nil {
		return new(S)
	}
	return parent
}

func (m *MemberValues) end(text []byte, err error) {
	if err != nil {
		text = append(text, err.Error()...) // the diff will report it
	}
	m.text = append(text, ',')
}

// groupSet is a set of groups by index; nil is empty.
type groupSet []bool

func (g groupSet) has(i int) bool { return i >= 0 && i < len(g) && g[i] }

func (g groupSet) any() bool {
	for _, in := range g {
		if in {
			return true
		}
	}
	return false
}

// memberNode is a node of the tree of all groups' members: a key, and either
// the group that the key is a member of, or the keys below.
type memberNode struct {
	name    string
	group   int // -1 above members
	passive bool
	below   []*memberNode
	lengths uint64 // of the names below, as a set: most other names are not as long
}

func newMemberTree[S any](groups []Group[S]) *memberNode {
	if len(groups) == 0 {
		return nil
	}
	root := &memberNode{group: -1}
	for i, g := range groups {
		for j, path := range g.Members {
			root.add(path, i, j >= len(g.Members)-g.Passive)
		}
	}
	return root
}

func (n *memberNode) add(path []string, group int, passive bool) {
	for _, name := range path {
		next := n.child(name)
		if next == nil {
			next = &memberNode{name: name, group: -1}
			n.below = append(n.below, next)
			n.lengths |= lengthOf(name)
		}
		n = next
	}
	n.group, n.passive = group, passive
}

// child is the node of a key, nil where no member is at or below it.
func (n *memberNode) child(name string) *memberNode {
	if n == nil || n.lengths&lengthOf(name) == 0 {
		return nil
	}
	for _, c := range n.below {
		if c.name == name {
			return c
		}
	}
	return nil
}

func lengthOf(name string) uint64 { return 1 << (len(name) % 64) }

// condition is the node of a condition in the list at n.
func (n *memberNode) condition(conditionType string) *memberNode {
	if n == nil || len(n.below) == 0 {
		return nil
	}
	for _, c := range n.below {
		if len(c.name) == len(conditionType)+2 && c.name[1:len(c.name)-1] == conditionType {
			return c
		}
	}
	return nil
}

// holds reports whether a member of one of the groups is at or below n.
func (n *memberNode) holds(groups groupSet) bool {
	if n == nil || !groups.any() {
		return false
	}
	if groups.has(n.group) {
		return true
	}
	for _, c := range n.below {
		if c.holds(groups) {
			return true
		}
	}
	return false
}

func (n *memberNode) isMember() bool { return n != nil && n.group >= 0 }
