//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// result is what the runs of one tool took.
type result struct {
	tool   string
	times  []time.Duration
	cpu    []time.Duration
	memory []int64 // KiB
}

// compare runs the tools n times each, in turns.
func compare(dir string, tools []tool, in input, n int, cold bool) ([]result, error) {
	results := make([]result, len(tools))
	first := 0
	if !cold {
		first = -1 // fills the cache, and is not counted
	}
	for round := first; round < n; round++ {
		for i, t := range tools {
			took, err := measure(dir, t, in, cold)
			if err != nil {
				return nil, err
			}
			results[i].tool = t.name
			if round >= 0 {
				results[i].times = append(results[i].times, took.wall)
				results[i].cpu = append(results[i].cpu, took.cpu)
				results[i].memory = append(results[i].memory, took.memory)
			}
		}
	}
	return results, nil
}

// usage is what one run took.
type usage struct {
	wall, cpu time.Duration
	memory    int64 // KiB
}

// measure runs a tool once. A cold run has a build cache of its own, empty.
func measure(dir string, t tool, in input, cold bool) (usage, error) {
	cmd := exec.Command(t.path, t.args(in.packages)...)
	cmd.Dir = in.dir
	cmd.Env = append(os.Environ(), "PWD="+in.dir, "GOWORK=off", "GOFLAGS=-mod=mod")
	if cold {
		cache, err := os.MkdirTemp(dir, "cache")
		if err != nil {
			return usage{}, err
		}
		defer os.RemoveAll(cache)
		cmd.Env = append(cmd.Env, "GOCACHE="+filepath.Join(cache, "go-build"))
	}
	start := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(start)
	if err != nil {
		return usage{}, fmt.Errorf("%s on %s: %w\n%s", t.name, in.name, err, out)
	}
	rusage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return usage{}, fmt.Errorf("this platform does not tell how much memory %s took", t.name)
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return usage{took, cpu, rusage.Maxrss}, nil
}

// row is the result as a row of the table.
func (r result) row(in input, cold bool) string {
	cache := "warm"
	if cold {
		cache = "empty"
	}
	return fmt.Sprintf("| %s | %s | %s | %d | %.2f s | %.2f s | %.2f s | %.2f s | %d MiB |", in.name, cache, r.tool, len(r.times),
		median(r.times).Seconds(), slices.Min(r.times).Seconds(), slices.Max(r.times).Seconds(), median(r.cpu).Seconds(), median(r.memory)/1024)
}

// median is the middle one, the upper of two.
func median[T int64 | time.Duration](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
