package measure

import (
	"runtime/metrics"
	"slices"
	"syscall"
	"time"
)

// Cost is what this process spent.
type Cost struct {
	Wall       time.Duration `json:"wallNanoseconds"`
	CPU        time.Duration `json:"cpuNanoseconds"`
	Allocs     uint64        `json:"allocs"`
	AllocBytes uint64        `json:"allocBytes"`
}

// Add is the sum of two costs.
func (c Cost) Add(o Cost) Cost {
	return Cost{c.Wall + o.Wall, c.CPU + o.CPU, c.Allocs + o.Allocs, c.AllocBytes + o.AllocBytes}
}

// Of is the cost of f, and of what else the process does meanwhile.
func Of(f func()) Cost {
	before, start := spent(), time.Now()
	f()
	wall, after := time.Since(start), spent()
	return Cost{wall, after.CPU - before.CPU, after.Allocs - before.Allocs, after.AllocBytes - before.AllocBytes}
}

func spent() Cost {
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:objects"}, {Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(samples)
	return Cost{CPU: cpu(), Allocs: samples[0].Value.Uint64(), AllocBytes: samples[1].Value.Uint64()}
}

// cpu is the user and system time of this process; the API server is another one.
func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Quantile is the value that the share q of the values does not exceed; 0 of none.
func Quantile(values []time.Duration, q float64) time.Duration {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}
