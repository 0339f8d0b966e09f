// Statuspatcher-gen generates typed status patchers for Kubernetes API types.
//
//	statuspatcher-gen [flags] [PACKAGE…]
//	statuspatcher-gen markers
//
// It reads the +statuspatch markers of the packages, which are named by Go
// package patterns, and writes the patchers beside the types:
//
//	//go:generate go tool statuspatcher-gen
//
// Problems are printed as file.go:line:col: message, all of them in one run,
// and nothing is written if there is any. The exit status is 0 if all is well,
// 1 if there are problems or, with --verify, if files are out of date, and 2
// if the command is used wrongly.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/pflag"

	"github.com/statuspatch/statuspatcher-gen/generators"
	"github.com/statuspatch/statuspatcher-gen/generators/diag"
	"github.com/statuspatch/statuspatcher-gen/markers"
)

// The exit statuses.
const (
	exitOK = iota
	exitProblems
	exitUsage
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	os.Exit(code)
}

// run is the command without the process around it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	tool := &tool{stdout: stdout, stderr: stderr}
	if len(args) > 0 && args[0] == "markers" {
		return tool.markers(args[1:])
	}
	flags, err := parseFlags(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(stdout, flags.usage())
		return exitOK
	case err != nil:
		fmt.Fprintf(stderr, "statuspatcher-gen: %v: run statuspatcher-gen -h for the flags\n", err)
		return exitUsage
	}
	return tool.generate(ctx, flags)
}

// tool is one run of the command.
type tool struct {
	stdout, stderr io.Writer
}

// markers prints the help of all markers.
func (t *tool) markers(args []string) int {
	if len(args) > 0 && args[0] != "-h" && args[0] != "--help" {
		fmt.Fprintf(t.stderr, "statuspatcher-gen: markers takes no arguments: remove %s\n", args[0])
		return exitUsage
	}
	if err := markers.WriteHelp(t.stdout); err != nil {
		return t.fail(err)
	}
	return exitOK
}

// generate writes the files, or compares them with what is there.
func (t *tool) generate(ctx context.Context, flags *flags) int {
	opts := flags.options
	if flags.verbose {
		opts.Log = t.log
	}
	res, err := generators.Generate(ctx, opts)
	if err != nil {
		return t.fail(err)
	}
	if len(res.Diagnostics) > 0 {
		for _, d := range res.Diagnostics {
			fmt.Fprintln(t.stderr, d)
		}
		return exitProblems
	}
	if flags.verify {
		return t.verify(res.Files)
	}
	changed, err := generators.Commit(res.Files)
	if err != nil {
		return t.fail(err)
	}
	if flags.verbose {
		for _, name := range changed {
			t.log("changed %s", diag.ShortPath(name))
		}
	}
	return exitOK
}

func (t *tool) verify(files []generators.File) int {
	diff, err := generators.Diff(files)
	if err != nil {
		return t.fail(err)
	}
	if diff == "" {
		return exitOK
	}
	fmt.Fprint(t.stdout, diff)
	fmt.Fprintln(t.stderr, "statuspatcher-gen: generated files are out of date: run the same command without --verify")
	return exitProblems
}

func (t *tool) fail(err error) int {
	fmt.Fprintf(t.stderr, "statuspatcher-gen: %v\n", err)
	return exitProblems
}

func (t *tool) log(format string, args ...any) {
	fmt.Fprintf(t.stderr, format+"\n", args...)
}
