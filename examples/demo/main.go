// Demo replays, on a real API server, how a status gets half-written or lost: once
// with a plain merge patch, once with a get-mutate-locked-patch helper, and once with
// the generated patcher of MachinePool. It prints what each of them left behind.
//
// `make demo` runs it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

func main() {
	crds := flag.String("crds", "examples/config/crd", "`folder` with the CRDs of the examples")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *crds, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "demo: %v\n", err)
		os.Exit(1)
	}
}

// run starts the API server, replays the stories and prints the table.
func run(ctx context.Context, crds string, stdout, progress io.Writer) (err error) {
	log.SetLogger(logr.Discard()) // else controller-runtime complains that none was set
	fmt.Fprintln(progress, "starting the API server")
	env, err := testenv.Start(crds)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, env.Stop()) }()
	rows, err := replay(ctx, env, progress)
	if err != nil {
		return err
	}
	return printTable(stdout, rows)
}

// replay runs each story in each way.
func replay(ctx context.Context, env *testenv.Env, progress io.Writer) ([]row, error) {
	w, err := newWorld(ctx, env)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, s := range stories {
		for _, way := range ways {
			fmt.Fprintf(progress, "%s: %s\n", s.name, way.name)
			r, err := s.run(ctx, w, way)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", s.name, way.name, err)
			}
			r.story, r.way = s.name, way.name
			rows = append(rows, r)
		}
	}
	return rows, nil
}
