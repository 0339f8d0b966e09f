package statuspatch

// FreezeList copies a list that others may edit in place, into the room of an
// old copy.
func FreezeList[L ~[]E, E any](old, x *L) {
	if len(*x) == 0 {
		*x = (*x)[:0:0] // not the others' room
		return
	}
	*x = append((*old)[:0], *x...)
}

// FreezePointer copies what others may edit behind a pointer, into the room of
// an old copy.
func FreezePointer[T any](old, x **T) {
	if *x == nil {
		return
	}
	room := *old
	if room == nil {
		room = new(T)
	}
	*room = **x
	*x = room
}
