package scenario

import (
	"context"
	"slices"
	"time"

	"github.com/statuspatch/statuspatcher-gen/test/peers/measure"
	"github.com/statuspatch/statuspatcher-gen/test/peers/writers"
)

// Scenario is a situation that each writer is put into.
type Scenario struct {
	// Name is for files, Title for people.
	Name, Title string
	Run         func(ctx context.Context, w *World, by writers.Writer) (Result, error)
}

// Result is what a writer made of a scenario, in one run.
type Result struct {
	// Updates is how many were asked for, Landed how many the server has in the end.
	Updates int `json:"updates"`
	Landed  int `json:"landed"`
	// Lost are updates that were reported as done and that the server does not have.
	Lost int `json:"lost"`
	// Returned are errors that the caller got; Errors says which.
	Returned int      `json:"errorsReturned"`
	Errors   []string `json:"errors,omitempty"`
	// Mixed is one where the server has counters that nobody computed.
	Mixed int `json:"mixed"`
	// Misplaced are updates that were written onto another object of the same name.
	Misplaced int `json:"misplaced"`

	measure.Traffic
	measure.Cost
	// P50 and P99 are of the time of an update.
	P50 time.Duration `json:"p50Nanoseconds"`
	P99 time.Duration `json:"p99Nanoseconds"`

	took []time.Duration
}

// note takes down what one update came to.
func (r *Result) note(took time.Duration, err error) {
	r.Updates++
	r.took = append(r.took, took)
	if err == nil {
		return
	}
	r.Returned++
	if !slices.Contains(r.Errors, err.Error()) && len(r.Errors) < 3 {
		r.Errors = append(r.Errors, err.Error())
	}
}

// done is the number of updates that were reported as done.
func (r *Result) done() int { return r.Updates - r.Returned }

// landed takes down how many updates the server has.
func (r *Result) landed(n int) {
	r.Landed = n
	r.Lost = r.done() - n
}

// finish takes down what the updates took.
func (r *Result) finish() {
	r.P50, r.P99 = measure.Quantile(r.took, 0.5), measure.Quantile(r.took, 0.99)
}

// add takes over the updates of another result.
func (r *Result) add(o Result) {
	r.Updates += o.Updates
	r.Returned += o.Returned
	r.took = append(r.took, o.took...)
	for _, e := range o.Errors {
		if !slices.Contains(r.Errors, e) && len(r.Errors) < 3 {
			r.Errors = append(r.Errors, e)
		}
	}
}
