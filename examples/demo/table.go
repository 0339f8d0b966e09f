package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// row is what one way made of one story.
type row struct {
	story, way     string
	wanted, stored string
	lost           int // updates reported as done that the server does not have
	conflicts      int // returned to the caller
	requests       int
}

// printTable prints the rows, each story named once.
func printTable(out io.Writer, rows []row) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nSTORY\tWRITTEN WITH\tWANTED\tSTORED\tUPDATES LOST\tCONFLICTS RETURNED\tREQUESTS")
	for i, r := range rows {
		story := r.story
		if i > 0 && rows[i-1].story == story {
			story = ""
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%d\t%d\n", story, r.way, r.wanted, r.stored, r.lost, r.conflicts, r.requests)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, `
Counters are replicas/readyReplicas of a MachinePool. In the first story the server
holds 3/2 while the cache shows 3/3 for %s more: 4/2 is what nobody computed. In the
second, %d writers count up %d times each. A conflict that is returned is not an
update lost: the reconciler has to run again for it.
`, behind, writers, updatesEach)
	return err
}
