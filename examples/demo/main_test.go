package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.Main(m, "../config/crd")) }

// What the demo is there to show, and what README says of it.
func TestReplay(t *testing.T) {
	env := testenv.Require(t)
	rows, err := replay(t.Context(), env, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(stories)*len(ways) {
		t.Fatalf("%d rows, want one for each story and way: %+v", len(rows), rows)
	}
	for _, r := range rows {
		switch r.way {
		case "generated patcher":
			if r.stored != r.wanted || r.lost != 0 || r.conflicts != 0 {
				t.Errorf("%+v: want stored as wanted, nothing lost and no conflict returned", r)
			}
		case "plain MergeFrom patch":
			if r.story == "stale cache" && r.stored != "4/2" {
				t.Errorf("%+v: want the half-written 4/2", r)
			}
			if r.lost == 0 {
				t.Errorf("%+v: want lost updates", r)
			}
		case "get, mutate, locked patch":
			if r.lost != 0 {
				t.Errorf("%+v: want nothing lost", r)
			}
			if r.story == "stale cache" && (r.conflicts != 1 || r.stored != "3/2") {
				t.Errorf("%+v: want the conflict returned and the server's 3/2 left alone", r)
			}
		}
	}
}

func TestPrintTable(t *testing.T) {
	var out strings.Builder
	if err := printTable(&out, []row{
		{story: "one", way: "a", wanted: "4/3", stored: "4/2", lost: 1, requests: 2},
		{story: "one", way: "b", wanted: "4/3", stored: "4/3", requests: 3},
		{story: "two", way: "a", wanted: "8/8", stored: "8/8", conflicts: 3, requests: 11},
	}); err != nil {
		t.Fatal(err)
	}
	const want = `
STORY  WRITTEN WITH  WANTED  STORED  UPDATES LOST  CONFLICTS RETURNED  REQUESTS
one    a             4/3     4/2     1             0                   2
       b             4/3     4/3     0             0                   3
two    a             8/8     8/8     0             3                   11

`
	if got := out.String(); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant it to begin with\n%s", got, want)
	}
}
