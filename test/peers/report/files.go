package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// file is what is written for a scenario.
type file struct {
	Go   string `json:"go"`
	OS   string `json:"os"`
	Arch string `json:"arch"`
	CPUs int    `json:"cpus"`
	Summary
}

// WriteJSON writes a file for each scenario.
func WriteJSON(dir string, summaries []Summary) error {
	for _, s := range summaries {
		text, err := json.MarshalIndent(file{runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), s}, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, s.Name+".json"), append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// ReadJSON reads what WriteJSON wrote of the scenarios with these names.
func ReadJSON(dir string, names []string) ([]Summary, error) {
	var summaries []Summary
	for _, name := range names {
		path := filepath.Join(dir, name+".json")
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var f file
		if err := json.Unmarshal(text, &f); err != nil {
			return nil, fmt.Errorf("%s: %w: run make bench to write it anew", path, err)
		}
		summaries = append(summaries, f.Summary)
	}
	return summaries, nil
}

// The lines of a document between which tables stand.
const (
	begin = "<!-- begin: written by make bench -->\n"
	end   = "<!-- end: written by make bench -->\n"
)

// Insert replaces what stands between the two marks of a document.
func Insert(path, text string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(old), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return fmt.Errorf("%s lacks the lines %q and %q: put them where the tables are to stand", path, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return os.WriteFile(path, []byte(before+begin+"\n"+text+end+after), 0o644)
}
