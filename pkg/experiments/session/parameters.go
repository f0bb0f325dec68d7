package session

import (
	"errors"
	"fmt"
	"math"

	"memlab/pkg/memory/memgpt/queue"
)

// Parameters describe a session. The lecture gives the first five; the others are
// calibrated: chosen so that its numbers come out, not measured. Each comment says
// what the field stands for, which claim pins it and in which range, the others
// being as they are, the means over 30 seeds stay in all bands.
type Parameters struct {
	// Turns, Window, Warn, Flush and Evict are the lecture's: 600 turns, 8k, a
	// warning at 70%, eviction of half the window at 100%.
	Turns  int     `json:"turns"`
	Window int     `json:"window_tokens"`
	Warn   float64 `json:"warn"`
	Flush  float64 `json:"flush"`
	Evict  float64 `json:"evict"`
	// EvictLess and EvictMore are the other shares that the lecture compares.
	EvictLess float64 `json:"evict_less"`
	EvictMore float64 `json:"evict_more"`

	// System is the length of the instructions. With WorkingCap it sets how
	// much queue the window holds: pinned by the prefill of an eviction and the
	// numbers of evictions. 800 to 1150.
	System int `json:"system_tokens"`
	// WorkingFixed is the part of the working context that is never edited
	// (persona, headings), Entry a fact in it. Hardly pinned, as the cap is
	// what counts: 100 to 450, 15 to 50 (smaller ones do not fill it up).
	WorkingFixed int `json:"working_fixed_tokens"`
	Entry        int `json:"entry_tokens"`
	// WorkingCap is the capacity of the working context. Pinned by the 700
	// tokens that the end layout recomputes for each call: 675 to 825.
	WorkingCap int `json:"working_cap_tokens"`
	// Summary is the length of the recursive summary. Weakly pinned by the
	// prefill of evictions: 75 to 600.
	Summary int `json:"summary_tokens"`

	// User and Reply are the mean lengths of the two messages of a turn. Pinned
	// by the numbers of evictions, with all that flows through the queue: 40 to
	// 56, 54 to 66.
	User  float64 `json:"user_tokens"`
	Reply float64 `json:"reply_tokens"`
	// Spread is the coefficient of variation of both (log-normal). Hardly
	// pinned: .1 to 1.5.
	Spread float64 `json:"spread"`
	// MinMessage is the shortest message. Not pinned: 1 to 20.
	MinMessage int `json:"min_message_tokens"`

	// Search is the probability that a turn searches the recall storage, one
	// call more each time. Pinned by the 767 calls: .05 to .13.
	Search float64 `json:"p_search"`
	// Page is the length of a page of search results. Pinned weakly by the
	// evictions: 110 to 286.
	Page int `json:"page_tokens"`
	// Call is the length of a function call as it stays in the queue, Warning
	// of the message on memory pressure. Hardly pinned: 10 to 60, 1 to 80.
	Call    int `json:"call_tokens"`
	Warning int `json:"warning_tokens"`

	// Fact is the probability that the user's message holds a fact worth
	// keeping. The most sensitive one: with StoreNow it sets the number of
	// edits, and so the prefill that they cause. .126 to .150 (at .12 and .16
	// the means of several claims leave their bands).
	Fact float64 `json:"p_fact"`
	// StoreNow is the probability that a fact is stored at once and not when
	// memory gets tight. Pinned by the same claims at 50% and 10%: .52 to .8.
	StoreNow float64 `json:"p_store_now"`
	// EditsPerWarning is how many facts a warning brings into the working
	// context at most; without any there is one edit, a digest of the talk.
	// The lecture says "several edits": held back by how few facts are left
	// when there are 90 warnings, where it cannot be true. 2 or more; 1 gives
	// too few edits.
	EditsPerWarning int `json:"edits_per_warning"`

	// Block is the cache's block in tokens, vLLM's. Not pinned: 1 to 64; 1 makes
	// the prefill one percent smaller.
	Block int `json:"block_tokens"`
}

// DefaultParameters are the lecture's session and the calibrated values.
func DefaultParameters() Parameters {
	return Parameters{
		Turns: 600, Window: 8000, Warn: 0.7, Flush: 1, Evict: 0.5, EvictLess: 0.1, EvictMore: 0.75,
		System: 1000, WorkingFixed: 250, Entry: 25, WorkingCap: 750, Summary: 300,
		User: 50, Reply: 60, Spread: 1, MinMessage: 4,
		Search: 0.10, Page: 220, Call: 40, Warning: 40,
		Fact: 0.14, StoreNow: 0.65, EditsPerWarning: 3,
		Block: 16,
	}
}

// free names the parameters that were chosen to make rows come out.
var free = []string{
	"system_tokens", "working_fixed_tokens", "entry_tokens", "working_cap_tokens", "summary_tokens",
	"user_tokens", "reply_tokens", "spread", "min_message_tokens", "p_search", "page_tokens", "call_tokens",
	"warning_tokens", "p_fact", "p_store_now", "edits_per_warning", "block_tokens",
}

// ErrParameter is the kind of every error about a parameter with an impossible
// value.
var ErrParameter = errors.New("bad parameter")

func bad(format string, args ...any) error {
	return fmt.Errorf("session: %w: %w", ErrParameter, fmt.Errorf(format, args...))
}

func (p Parameters) check() error {
	for _, f := range []struct {
		name string
		got  float64
	}{{"p_search", p.Search}, {"p_fact", p.Fact}, {"p_store_now", p.StoreNow}} {
		if !(f.got >= 0 && f.got <= 1) {
			return bad("%s %g: want 0 to 1", f.name, f.got)
		}
	}
	for _, f := range []struct {
		name      string
		got, want int
	}{
		{"turns", p.Turns, 1}, {"system_tokens", p.System, 1}, {"working_fixed_tokens", p.WorkingFixed, 1},
		{"entry_tokens", p.Entry, 1}, {"summary_tokens", p.Summary, 0}, {"min_message_tokens", p.MinMessage, 1},
		{"page_tokens", p.Page, 1}, {"call_tokens", p.Call, 1}, {"warning_tokens", p.Warning, 1},
		{"edits_per_warning", p.EditsPerWarning, 1}, {"block_tokens", p.Block, 1},
	} {
		if f.got < f.want {
			return bad("%s %d: want %d or more", f.name, f.got, f.want)
		}
	}
	for _, f := range []struct {
		name string
		got  float64
	}{{"user_tokens", p.User}, {"reply_tokens", p.Reply}} {
		if !(f.got >= 1) || f.got > float64(p.Window) {
			return bad("%s %g: want 1 to window_tokens (%d)", f.name, f.got, p.Window)
		}
	}
	if !(p.Spread >= 0 && p.Spread <= 10) {
		return bad("spread %g: want 0 to 10", p.Spread)
	}
	if p.Entry > p.WorkingCap-p.WorkingFixed {
		return bad("entry_tokens %d: want at most working_cap_tokens - working_fixed_tokens (%d)", p.Entry, p.WorkingCap-p.WorkingFixed)
	}
	return nil
}

// Setting is what is compared under the same conversation. The conversation is
// drawn from parameters and seed alone.
type Setting struct {
	Evict    float64      `json:"evict"` // share of the window
	Layout   queue.Layout `json:"layout"`
	StoreNow float64      `json:"p_store_now"`
}

// Setting is the one of the parameters, in MemGPT's layout.
func (p Parameters) Setting() Setting {
	return Setting{Evict: p.Evict, Layout: queue.Front, StoreNow: p.StoreNow}
}

// sigma is the parameter of a log-normal distribution with that spread.
func (p Parameters) sigma() float64 { return math.Sqrt(math.Log1p(p.Spread * p.Spread)) }
