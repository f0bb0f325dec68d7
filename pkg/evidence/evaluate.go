package evidence

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"memlab/pkg/dialogue"
)

// ErrNothing says that there is no question with evidence.
var ErrNothing = errors.New("nothing to evaluate")

// Evaluate ranks the chunks of each dialogue for each of its questions and counts
// the evidence within each budget. Results do not depend on the number of workers.
func Evaluate(ctx context.Context, dialogues []dialogue.Dialogue, o Options) (Result, error) {
	o, err := o.complete()
	if err != nil {
		return Result{}, err
	}
	for i := range dialogues {
		if err := dialogues[i].Check(); err != nil {
			return Result{}, fmt.Errorf("evidence: %w", err)
		}
	}
	scored := make([][]score, len(dialogues))
	errs := make([]error, len(dialogues))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(o.Workers, len(dialogues)) {
		workers.Go(func() {
			for i := range next {
				if scored[i], errs[i] = ask(ctx, &dialogues[i], o); errs[i] != nil {
					cancel() // the rest would be thrown away
				}
			}
		})
	}
	for i := range dialogues {
		next <- i
	}
	close(next)
	workers.Wait()
	if i := first(errs); i >= 0 {
		return Result{}, fmt.Errorf("evidence: dialogue %q: %w", dialogues[i].Name, errs[i])
	}
	return summarise(dialogues, scored, o)
}

// first is the place of the first error, and of one that is not merely the echo of
// another's cancelling if there is such; -1 if all is well.
func first(errs []error) int {
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil && !errors.Is(err, context.Canceled) }); i >= 0 {
		return i
	}
	return slices.IndexFunc(errs, func(err error) bool { return err != nil })
}

// score is a question's recall at every combination, in the order of combinations.
type score struct {
	kind   dialogue.Kind
	recall []float64
}

// combination is one way to retrieve, at one budget.
type combination struct {
	method        Method
	chunk, budget int
}

func (o Options) combinations() []combination {
	var list []combination
	for _, chunk := range o.Chunks {
		for _, method := range o.Methods {
			for _, budget := range o.Budgets {
				list = append(list, combination{method, chunk, budget})
			}
		}
	}
	return list
}

// ask scores the questions of a dialogue that have evidence.
func ask(ctx context.Context, d *dialogue.Dialogue, o Options) ([]score, error) {
	place := make(map[string]int, len(d.Messages))
	for i := range d.Messages {
		place[d.Messages[i].ID] = i
	}
	embed, err := fit(d, o)
	if err != nil {
		return nil, err
	}
	queries := make([]query, len(d.Questions))
	for i := range d.Questions {
		if queries[i], err = embed.query(ctx, &d.Questions[i]); err != nil {
			return nil, fmt.Errorf("question %q: %w", d.Questions[i].ID, err)
		}
	}
	scores := make([]score, len(d.Questions))
	for _, size := range o.Chunks {
		x, err := newIndex(ctx, d, size, o, embed)
		if err != nil {
			return nil, err
		}
		for i := range d.Questions {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			q := &d.Questions[i]
			if len(q.Needs) == 0 {
				continue
			}
			rankings, err := x.rank(q, queries[i], o.Methods)
			if err != nil {
				return nil, fmt.Errorf("question %q: %w", q.ID, err)
			}
			needs := needed(q, place)
			scores[i].kind = q.Kind
			for _, ranking := range rankings {
				depth := depths(d.Messages, x.chunks, ranking)
				for _, budget := range o.Budgets {
					scores[i].recall = append(scores[i].recall, recall(needs, depth, budget))
				}
			}
		}
	}
	return withEvidence(scores), nil
}

func withEvidence(scores []score) []score {
	kept := scores[:0]
	for _, s := range scores {
		if s.recall != nil {
			kept = append(kept, s)
		}
	}
	return kept
}
