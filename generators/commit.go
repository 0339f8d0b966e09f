package generators

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pmezard/go-difflib/difflib"

	"github.com/statuspatch/statuspatcher-gen/generators/diag"
)

// Commit writes and removes files. Each is replaced at once, by a rename; none
// is touched before the contents of all are on disk. It returns the paths of
// those that changed.
func Commit(files []File) ([]string, error) {
	var staged []stagedFile
	defer func() {
		for _, s := range staged {
			os.Remove(s.temp) // gone where it was renamed
		}
	}()
	var changed []string
	for _, f := range files {
		if f.Remove {
			changed = append(changed, f.Path)
			continue
		}
		s, err := stage(f)
		if err != nil {
			return nil, err
		}
		if s.temp != "" {
			staged = append(staged, s)
			changed = append(changed, f.Path)
		}
	}
	for _, s := range staged {
		if err := os.Rename(s.temp, s.target); err != nil {
			return nil, fmt.Errorf("replacing a generated file: %w", err)
		}
	}
	for _, f := range files {
		if !f.Remove {
			continue
		}
		if err := os.Remove(f.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("removing a generated file: %w", err)
		}
	}
	return changed, nil
}

// stagedFile is new content in a file beside its target.
type stagedFile struct {
	temp, target string
}

// stage writes the file's content beside its target, or nothing if the target
// has it already. A link is followed, and the target's mode is kept.
func stage(f File) (stagedFile, error) {
	target := f.Path
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(target); err == nil {
		mode = info.Mode().Perm()
		if old, err := os.ReadFile(target); err == nil && bytes.Equal(old, f.Content) {
			return stagedFile{}, nil
		}
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return stagedFile{}, fmt.Errorf("making the output directory: %w", err)
	}
	// The name has no .go, so that no one takes a left-over for source.
	temp := filepath.Join(filepath.Dir(target), fmt.Sprintf(".%s.%d.tmp", filepath.Base(target), os.Getpid()))
	if err := writeNew(temp, f.Content, mode); err != nil {
		os.Remove(temp)
		return stagedFile{}, fmt.Errorf("writing a generated file: %w", err)
	}
	return stagedFile{temp: temp, target: target}, nil
}

func writeNew(name string, content []byte, mode fs.FileMode) error {
	w, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = w.Write(content)
	return errors.Join(err, w.Close())
}

// Diff returns the difference between the files and what is there, as a
// unified diff; "" if there is none.
func Diff(files []File) (string, error) {
	var b strings.Builder
	for _, f := range files {
		old, err := os.ReadFile(f.Path)
		exists := err == nil
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("reading a generated file: %w", err)
		}
		if exists != f.Remove && bytes.Equal(old, f.Content) {
			continue
		}
		name := filepath.ToSlash(diag.ShortPath(f.Path))
		d := difflib.UnifiedDiff{
			A: lines(old), B: lines(f.Content),
			FromFile: "a/" + name, ToFile: "b/" + name, Context: 3,
		}
		if !exists {
			d.FromFile = os.DevNull
		}
		if f.Remove {
			d.ToFile = os.DevNull
		}
		if err := difflib.WriteUnifiedDiff(&b, d); err != nil {
			return "", fmt.Errorf("comparing %s: %w", name, err)
		}
	}
	return b.String(), nil
}

// lines splits text after each newline; a last line without one gets it.
func lines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return difflib.SplitLines(strings.TrimSuffix(string(text), "\n"))
}
