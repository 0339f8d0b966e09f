//go:build unix

// Benchgen measures the whole command statuspatcher-gen against two others that
// generate code for the same API types, controller-gen's object and
// deepcopy-gen, and prints a table in Markdown:
//
//	go run ./test/benchgen [-rounds N] [-cold-rounds N]
//
// run from the root of the repository. The commands take turns in each round,
// so that what else the machine does strikes all of them alike. Time is
// wall-clock, memory the largest resident set of the command or one of its
// children, both as the kernel reports them.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

func main() {
	rounds := flag.Int("rounds", 7, "runs of each command with a warm build cache")
	coldRounds := flag.Int("cold-rounds", 5, "runs of each command with an empty build cache")
	flag.Parse()
	if *rounds < 1 || *coldRounds < 0 {
		fmt.Fprintln(os.Stderr, "benchgen: -rounds is 1 at least, -cold-rounds 0, for none")
		os.Exit(2)
	}
	if err := run(os.Stdout, *rounds, *coldRounds); err != nil {
		fmt.Fprintln(os.Stderr, "benchgen:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, rounds, coldRounds int) error {
	dir, err := os.MkdirTemp("", "benchgen")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tools, err := build(dir)
	if err != nil {
		return err
	}
	inputs, err := makeInputs(dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Measured with %s on %s/%s, %d processors, load average %s before the first run.\n\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), loadAverage())
	fmt.Fprintln(w, "| input | build cache | command | runs | median time | least | most | median CPU time | median memory |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|")
	for _, in := range inputs {
		for _, cold := range []bool{false, true} {
			n := rounds
			if cold {
				n = coldRounds
			}
			if n == 0 {
				continue
			}
			results, err := compare(dir, tools, in, n, cold)
			if err != nil {
				return err
			}
			for _, r := range results {
				fmt.Fprintln(w, r.row(in, cold))
			}
		}
	}
	return nil
}

// loadAverage is how busy the machine is with other things, as far as it says.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	one, _, _ := strings.Cut(string(text), " ")
	return one
}

// tool is a command that generates code for packages.
type tool struct {
	name string
	args func(packages []string) []string
	path string
}

// build builds the tools, so that no build time is measured.
func build(dir string) ([]tool, error) {
	ours := tool{name: "statuspatcher-gen", args: func(p []string) []string { return p }}
	controllerGen := tool{name: "controller-gen object", args: func(p []string) []string {
		args := []string{"object"}
		for _, pkg := range p {
			args = append(args, "paths="+pkg)
		}
		return args
	}}
	deepcopyGen := tool{name: "deepcopy-gen", args: func(p []string) []string {
		return append([]string{"--output-file", "zz_generated.deepcopy.go"}, p...)
	}}
	tools := []tool{ours, controllerGen, deepcopyGen}
	for i, b := range [][]string{
		{"./cmd/statuspatcher-gen"},
		{"-C", "hack/tools", "sigs.k8s.io/controller-tools/cmd/controller-gen"},
		{"-C", "hack/tools", "k8s.io/code-generator/cmd/deepcopy-gen"},
	} {
		tools[i].path = filepath.Join(dir, "bin", filepath.Base(b[len(b)-1]))
		args := []string{"build"}
		if len(b) > 1 {
			args = append(args, b[:2]...)
		}
		args = append(args, "-o", tools[i].path, b[len(b)-1])
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("building %s: %w\n%s", tools[i].name, err, out)
		}
	}
	return tools, nil
}
