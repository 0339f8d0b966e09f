package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// column is a column of a table: what it is called and how a row fills it, next to the
// row that it is compared with.
type column struct {
	title string
	cell  func(row, reference Row) string
}

var columns = []column{
	{"landed", func(r, _ Row) string { return fmt.Sprintf("%s of %.0f", count(r, Landed), r.Metrics[Updates].Median) }},
	{"lost", func(r, _ Row) string { return count(r, Lost) }},
	{"errors returned", func(r, _ Row) string { return count(r, Returned) }},
	{"wrong", wrong},
	{"reads + writes per update", func(r, _ Row) string {
		return fmt.Sprintf("%.2f + %.2f", r.Metrics[Reads].Median, r.Metrics[Writes].Median)
	}},
	{"bytes out / in per update", func(r, _ Row) string {
		return fmt.Sprintf("%.0f / %.0f", r.Metrics[Sent].Median, r.Metrics[Received].Median)
	}},
	{"client CPU µs per update", func(r, ref Row) string { return measured(r, ref, CPUMicroseconds, "%.0f") }},
	{"allocs per update", func(r, ref Row) string { return measured(r, ref, Allocs, "%.0f") }},
	{"p50 ms", func(r, ref Row) string { return measured(r, ref, MedianMilliseconds, "%.1f") }},
	{"p99 ms", func(r, ref Row) string { return measured(r, ref, SlowMilliseconds, "%.1f") }},
	{"wall ms", func(r, ref Row) string { return measured(r, ref, WallMilliseconds, "%.0f") }},
}

// count is a whole number, with its spread where the runs differ.
func count(r Row, metric string) string {
	s := r.Metrics[metric]
	if s.Min == s.Max {
		return fmt.Sprintf("%.0f", s.Median)
	}
	return fmt.Sprintf("%.0f (%.0f–%.0f)", s.Median, s.Min, s.Max)
}

// wrong says what is stored that should not be, in the worst of the runs.
func wrong(r, _ Row) string {
	var found []string
	if r.Metrics[Mixed].Max > 0 {
		found = append(found, "counters nobody computed")
	}
	if r.Metrics[Misplaced].Max > 0 {
		found = append(found, "written onto the new object")
	}
	if len(found) == 0 {
		return "no"
	}
	return strings.Join(found, ", ")
}

// measured is a median with its spread, and its ratio to the reference's.
func measured(r, reference Row, metric, format string) string {
	s := r.Metrics[metric]
	text := fmt.Sprintf(format+" ("+format+"–"+format+")", s.Median, s.Min, s.Max)
	if base := reference.Metrics[metric].Median; base > 0 && r.Writer != reference.Writer {
		text += fmt.Sprintf(" ×%.1f", s.Median/base)
	}
	return text
}

// cells are the texts of a table: a line of titles, and one for each row. Ratios are to
// the first row.
func cells(s Summary) [][]string {
	head := []string{"written with"}
	for _, c := range columns {
		head = append(head, c.title)
	}
	lines := [][]string{head}
	for _, r := range s.Rows {
		line := []string{r.Writer}
		for _, c := range columns {
			line = append(line, c.cell(r, s.Rows[0]))
		}
		lines = append(lines, line)
	}
	return lines
}

// Text prints the tables for a terminal.
func Text(out io.Writer, summaries []Summary) error {
	for _, s := range summaries {
		fmt.Fprintf(out, "\n%s: %s\n", s.Name, s.Title)
		t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, line := range cells(s) {
			fmt.Fprintln(t, strings.Join(line, "\t"))
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// Markdown is the tables for a document.
func Markdown(summaries []Summary) string {
	var b strings.Builder
	for _, s := range summaries {
		fmt.Fprintf(&b, "### %s: %s\n\n", s.Name, s.Title)
		for i, line := range cells(s) {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(line, " | "))
			if i == 0 {
				b.WriteString(strings.Repeat("|---", len(line)) + "|\n")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
