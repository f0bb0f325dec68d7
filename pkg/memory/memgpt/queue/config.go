package queue

import (
	"errors"
	"fmt"
	"math"

	"memlab/pkg/serving"
)

// Layout is where the working context stands and how edits reach the prompt.
type Layout string

// The layouts.
const (
	// Front is MemGPT's: system, working context, summary, queue. An edit
	// changes the prompt near its beginning.
	Front Layout = "front"
	// End puts the working context last: every message goes in before it.
	End Layout = "end"
	// Log is Front with edits held back: until the next eviction the message
	// that made the edit, at the end of the queue, is all that shows it.
	Log Layout = "log"
)

// Layouts lists the layouts.
func Layouts() []Layout { return []Layout{Front, End, Log} }

// The names of the prompt's segments.
const (
	System  = "system"
	Working = "working context"
	Summary = "summary"
	FIFO    = "queue"
)

// Policy decides when messages leave the queue and how many: Share or ToFit.
type Policy interface {
	check(Config) error
	evict(*Manager) (messages int, err error)
}

// Share is MemGPT's policy. When the prompt exceeds the flush threshold, whole
// turns leave, the oldest first, until they make up at least this share of the
// window and the prompt is below the threshold; the last turn always stays.
type Share float64

// ToFit is a sliding window: whenever the queue exceeds that many tokens,
// messages leave one by one until it does not; the last one always stays.
type ToFit int

// Config is how a queue is set up. Shares are of the window.
type Config struct {
	Window int            `json:"window_tokens"`
	System []serving.Item `json:"system"` // read-only instructions
	// Fixed is the part of the working context that is never edited; Cap is
	// the capacity of the whole working context in tokens.
	Fixed []serving.Item `json:"fixed,omitempty"`
	Cap   int            `json:"cap_tokens"`
	// Summary is the length of the recursive summary, in the prompt from the
	// first eviction on; 0: none is kept.
	Summary int `json:"summary_tokens"`
	// Warn is the share above which Pressure asks for a warning (0: never),
	// Flush the one above which Share evicts. Both are for Share only.
	Warn   float64 `json:"warn"`
	Flush  float64 `json:"flush"`
	Evict  Policy  `json:"evict"`
	Layout Layout  `json:"layout"`
}

// Errors that a caller may branch on with errors.Is.
var (
	// ErrConfig: a field of Config has an impossible value.
	ErrConfig = errors.New("bad configuration")
	// ErrFull: the working context cannot take the entry. MemGPT returns it
	// to the model, which must make room itself.
	ErrFull = errors.New("working context is full")
	// ErrWindow: the prompt exceeds the window and nothing more may leave.
	ErrWindow = errors.New("window is too small")
	// ErrInput: a message or an entry that cannot be.
	ErrInput = errors.New("bad input")
)

func bad(format string, args ...any) error {
	return fmt.Errorf("queue: %w: %w", ErrConfig, fmt.Errorf(format, args...))
}

// maxTokens keeps sums of lengths far from overflow.
const maxTokens = 1 << 30

func (c Config) check() error {
	if len(c.System) == 0 {
		return bad("system: no items: want the instructions")
	}
	whole := serving.Prompt{{Name: System, Items: c.System}, {Name: Working, Items: c.Fixed}}
	if err := whole.Check(); err != nil {
		return bad("%w", err)
	}
	fixed, system := serving.Tokens(c.Fixed), serving.Tokens(c.System)
	switch {
	case c.Window < 1 || c.Window > maxTokens:
		return bad("window_tokens %d: want 1 to %d", c.Window, maxTokens)
	case c.Cap < fixed || c.Cap > maxTokens:
		return bad("cap_tokens %d: want at least the %d of the fixed part and at most %d", c.Cap, fixed, maxTokens)
	case c.Summary < 0 || c.Summary > maxTokens:
		return bad("summary_tokens %d: want 0 to %d", c.Summary, maxTokens)
	case c.Window <= system+c.Cap+c.Summary:
		return bad("window_tokens %d: want more than system (%d), working context (%d) and summary (%d) together",
			c.Window, system, c.Cap, c.Summary)
	case c.Layout != Front && c.Layout != End && c.Layout != Log:
		return bad("layout %q: want one of %q", c.Layout, Layouts())
	case c.Evict == nil:
		return bad("evict: no policy: want Share or ToFit")
	}
	return c.Evict.check(c)
}

func (s Share) check(c Config) error {
	switch {
	case !(s > 0 && s <= 1):
		return bad("evict: share %g: want more than 0 and at most 1", float64(s))
	case !(c.Flush > 0 && c.Flush <= 1):
		return bad("flush %g: want more than 0 and at most 1", c.Flush)
	case !(c.Warn >= 0 && c.Warn <= c.Flush):
		return bad("warn %g: want 0 to flush (%g)", c.Warn, c.Flush)
	}
	if floor := serving.Tokens(c.System) + c.Cap + c.Summary; c.flushAt() <= floor {
		return bad("flush %g: %d tokens, not above the %d of system, working context and summary", c.Flush, c.flushAt(), floor)
	}
	return nil
}

func (f ToFit) check(c Config) error {
	floor := serving.Tokens(c.System) + c.Cap + c.Summary
	switch {
	case f < 1 || int(f) > c.Window-floor:
		return bad("evict: to fit %d tokens: want 1 to %d, what system, working context and summary leave of the window", int(f), c.Window-floor)
	case c.Warn != 0 || c.Flush != 0:
		return bad("warn %g, flush %g: ToFit evicts by its own limit and never warns: want 0", c.Warn, c.Flush)
	}
	return nil
}

// flushAt and warnAt are the largest prompts that do not pass the thresholds.
func (c Config) flushAt() int { return threshold(c.Flush, c.Window) }
func (c Config) warnAt() int  { return threshold(c.Warn, c.Window) }

// threshold rounds down, but takes 0.7 x 10 as 7.
func threshold(share float64, window int) int {
	return int(math.Floor(share*float64(window) + 1e-9))
}
