package main

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/statuspatch/statuspatcher-gen/generators"
)

// flags are the parsed command line.
type flags struct {
	set     *pflag.FlagSet
	options generators.Options
	verify  bool
	verbose bool
}

// parseFlags returns the flags also with an error, for their usage.
func parseFlags(args []string) (*flags, error) {
	f := &flags{set: pflag.NewFlagSet("statuspatcher-gen", pflag.ContinueOnError)}
	o := &f.options
	f.set.SetOutput(io.Discard)
	f.set.SortFlags = false
	f.set.StringVar(&o.OutputFile, "output-file", generators.DefaultOutputFile, "base `name` of the generated file")
	f.set.StringVar(&o.GoHeaderFile, "go-header-file", "", "`file` with the comment at the top of generated files")
	f.set.StringVar(&o.OutputPkg, "output-pkg", "", "import `path` in the main module to put patchers into, instead of the API package")
	f.set.StringVar(&o.OutputDir, "output-dir", "", "`directory` of that package")
	f.set.StringVar(&o.SupportPackage, "support-package", "", "import `path` to put the shared code into, instead of a copy in every package")
	f.set.BoolVar(&f.verify, "verify", false, "write nothing; print a diff and exit 1 if files are out of date")
	f.set.BoolVarP(&f.verbose, "verbose", "v", false, "say what is done")
	if err := f.set.Parse(args); err != nil {
		return f, err
	}
	o.Patterns = f.set.Args()
	return f, generators.CheckOutputFile(o.OutputFile)
}

func (f *flags) usage() string {
	return fmt.Sprintf(`Generates typed status patchers for API types that have +statuspatch markers.

Usage:
  statuspatcher-gen [flags] [PACKAGE…]   packages as for the go command; by default .
  statuspatcher-gen markers              describe the markers

Flags:
%s
Exit status: 0 fine, 1 problems or stale files, 2 wrong usage.
`, f.set.FlagUsages())
}
