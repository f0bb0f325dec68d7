package serving

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

func item(kind, name string, version, tokens int) Item {
	return Item{Kind: kind, Name: name, Version: version, Tokens: tokens}
}

func add(t *testing.T, l *Ledger, stream string, p Prompt, output ...Item) {
	t.Helper()
	if err := l.Add(Call{Stream: stream, Phase: Write, Purpose: "test", Prompt: p, Output: output}); err != nil {
		t.Fatal(err)
	}
}

func replay(t *testing.T, l *Ledger, o Options) Replay {
	t.Helper()
	r, err := l.Replay(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// world makes random little sessions: a system part, a memory that is edited, a
// summary that is rewritten when the queue loses its front, and a tail that
// differs from call to call. Real items have ids of a vocabulary of three, so
// that different ones often begin alike.
type world struct {
	r       *rand.Rand
	real    bool
	system  []Item
	memory  []Item
	summary []Item
	queue   []Item
	names   int
}

func (w *world) item(kind string, most int) Item {
	w.names++
	return w.fill(Item{Kind: kind, Name: strconv.Itoa(w.names)}, most)
}

func (w *world) fill(it Item, most int) Item {
	it.Tokens = 1 + w.r.IntN(most)
	if w.real {
		it.IDs = make([]int, it.Tokens)
		for i := range it.IDs {
			it.IDs[i] = w.r.IntN(3)
		}
	}
	return it
}

func (w *world) again(it Item) Item {
	it.Version++
	return w.fill(it, 5)
}

// step changes something and returns the next prompt.
func (w *world) step() Prompt {
	if w.system == nil {
		w.system = []Item{w.item("system", 9)}
	}
	for range w.r.IntN(3) {
		w.queue = append(slices.Clip(w.queue), w.item("message", 6))
	}
	switch n := w.r.IntN(12); {
	case n == 0:
		w.memory = append(slices.Clip(w.memory), w.item("fact", 5))
	case n == 1 && len(w.memory) > 0:
		w.memory = slices.Clone(w.memory)
		i := w.r.IntN(len(w.memory))
		w.memory[i] = w.again(w.memory[i])
	case n == 2 && len(w.memory) > 0:
		w.memory = slices.Delete(slices.Clone(w.memory), 0, 1)
	case n == 3 && len(w.queue) > 3:
		w.queue = w.queue[2:]
		w.summary = []Item{w.again(Item{Kind: "summary", Version: w.names})}
	case n == 4 && len(w.queue) > 1:
		w.queue = slices.Insert(slices.Clone(w.queue), 1, w.item("late", 4))
	case n == 5 && len(w.queue) > 0:
		w.queue = slices.Clone(w.queue)
		w.queue[0] = w.again(w.queue[0])
	case n == 6 && len(w.queue) > 2:
		w.queue = w.queue[1:] // an eviction without a summary
	}
	var p Prompt
	for _, s := range []Segment{
		{"system", Plain, w.system}, {"memory", Plain, w.memory}, {"summary", Snapshot, w.summary}, {"queue", Queue, w.queue},
	} {
		if len(s.Items) > 0 {
			p = append(p, s)
		}
	}
	if w.r.IntN(4) == 0 {
		p = append(p, Segment{"task", Plain, []Item{w.item("task", 7)}})
	}
	return p
}

// randomLedger interleaves two streams of two tenants and a third stream that
// begins like the first.
func randomLedger(t *testing.T, seed uint64, calls int, real bool) *Ledger {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	worlds := []*world{{r: r, real: real}, {r: r, real: real}, {r: r, real: real}}
	worlds[0].system = []Item{worlds[0].item("system", 9)}
	worlds[2].system = worlds[0].system
	var l Ledger
	for range calls {
		i := r.IntN(len(worlds))
		w := worlds[i]
		p := w.step()
		c := Call{Stream: strconv.Itoa(i), Phase: Write, Purpose: "p" + strconv.Itoa(r.IntN(2)), Turn: r.IntN(5), Prompt: p}
		if i == 1 {
			c.Tenant, c.Phase = "other", Read
		}
		for range r.IntN(3) {
			c.Output = append(c.Output, w.item("output", 6))
		}
		if err := l.Add(c); err != nil {
			t.Fatal(err)
		}
		if r.IntN(2) == 0 {
			w.queue = append(slices.Clip(w.queue), c.Output...)
		}
	}
	return &l
}
