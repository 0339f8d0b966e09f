// Package report turns results into tables, files and pictures.
package report

import (
	"slices"

	"github.com/statuspatch/statuspatcher-gen/test/peers/scenario"
)

// Spread is what several runs measured.
type Spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// spreadOf is the spread of values, of which there is one at least.
func spreadOf(values []float64) Spread {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	median := sorted[middle]
	if len(sorted)%2 == 0 {
		median = (sorted[middle-1] + sorted[middle]) / 2
	}
	return Spread{Median: median, Min: sorted[0], Max: sorted[len(sorted)-1]}
}

// Row is a writer in a scenario, over all runs.
type Row struct {
	Writer  string            `json:"writer"`
	Metrics map[string]Spread `json:"metrics"`
	Runs    []scenario.Result `json:"runs"`
}

// Summary is a scenario, with a row for each writer.
type Summary struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Rows  []Row  `json:"rows"`
}

// row is the row of a writer; ok is false if it has none.
func (s Summary) row(writer string) (Row, bool) {
	for _, r := range s.Rows {
		if r.Writer == writer {
			return r, true
		}
	}
	return Row{}, false
}

// The metrics of a row. Those that are "per update" are divided by the updates that
// were asked for, those "per landed update" by the ones that the server has.
const (
	Updates            = "updates"
	Landed             = "landed"
	Lost               = "lost"
	Returned           = "errors returned"
	Mixed              = "mixed"
	Misplaced          = "misplaced"
	Reads              = "reads per update"
	Writes             = "writes per update"
	RequestsPerLanded  = "requests per landed update"
	Sent               = "bytes sent per update"
	Received           = "bytes received per update"
	WallMilliseconds   = "wall ms"
	CPUMicroseconds    = "CPU us per update"
	Allocs             = "allocs per update"
	AllocKilobytes     = "allocated KB per update"
	MedianMilliseconds = "p50 ms"
	SlowMilliseconds   = "p99 ms"
)

const (
	microsecond = 1e3
	millisecond = 1e6
	kilobyte    = 1e3
)

// metricsOf are all metrics of one result.
func metricsOf(r scenario.Result) map[string]float64 {
	updates := float64(max(r.Updates, 1))
	perLanded := 0.0
	if r.Landed > 0 {
		perLanded = float64(r.Total()) / float64(r.Landed)
	}
	return map[string]float64{
		Updates: float64(r.Updates), Landed: float64(r.Landed), Lost: float64(r.Lost),
		Returned: float64(r.Returned), Mixed: float64(r.Mixed), Misplaced: float64(r.Misplaced),
		Reads: float64(r.Total()-r.Writes()) / updates, Writes: float64(r.Writes()) / updates,
		RequestsPerLanded: perLanded,
		Sent:              float64(r.Sent) / updates, Received: float64(r.Received) / updates,
		WallMilliseconds: float64(r.Wall) / millisecond, CPUMicroseconds: float64(r.CPU) / microsecond / updates,
		Allocs: float64(r.Allocs) / updates, AllocKilobytes: float64(r.AllocBytes) / kilobyte / updates,
		MedianMilliseconds: float64(r.P50) / millisecond, SlowMilliseconds: float64(r.P99) / millisecond,
	}
}

// NewRow summarises the runs of a writer.
func NewRow(writer string, runs []scenario.Result) Row {
	values := map[string][]float64{}
	for _, run := range runs {
		for name, value := range metricsOf(run) {
			values[name] = append(values[name], value)
		}
	}
	row := Row{Writer: writer, Metrics: map[string]Spread{}, Runs: runs}
	for name, all := range values {
		row.Metrics[name] = spreadOf(all)
	}
	return row
}
