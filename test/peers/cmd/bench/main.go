// Bench lets the generated patcher and what people use today do the same work on one API
// server, and writes what that took: tables, files and pictures.
//
// `make bench` runs it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/statuspatch/statuspatcher-gen/test/peers/report"
	"github.com/statuspatch/statuspatcher-gen/test/peers/scenario"
	"github.com/statuspatch/statuspatcher-gen/test/peers/writers"
	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

// options are the flags.
type options struct {
	runs  int
	only  string
	docs  string
	crds  string
	quick bool
	each  int
	by    string
	draw  bool
}

func main() {
	var o options
	flag.IntVar(&o.runs, "runs", 5, "how often each scenario is run")
	flag.StringVar(&o.only, "only", "", "`names` of the scenarios to run, separated by commas; then no document is written")
	flag.StringVar(&o.docs, "docs", "../../docs", "`folder` of the documents")
	flag.StringVar(&o.crds, "crds", "../realtypes/config/crd", "`folder` with the CRDs of Cluster API")
	flag.BoolVar(&o.quick, "quick", false, "run at the small scale of the tests; then no document is written")
	flag.IntVar(&o.each, "each", 0, "`number` of updates of each of several writers, instead of the default; then no document is written")
	flag.StringVar(&o.by, "by", "", "`names` of the writers, separated by semicolons, instead of all; then no document is written")
	flag.BoolVar(&o.draw, "draw", false, "measure nothing: write tables and pictures anew from the files of the last time")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(1)
	}
}

// run runs the scenarios and writes the reports.
func run(ctx context.Context, o options, stdout, progress io.Writer) (err error) {
	if o.runs < 1 {
		return fmt.Errorf("-runs %d: at least one is needed", o.runs)
	}
	scenarios, err := chosen(o)
	if err != nil {
		return err
	}
	if o.draw {
		return drawAgain(o.docs, scenarios)
	}
	log.SetLogger(logr.Discard()) // else controller-runtime complains that none was set
	env, err := testenv.Start(o.crds)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, env.Stop()) }()
	world, err := scenario.NewWorld(ctx, env)
	if err != nil {
		return err
	}
	ways, err := chosenWriters(o.by)
	if err != nil {
		return err
	}
	summaries, err := measure(ctx, world, scenarios, ways, o.runs, progress)
	if err != nil {
		return err
	}
	if err := report.Text(stdout, summaries); err != nil {
		return err
	}
	if o.only != "" || o.by != "" || o.each != 0 || o.quick {
		return nil
	}
	return document(o.docs, summaries)
}

// chosen are the scenarios that the flags ask for.
func chosen(o options) ([]scenario.Scenario, error) {
	scale := scenario.Full
	if o.quick {
		scale = scenario.Quick
	}
	if o.each > 0 {
		scale.Each, scale.EachCondition = o.each, o.each
	}
	all := scenario.All(scale)
	if o.only == "" {
		return all, nil
	}
	var found []scenario.Scenario
	for name := range strings.SplitSeq(o.only, ",") {
		i := slices.IndexFunc(all, func(s scenario.Scenario) bool { return s.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("-only %s: there is no scenario %q; there are %s", o.only, name, names(all))
		}
		found = append(found, all[i])
	}
	return found, nil
}

// chosenWriters are the writers that the flag asks for.
func chosenWriters(by string) ([]writers.Writer, error) {
	if by == "" {
		return writers.All(), nil
	}
	var found []writers.Writer
	for name := range strings.SplitSeq(by, ";") {
		w, ok := writers.Named(name)
		if !ok {
			return nil, fmt.Errorf("-by %s: there is no writer %q; see the tables for their names", by, name)
		}
		found = append(found, w)
	}
	return found, nil
}

func names(all []scenario.Scenario) string {
	var found []string
	for _, s := range all {
		found = append(found, s.Name)
	}
	return strings.Join(found, ", ")
}

// measure runs each scenario so often, the writers in turn, so that what else the
// machine does meanwhile falls on all of them alike.
func measure(ctx context.Context, w *scenario.World, scenarios []scenario.Scenario, all []writers.Writer, runs int, progress io.Writer) ([]report.Summary, error) {
	var summaries []report.Summary
	for _, s := range scenarios {
		start := time.Now()
		results := make([][]scenario.Result, len(all))
		for range runs {
			for i, by := range all {
				r, err := s.Run(ctx, w, by)
				if err != nil {
					return nil, fmt.Errorf("%s, %s: %w", s.Name, by.Name, err)
				}
				results[i] = append(results[i], r)
			}
		}
		summary := report.Summary{Name: s.Name, Title: s.Title}
		for i, by := range all {
			summary.Rows = append(summary.Rows, report.NewRow(by.Name, results[i]))
		}
		summaries = append(summaries, summary)
		fmt.Fprintf(progress, "%s: %d runs of %d writers in %.0f s\n", s.Name, runs, len(all), time.Since(start).Seconds())
	}
	return summaries, nil
}

// document writes files, pictures and the tables of the document.
func document(docs string, summaries []report.Summary) error {
	dir := filepath.Join(docs, "bench")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := report.WriteJSON(dir, summaries); err != nil {
		return err
	}
	return illustrate(docs, summaries)
}

// drawAgain writes pictures and tables from the files that are there.
func drawAgain(docs string, scenarios []scenario.Scenario) error {
	var files []string
	for _, s := range scenarios {
		files = append(files, s.Name)
	}
	summaries, err := report.ReadJSON(filepath.Join(docs, "bench"), files)
	if err != nil {
		return err
	}
	return illustrate(docs, summaries)
}

// illustrate writes the pictures and the tables of the document.
func illustrate(docs string, summaries []report.Summary) error {
	if err := report.Draw(filepath.Join(docs, "bench"), summaries); err != nil {
		return err
	}
	return report.Insert(filepath.Join(docs, "benchmarks.md"), report.Markdown(summaries))
}
