package report

import (
	"fmt"
	"image/color"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

const (
	width, height = 8 * vg.Inch, 5 * vg.Inch
	barWidth      = vg.Length(9)
)

// Draw draws the pictures of the document.
func Draw(dir string, summaries []Summary) error {
	contention := byWriters(summaries)
	if err := lines(filepath.Join(dir, "lost-updates.svg"), "Updates lost, of those by all writers together", "updates lost", contention, Lost); err != nil {
		return err
	}
	if err := lines(filepath.Join(dir, "requests-per-update.svg"), "Requests for an update that landed", "requests", contention, RequestsPerLanded); err != nil {
		return err
	}
	return bars(filepath.Join(dir, "client-cpu.svg"), "Client CPU for an update", "µs", named(summaries, "no-op", "one-field", "one-condition", "ten-fields"), CPUMicroseconds)
}

// contended is a scenario of several writers.
type contended struct {
	writers int
	Summary
}

// byWriters are the scenarios in which writers count one counter up.
func byWriters(summaries []Summary) []contended {
	var found []contended
	for _, s := range summaries {
		var n int
		if _, err := fmt.Sscanf(s.Name, "counter-%d", &n); err == nil {
			found = append(found, contended{n, s})
		}
	}
	return found
}

// named are the scenarios with these names, in their order.
func named(summaries []Summary, names ...string) []Summary {
	var found []Summary
	for _, name := range names {
		for _, s := range summaries {
			if s.Name == name {
				found = append(found, s)
			}
		}
	}
	return found
}

// lines draws a metric over the number of writers.
func lines(path, title, unit string, scenarios []contended, metric string) error {
	if len(scenarios) == 0 {
		return fmt.Errorf("%s: no scenario has several writers of a counter", path)
	}
	p := newPlot(title, unit)
	p.X.Label.Text = "writers"
	for i, r := range scenarios[0].Rows {
		var points plotter.XYs
		for _, s := range scenarios {
			row, ok := s.row(r.Writer)
			if !ok {
				return fmt.Errorf("%s: %s has no row of %s", path, s.Name, r.Writer)
			}
			points = append(points, plotter.XY{X: float64(s.writers), Y: row.Metrics[metric].Median})
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		line.Color, line.Width, line.Dashes = colour(i), vg.Points(1.5), plotutil.Dashes(i)
		dots.Color, dots.Shape = colour(i), plotutil.Shape(i)
		p.Add(line, dots)
		p.Legend.Add(r.Writer, line, dots)
	}
	p.Legend.Left = true
	return p.Save(width, height, path)
}

// bars draws a metric of several scenarios, a bar for each writer.
func bars(path, title, unit string, scenarios []Summary, metric string) error {
	if len(scenarios) == 0 {
		return fmt.Errorf("%s: none of its scenarios was run", path)
	}
	p := newPlot(title, unit)
	rows := scenarios[0].Rows
	for i, r := range rows {
		var values plotter.Values
		for _, s := range scenarios {
			row, ok := s.row(r.Writer)
			if !ok {
				return fmt.Errorf("%s: %s has no row of %s", path, s.Name, r.Writer)
			}
			values = append(values, row.Metrics[metric].Median)
		}
		bar, err := plotter.NewBarChart(values, barWidth)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		bar.Color, bar.LineStyle.Width = colour(i), 0
		bar.Offset = barWidth * vg.Length(float64(i)-float64(len(rows)-1)/2)
		p.Add(bar)
		p.Legend.Add(r.Writer, bar)
	}
	var names []string
	for _, s := range scenarios {
		names = append(names, s.Name)
	}
	p.NominalX(names...)
	p.Legend.Left = true
	return p.Save(width, height, path)
}

func newPlot(title, unit string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.Y.Label.Text = unit
	p.Y.Min = 0
	p.Legend.Top = true
	p.BackgroundColor = color.White
	p.Add(plotter.NewGrid())
	return p
}

func colour(i int) color.Color { return plotutil.Color(i) }
