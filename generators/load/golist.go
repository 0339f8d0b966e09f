package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// Module is the module that a package belongs to.
type Module struct {
	Path string
	Dir  string
	Main bool
}

// listed is what `go list -json` says of a package.
type listed struct {
	ImportPath, Name, Dir string
	GoFiles, CgoFiles     []string
	InvalidGoFiles        []string
	Match                 []string // the patterns that name it
	ImportMap             map[string]string
	DepOnly, Standard     bool
	Module                *Module
	Error                 *listError
}

type listError struct {
	Pos, Err string
}

const listFields = "-json=ImportPath,Name,Dir,GoFiles,CgoFiles,InvalidGoFiles,Match,ImportMap,DepOnly,Standard,Module,Error"

// list runs go list over the packages that match patterns and all they depend on.
func list(ctx context.Context, dir string, patterns []string) ([]*listed, error) {
	args := append([]string{"list", "-e", "-deps", listFields, "--"}, patterns...)
	pkgs, warnings, err := decodeGo[listed](ctx, dir, args)
	if err != nil {
		return nil, err
	}
	if len(pkgs) == 0 {
		if warnings == "" {
			warnings = "nothing matches " + strings.Join(patterns, " ")
		}
		return nil, fmt.Errorf("%s: name a directory that holds Go files, such as ./api/v1", warnings)
	}
	return pkgs, nil
}

var errNoModule = errors.New("no go.mod here or above: run in a directory of a Go module, or make one with go mod init")

// MainModules returns the main module, or those of the workspace, for the
// directory dir.
func MainModules(ctx context.Context, dir string) ([]*Module, error) {
	mods, _, err := decodeGo[Module](ctx, dir, []string{"list", "-m", "-json=Path,Dir,Main"})
	if err != nil {
		return nil, err
	}
	mods = slices.DeleteFunc(mods, func(m *Module) bool { return m.Dir == "" }) // command-line-arguments
	if len(mods) == 0 {
		return nil, errNoModule
	}
	return mods, nil
}

// decodeGo runs the go command and decodes the JSON values that it prints.
// It also returns what the command wrote to stderr.
func decodeGo[T any](ctx context.Context, dir string, args []string) ([]*T, string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", fmt.Errorf("go %s: %w", args[0], err)
	}
	if err := cmd.Start(); err != nil {
		switch {
		case ctx.Err() != nil:
			return nil, "", ctx.Err()
		case errors.Is(err, exec.ErrNotFound):
			return nil, "", fmt.Errorf("the go command is needed to find packages: %w: install Go, or add it to PATH", err)
		}
		return nil, "", fmt.Errorf("go %s: %w", args[0], err)
	}
	var out []*T
	dec := json.NewDecoder(stdout)
	var decodeErr error
	for {
		v := new(T)
		if decodeErr = dec.Decode(v); decodeErr != nil {
			break
		}
		out = append(out, v)
	}
	waitErr := cmd.Wait()
	said := goSaid(stderr.String())
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case waitErr != nil:
		return nil, "", goError(args, waitErr, said)
	case !errors.Is(decodeErr, io.EOF):
		return nil, "", fmt.Errorf("go %s printed something that is no JSON: %w", args[0], decodeErr)
	}
	return out, said, nil
}

// goSaid folds what the go command wrote to stderr into one line.
func goSaid(stderr string) string {
	var lines []string
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		line = strings.TrimPrefix(strings.TrimPrefix(line, "go: "), "warning: ")
		if line != "" && !strings.HasPrefix(line, "downloading ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}

// goError says why the go command failed and what to do about it.
func goError(args []string, err error, said string) error {
	if said == "" {
		return fmt.Errorf("go %s failed: %w", args[0], err)
	}
	if strings.Contains(said, "go.mod file not found") || strings.Contains(said, "cannot find main module") {
		return fmt.Errorf("%w (go list: %s)", errNoModule, said)
	}
	return fmt.Errorf("go %s failed: %s", args[0], said)
}

// inPassing tells whether only patterns such as ./... match the package, and it
// has nothing but tests.
func (l *listed) inPassing() bool {
	named := slices.ContainsFunc(l.Match, func(pattern string) bool { return !strings.Contains(pattern, "...") })
	return !named && l.Error == nil && len(l.GoFiles)+len(l.CgoFiles)+len(l.InvalidGoFiles) == 0
}
