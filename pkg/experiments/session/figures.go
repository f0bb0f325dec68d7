package session

import (
	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/serving"
)

// Figures are a session's numbers under one cache. What the summarizer reads
// stands beside them and is in no other field.
type Figures struct {
	CacheOutputs bool           `json:"cache_outputs"`
	Totals       serving.Totals `json:"totals"`
	Saved        float64        `json:"saved_share"`
	// MeanContext is the mean length of a prompt.
	MeanContext float64 `json:"mean_context_tokens"`

	// By the rule of the lecture a call's whole prefill goes to the segment
	// in which its prompt first changed.
	WorkingPrefill     int     `json:"working_context_prefill_tokens"`
	WorkingShare       float64 `json:"working_context_share"`
	EvictPrefill       int     `json:"evict_prefill_tokens"`
	PrefillPerEdit     float64 `json:"prefill_per_edit_tokens"`     // of calls that an edit broke
	PrefillPerEviction float64 `json:"prefill_per_eviction_tokens"` // of calls that an eviction broke
	// WorkingRecomputed is how much of the working context is prefilled in a
	// call, on average, whatever the cause.
	WorkingRecomputed float64        `json:"working_context_recomputed_tokens"`
	Blames            []serving.Loss `json:"blames"`
	// Exact gives each prefilled token its own cause.
	Exact             []serving.Loss `json:"exact"`
	ExactWorkingShare float64        `json:"exact_working_context_share"`

	SummarizerCalls  int `json:"summarizer_calls"`
	SummarizerPrompt int `json:"summarizer_prompt_tokens"`
}

// Figures replays the session through a cache that keeps every prompt, with or
// without the outputs.
func (s *Session) Figures(cacheOutputs bool) (Figures, error) {
	all, main, err := s.replay(cacheOutputs)
	if err != nil {
		return Figures{}, err
	}
	working := serving.Cause{Kind: serving.Edit, Segment: queue.Working}
	edits, evictions := main.Blamed(working), main.Blamed(serving.Cause{Kind: serving.Eviction})
	f := Figures{
		CacheOutputs: cacheOutputs, Totals: main.Totals, Saved: main.Totals.Saved(),
		MeanContext:    ratio(main.Totals.Prompt, main.Totals.Calls),
		WorkingPrefill: edits.Tokens, WorkingShare: edits.Share, EvictPrefill: evictions.Tokens,
		PrefillPerEdit: ratio(edits.Tokens, edits.Calls), PrefillPerEviction: ratio(evictions.Tokens, evictions.Calls),
		Blames: main.Blames, Exact: main.Causes, ExactWorkingShare: main.Lost(working).Share,
		SummarizerCalls:  all.Totals.Calls - main.Totals.Calls,
		SummarizerPrompt: all.Totals.Prompt - main.Totals.Prompt,
	}
	for _, w := range main.Where {
		if w.Segment == queue.Working {
			f.WorkingRecomputed = ratio(w.Prefilled, main.Totals.Calls)
		}
	}
	return f, nil
}

// Replay is every call of the main stream and why it was prefilled.
func (s *Session) Replay(cacheOutputs bool) (serving.Replay, error) {
	_, main, err := s.replay(cacheOutputs)
	return main, err
}

func (s *Session) replay(cacheOutputs bool) (all, main serving.Replay, err error) {
	all, err = s.Ledger.Replay(serving.Options{Block: s.Parameters.Block, CacheOutputs: cacheOutputs})
	return all, all.Stream(Main), err
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
