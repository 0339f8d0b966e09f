package model

import (
	"context"
	"encoding/json"
	"math/rand"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Choices are the choices of one run.
type Choices struct {
	picked, of []int
	random     *rand.Rand // beyond picked; nil takes the first
	at         int
}

// Choose picks one of n.
func (c *Choices) Choose(n int) int {
	if c.at == len(c.picked) {
		pick := 0
		if c.random != nil {
			pick = c.random.Intn(n)
		}
		c.picked, c.of = append(c.picked, pick), append(c.of, n)
	}
	c.at++
	return c.picked[c.at-1]
}

// All carries out run once for each sequence of choices that it can make, and
// gives the number of runs. It stops where run returns false.
func All(run func(*Choices) bool) int {
	c := &Choices{}
	for runs := 1; ; runs++ {
		c.at = 0
		if !run(c) {
			return runs
		}
		last := len(c.picked) - 1
		for last >= 0 && c.picked[last] == c.of[last]-1 {
			last--
		}
		if last < 0 {
			return runs
		}
		c.picked[last]++
		c.picked, c.of = c.picked[:last+1], c.of[:last+1]
	}
}

// Random carries out run a number of times with choices made by a seed each.
func Random(runs int, run func(seed int64, c *Choices) bool) {
	for seed := int64(1); seed <= int64(runs); seed++ {
		if !run(seed, &Choices{random: rand.New(rand.NewSource(seed))}) {
			return
		}
	}
}

// World is a server and the writers who take turns on it.
type World struct {
	Server  *Server
	Choices *Choices
	// Stale is how many reads in all may come from the version before the newest.
	Stale int

	writer int // whose turn it is
	read   map[int][]byte
	turns  chan *turn
}

// turn is a writer who waits to go on.
type turn struct {
	writer int
	goOn   chan struct{}
	done   bool
}

// Writer is the writer whose turn it is.
func (w *World) Writer() int { return w.writer }

// LastRead is the object's JSON as a writer last read it.
func (w *World) LastRead(writer int) []byte { return w.read[writer] }

// Run lets the writers take turns until all are done. Between two steps on the
// server a writer is alone.
func (w *World) Run(writers ...func(*Client)) {
	w.turns, w.read = make(chan *turn), map[int][]byte{}
	var waiting []*turn
	next := func() {
		if t := <-w.turns; !t.done {
			waiting = append(waiting, t)
		}
	}
	for i, write := range writers {
		go func() {
			write(&Client{world: w, writer: i})
			w.turns <- &turn{writer: i, done: true}
		}()
		next()
	}
	for len(waiting) > 0 {
		i := w.Choices.Choose(len(waiting))
		t := waiting[i]
		waiting = append(append([]*turn(nil), waiting[:i]...), waiting[i+1:]...)
		w.writer = t.writer
		close(t.goOn)
		next()
	}
}

// Client is a writer's client: each call of it is a step.
type Client struct {
	world  *World
	writer int
}

// step waits for the writer's turn.
func (c *Client) step() {
	t := &turn{writer: c.writer, goOn: make(chan struct{})}
	c.world.turns <- t
	<-t.goOn
}

// Get reads the object, perhaps from a cache that is a write behind.
func (c *Client) Get(ctx context.Context, _ client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.step()
	behind := 0
	if c.world.Stale > 0 && c.world.Server.Writes() > 1 {
		if behind = c.world.Choices.Choose(2); behind > 0 {
			c.world.Stale--
		}
	}
	c.world.read[c.writer] = c.world.Server.Read(behind)
	return json.Unmarshal(c.world.read[c.writer], obj)
}

// Status is the client of the status subresource.
func (c *Client) Status() client.SubResourceWriter { return statusClient{c: c} }

// statusClient can patch. The other methods of its interface grow with
// controller-runtime; no patcher calls them.
type statusClient struct {
	client.SubResourceWriter
	c *Client
}

// Patch sends a patch of the status.
func (s statusClient) Patch(ctx context.Context, obj client.Object, patch client.Patch, _ ...client.SubResourcePatchOption) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	body, err := patch.Data(obj)
	if err != nil {
		return err
	}
	s.c.step()
	answer, err := s.c.world.Server.Patch(patch.Type(), body)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, obj)
}
