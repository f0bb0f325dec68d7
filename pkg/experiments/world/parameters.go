package world

import (
	"errors"
	"fmt"

	"memlab/pkg/dialogue/toy"
	"memlab/pkg/memory"
)

// Parameters describe the toy. The lecture gives the sizes; the rates are
// calibrated: chosen so that its numbers come out, not measured. Each comment says
// what the field stands for and which claim pins it. Those of the world itself
// have theirs in package toy.
type Parameters struct {
	World toy.Parameters `json:"world"`
	// Conversations is the size of a group; the lecture's is 10, and 3 where
	// dialogues grow.
	Conversations     int `json:"conversations"`
	LongConversations int `json:"long_conversations"`

	// Window is what full context can hold. Given.
	Window int `json:"window_tokens"`
	// HalfLength is how long a context is when the alpha reader shows half of
	// its effect. Pinned by both claims on alpha and by nothing else.
	HalfLength float64 `json:"alpha_half_tokens"`
	// Guess is how often a reader takes something near for what was never
	// said. An assumption; no claim of the lecture asks.
	Guess float64 `json:"guess"`

	// Recall is the probability that mem0's extraction finds a fact. Pinned by
	// mem0's and mem0g's accuracies and by the write calls.
	Recall float64 `json:"extract_recall"`
	// NoopError is the probability that a change is taken for a known fact.
	// Pinned by mem0g's accuracy on previous values.
	NoopError float64 `json:"noop_error"`
	// AddError is the probability that a change is added without the old value
	// being deleted. Pinned by mem0's accuracy on previous values: .03 at most.
	AddError float64 `json:"add_error"`

	// SummaryEvery is after how many pairs mem0's asynchronous summary is
	// refreshed, SummaryTokens its length. An assumption: the paper gives
	// neither. It is part of an extraction's 1,000 fixed tokens; what making it
	// costs is counted apart.
	SummaryEvery  int `json:"summary_every_pairs"`
	SummaryTokens int `json:"summary_tokens"`

	// FIFO is the length of MemGPT's queue: a window of 8k less instructions
	// and reserve. The lecture says about 6 thousand.
	FIFO int `json:"fifo_tokens"`
	// Entries is how many facts MemGPT's working context holds, of about 28.
	// Pinned by its calls per question.
	Entries int `json:"working_entries"`
	// Notice is the probability that an evicted fact is noticed, MissChange
	// that a change is missed then. Taken over from mem0's.
	Notice     float64 `json:"notice"`
	MissChange float64 `json:"miss_change"`
	// Page is how many messages a search shows; one page is read. Pinned by
	// MemGPT's accuracy.
	Page int `json:"page_messages"`
}

// DefaultParameters are the lecture's sizes and the calibrated rates.
func DefaultParameters() Parameters {
	return Parameters{
		World: toy.DefaultParameters(), Conversations: 10, LongConversations: 3,
		Window: 128_000, HalfLength: memory.DefaultHalf, Guess: 0.3,
		Recall: 0.87, NoopError: 0.13, AddError: 0.01,
		SummaryEvery: 20, SummaryTokens: 200,
		FIFO: 6400, Entries: 18, Notice: 0.87, MissChange: 0.13, Page: 5,
	}
}

// free names the parameters that were chosen to make rows come out.
var free = []string{
	"world.min_changes", "world.max_changes", "world.min_replaced", "world.max_replaced", "world.restated", "world.p_topic",
	"world.message_noise", "world.chunk_noise", "world.memory_noise", "world.query_noise",
	"world.type_weight", "world.name_weight", "alpha_half_tokens",
	"extract_recall", "noop_error", "add_error", "working_entries", "page_messages",
}

// ErrParameter is the kind of every error about a parameter or a setting that
// cannot be.
var ErrParameter = errors.New("bad parameter")

func bad(format string, args ...any) error {
	return fmt.Errorf("world: %w: %w", ErrParameter, fmt.Errorf(format, args...))
}

func (p Parameters) check() error {
	const most = 100_000 // far beyond sense
	if p.Conversations < 1 || p.LongConversations < 1 || p.Conversations > most || p.LongConversations > most {
		return bad("conversations %d, long_conversations %d: want 1 to %d", p.Conversations, p.LongConversations, most)
	}
	return nil
}

// Scaled are the parameters with conversations that many times as long.
func (p Parameters) Scaled(scale int) Parameters {
	p.World.Scale = scale
	p.Conversations = p.LongConversations
	return p
}
