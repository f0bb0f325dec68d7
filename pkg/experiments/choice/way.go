package choice

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"memlab/pkg/costmodel"
	"memlab/pkg/experiments/world"
)

// Way is one way of remembering something, with its price.
type Way struct {
	Name string `json:"name"`
	// Write is paid once; Each for every question, First for the first one if
	// that differs. GPU seconds.
	Write float64 `json:"write"`
	First float64 `json:"first_question"`
	Each  float64 `json:"each_further_question"`
	// Accuracy is the share of right answers where it is known, else NaN.
	Accuracy float64 `json:"-"`
}

// After is the price of writing and of that many questions, 1 or more.
func (w Way) After(questions float64) float64 {
	if questions == 1 {
		return w.Write + w.First // Each may be +Inf
	}
	return w.Write + w.First + w.Each*(questions-1)
}

// ErrChoice is the kind of every error about a choice that cannot be made.
var ErrChoice = errors.New("bad choice")

func bad(format string, args ...any) error {
	return fmt.Errorf("choice: %w: %w", ErrChoice, fmt.Errorf(format, args...))
}

// Cheapest is the way that costs least after a number of questions among those
// that fit and answer at least that share right. A way whose accuracy is not known counts
// only if least is 0.
func Cheapest(ways []Way, questions, least float64) (Way, error) {
	if !(questions >= 1) || math.IsInf(questions, 0) {
		return Way{}, bad("questions %g: want a number of 1 or more", questions)
	}
	if !(least >= 0 && least <= 1) {
		return Way{}, bad("accuracy %g: want 0 to 1", least)
	}
	best := -1
	for i, w := range ways {
		cost := w.After(questions)
		if math.IsNaN(cost) {
			return Way{}, bad("way %q costs NaN: write %g, first %g, each %g: want numbers", w.Name, w.Write, w.First, w.Each)
		}
		if math.IsInf(cost, 1) {
			continue // it does not fit
		}
		if (least == 0 || w.Accuracy >= least) && (best < 0 || cost < ways[best].After(questions)) {
			best = i
		}
	}
	if best < 0 {
		return Way{}, bad("none of %d ways fits and answers %g right", len(ways), least)
	}
	return ways[best], nil
}

// Systems are the memory systems of package world that Conversations compares.
func Systems() []string { return []string{"full", "rag:128x16", "mem0", "mem0g+graph", "memgpt"} }

// Conversations prices the systems on the conversations of seed 0, with a prefix
// cache or without, and takes their accuracies over a number of seeds.
func Conversations(ctx context.Context, p world.Parameters, e *costmodel.Engine, cached bool, seeds int) ([]Way, error) {
	if e == nil {
		return nil, bad("engine is nil: want one of costmodel.NewEngine")
	}
	settings, err := world.ParseSettings(p, Systems()...)
	if err != nil {
		return nil, err
	}
	found, err := world.Compare(ctx, p, seeds, settings, nil)
	if err != nil {
		return nil, err
	}
	g, err := world.NewGroup(p, 0, "en")
	if err != nil {
		return nil, err
	}
	var ways []Way
	for i, s := range settings {
		b, err := g.Bill(ctx, s, e, cached)
		if err != nil {
			return nil, err
		}
		ways = append(ways, Way{s.Name, b.Write, b.First, b.Each, found[i].Accuracy.Mean})
	}
	return ways, nil
}

// The ways to have a document.
const (
	Uncached  = "in context, read anew"
	Cached    = "in context, cached"
	Shared    = "in context, shared by all"
	Trained   = "cartridge"
	TrainedBy = "cartridge, shared by all"
)

// Documents prices the ways to have a document: private ones, of which each user
// has another, and shared ones, of which there is one for all. The cartridge has
// the paper's compression and training; its quality is taken to be that of the
// document (the paper's claim), and the first prefill of a cached document counts
// as the first question.
func Documents(e *costmodel.Engine, tokens, question, output int) (private, shared []Way, err error) {
	if e == nil {
		return nil, nil, bad("engine is nil: want one of costmodel.NewEngine")
	}
	b, err := e.BreakEven(costmodel.PaperCartridge(tokens), question, output)
	if err != nil {
		return nil, nil, fmt.Errorf("choice: %w", err)
	}
	way := func(name string, write, first float64, t costmodel.Throughput) Way {
		each := t.GPUSecondsPerRequest
		if t.Fit.Batch == 0 {
			each = math.Inf(1)
		}
		return Way{name, write, max(first, each), each, math.NaN()}
	}
	anew := b.Uncached.InContext.GPUSecondsPerRequest
	private = []Way{
		way(Uncached, 0, 0, b.Uncached.InContext),
		way(Cached, 0, anew, b.Cached.InContext),
		way(Trained, b.Training, 0, b.Cached.Cartridge),
	}
	shared = []Way{
		way(Shared, 0, anew, b.Shared.InContext),
		way(TrainedBy, b.Training, 0, b.Shared.Cartridge),
	}
	return private, shared, nil
}

// From is the number of questions from which on the second way costs no more than
// the first; +Inf if never, also if the second does not fit.
func From(first, second Way) float64 {
	if math.IsInf(second.Each, 1) || math.IsInf(second.After(1), 1) {
		return math.Inf(1)
	}
	more, saved := second.After(1)-first.After(1), first.Each-second.Each
	switch {
	case more <= 0:
		return 1
	case saved <= 0:
		return math.Inf(1)
	}
	return 1 + more/saved
}

// Named is the way of that name.
func Named(ways []Way, name string) (Way, error) {
	i := slices.IndexFunc(ways, func(w Way) bool { return w.Name == name })
	if i < 0 {
		return Way{}, bad("no way %q", name)
	}
	return ways[i], nil
}
