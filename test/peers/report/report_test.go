package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/statuspatch/statuspatcher-gen/test/peers/measure"
	"github.com/statuspatch/statuspatcher-gen/test/peers/scenario"
)

// threeRuns are results of which the second is the median.
func threeRuns(factor int) []scenario.Result {
	var runs []scenario.Result
	for _, n := range []int{3, 1, 2} {
		n *= factor
		runs = append(runs, scenario.Result{
			Updates: 10, Landed: 8, Lost: n,
			Traffic: measure.Traffic{Requests: map[string]int{"GET 200": 10, "PATCH 200": 8, "PATCH 409": 2}, Sent: 100, Received: 1000},
			Cost:    measure.Cost{CPU: 1e4, Allocs: uint64(100 * n)},
		})
	}
	return runs
}

func summaries() []Summary {
	return []Summary{
		{Name: "counter-02", Title: "two", Rows: []Row{NewRow("a", threeRuns(1)), NewRow("b", threeRuns(2))}},
		{Name: "counter-08", Title: "eight", Rows: []Row{NewRow("a", threeRuns(1)), NewRow("b", threeRuns(3))}},
		{Name: "no-op", Title: "none", Rows: []Row{NewRow("a", threeRuns(1)), NewRow("b", threeRuns(2))}},
	}
}

func TestNewRow(t *testing.T) {
	m := NewRow("a", threeRuns(1)).Metrics
	want := map[string]Spread{
		Lost: {2, 1, 3}, Landed: {8, 8, 8}, Reads: {1, 1, 1}, Writes: {1, 1, 1}, RequestsPerLanded: {2.5, 2.5, 2.5},
		Sent: {10, 10, 10}, Received: {100, 100, 100}, CPUMicroseconds: {1, 1, 1}, Allocs: {20, 10, 30},
	}
	for name, w := range want {
		if m[name] != w {
			t.Errorf("%s: %v, want %v", name, m[name], w)
		}
	}
	if got := spreadOf([]float64{4, 1, 3, 2}); got != (Spread{2.5, 1, 4}) {
		t.Errorf("spread of four values: %v", got)
	}
}

func TestTables(t *testing.T) {
	text := Markdown(summaries()[:1])
	for _, want := range []string{
		"### counter-02: two\n",
		"| a | 8 of 10 | 2 (1–3) | 0 | no | 1.00 + 1.00 | 10 / 100 | 1 (1–1) | 20 (10–30) |",
		"| b | 8 of 10 | 4 (2–6) | 0 | no | 1.00 + 1.00 | 10 / 100 | 1 (1–1) ×1.0 | 40 (20–60) ×2.0 |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant in it\n%s", text, want)
		}
	}
	var out strings.Builder
	if err := Text(&out, summaries()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "counter-08: eight") {
		t.Errorf("got\n%s\nwant all scenarios", out.String())
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	if err := WriteJSON(dir, summaries()); err != nil {
		t.Fatal(err)
	}
	got, err := ReadJSON(dir, []string{"counter-02", "counter-08", "no-op"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(summaries(), got, cmpopts.IgnoreUnexported(scenario.Result{})); diff != "" {
		t.Errorf("-written +read:\n%s", diff)
	}
	if err := Draw(dir, got); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lost-updates.svg", "requests-per-update.svg", "client-cpu.svg"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "<svg") || !strings.Contains(string(text), "</svg>") {
			t.Errorf("%s is no SVG", name)
		}
	}
	if err := Draw(dir, got[2:]); err == nil {
		t.Error("no error although there is no scenario of several writers")
	}
}

func TestInsert(t *testing.T) {
	path := filepath.Join(t.TempDir(), "doc.md")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("before\n" + begin + "old\n" + end + "after\n")
	if err := Insert(path, "new\n"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := "before\n" + begin + "\nnew\n" + end + "after\n"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	write("no marks\n")
	if err := Insert(path, "new\n"); err == nil {
		t.Error("no error although the marks are missing")
	}
}
