package sincethen

import (
	"context"
	"fmt"

	"memlab/pkg/claims"
	"memlab/pkg/costmodel"
	"memlab/pkg/dialogue"
	"memlab/pkg/experiments/world"
	"memlab/pkg/serving"
)

// Product is a memory system of the toy in the columns that a product changes.
type Product struct {
	Setting  string      `json:"setting"`
	Current  claims.Mean `json:"current"` // share of right answers
	Previous claims.Mean `json:"previous"`
	// WriteCalls and ReadTokens are per conversation and per question.
	WriteCalls claims.Mean `json:"write_calls"`
	ReadTokens claims.Mean `json:"read_tokens"`
	// Write is GPU seconds at full load for a conversation, Each for a question.
	Write float64 `json:"write"`
	Each  float64 `json:"each_question"`
	// Wait is how long writing takes for one pair of messages, on the mean, for
	// somebody who is alone on the GPU and waits for it.
	Wait costmodel.Seconds `json:"wait_per_pair_seconds"`
}

// ProductSystems are the settings of package world that Products compares.
func ProductSystems() []string { return []string{"full", "memgpt", "mem0", "mem0g+graph"} }

// Products plays the systems that became products, the lecture's toy dialogues over
// seeds; prices are those of seed 0 without a prefix cache. Wait = calls to write x
// time of one of mean length / pairs of messages, summaries beside the turns left out.
func Products(ctx context.Context, p world.Parameters, e *costmodel.Engine, seeds int) ([]Product, error) {
	if err := checkEngine(e); err != nil {
		return nil, err
	}
	settings, err := world.ParseSettings(p, ProductSystems()...)
	if err != nil {
		return nil, fmt.Errorf("sincethen: %w", err)
	}
	found, err := world.Compare(ctx, p, seeds, settings, nil)
	if err != nil {
		return nil, fmt.Errorf("sincethen: %w", err)
	}
	g, err := world.NewGroup(p, 0, "en")
	if err != nil {
		return nil, fmt.Errorf("sincethen: %w", err)
	}
	messages := 0
	for _, c := range g.Conversations {
		messages += len(c.Dialogue.Messages)
	}
	var out []Product
	for i, s := range settings {
		bill, err := g.Bill(ctx, s, e, false)
		if err != nil {
			return nil, fmt.Errorf("sincethen: %w", err)
		}
		r, err := g.Evaluate(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("sincethen: %w", err)
		}
		wait, err := waiting(e, r, float64(messages)/2)
		if err != nil {
			return nil, err
		}
		out = append(out, Product{
			Setting: s.Name, Current: found[i].Kinds[dialogue.Current], Previous: found[i].Kinds[dialogue.Previous],
			WriteCalls: found[i].WriteCalls, ReadTokens: found[i].TokensEach, Write: bill.Write, Each: bill.Each, Wait: wait,
		})
	}
	return out, nil
}

// waiting is the time of all calls to write, one after the other, per pair.
func waiting(e *costmodel.Engine, r *world.Result, pairs float64) (costmodel.Seconds, error) {
	var total costmodel.Seconds
	for _, s := range r.Spent {
		if s.Phase != serving.Write || s.Purpose == world.Summary || s.Calls == 0 {
			continue
		}
		a, err := e.Answer(costmodel.Load{Question: max(1, s.Prompt/s.Calls), Output: max(1, s.Output/s.Calls)}, false)
		if err != nil {
			return 0, fmt.Errorf("sincethen: %w", err)
		}
		total += a.Time * costmodel.Seconds(s.Calls)
	}
	return total / costmodel.Seconds(pairs), nil
}
