package toy

import (
	"errors"
	"fmt"
)

// Parameters are the sizes of the world and of its agent's abilities.
type Parameters struct {
	// Kinds x Details situations have one rule each: what to do there. A
	// generic advice is about a kind, a rule about a detail of it.
	Kinds   int `json:"kinds"`
	Details int `json:"details"`
	// Actions is how many things there are to do, one of them right.
	Actions int `json:"actions"`
	// Skew: the r-th most frequent situation comes up as 1/r^Skew.
	Skew float64 `json:"skew"`

	// Base is how often the model is right without a rule, Known how often it
	// follows one that it has read, right or wrong.
	Base  float64 `json:"base"`
	Known float64 `json:"known"`
	// Generic is what an advice without a rule ("check twice") adds to Base.
	Generic float64 `json:"generic"`
	// Astray is how often the model follows an advice that has lost its
	// condition ("always retry") where it has no rule.
	Astray float64 `json:"astray"`

	// Reflect is the probability that a round of reflection turns what
	// happened in one case into a rule; Raw that the curator gets that from a
	// bare trajectory, without a reflector. Otherwise the lesson is bound to
	// the case and of use only there.
	Reflect float64 `json:"p_reflect"`
	Raw     float64 `json:"p_raw"`
	// Notice is the probability that the curator sees that a bullet says
	// already what it is about to add, in other words.
	Notice float64 `json:"p_notice"`

	// Comfort is the length up to which a rewriter repeats the sheet
	// faithfully. Beyond, it writes a summary instead with probability Haste x
	// (length/comfort - 1) per rewrite: that is the collapse. A summary is
	// Summary lines, each without its condition.
	Comfort int     `json:"comfort_tokens"`
	Haste   float64 `json:"haste"`
	Summary int     `json:"summary_lines"`
	// MaxOutput is the limit of a rewriter's output, 0: none. What is longer
	// is cut off and does not end with the closing tag.
	MaxOutput int `json:"max_output_tokens"`
	// Interrupt is how often a rewriter's output breaks off, anywhere.
	Interrupt float64 `json:"p_interrupt"`

	// Task, Output, Reflection and Message are lengths: of a task in prompts,
	// of a trajectory, of a reflection and of feedback.
	Task       int `json:"task_tokens"`
	Output     int `json:"output_tokens"`
	Reflection int `json:"reflection_tokens"`
	Message    int `json:"feedback_tokens"`
}

// DefaultParameters are sizes at which 300 tasks teach most of what is frequent.
func DefaultParameters() Parameters {
	return Parameters{
		Kinds: 16, Details: 6, Actions: 8, Skew: 0.8,
		Base: 0.5, Known: 0.95, Generic: 0.05, Astray: 0.25,
		Reflect: 0.5, Raw: 0.2, Notice: 0.5,
		Comfort: 1000, Haste: 0.1, Summary: 6,
		Task: 300, Output: 300, Reflection: 150, Message: 50,
	}
}

// ErrParameter is the kind of every error about an impossible parameter.
var ErrParameter = errors.New("bad parameter")

func bad(format string, args ...any) error {
	return fmt.Errorf("toy: %w: %w", ErrParameter, fmt.Errorf(format, args...))
}

func (p Parameters) check() error {
	for _, f := range []struct {
		name string
		got  float64
	}{
		{"base", p.Base}, {"known", p.Known}, {"astray", p.Astray}, {"p_reflect", p.Reflect}, {"p_raw", p.Raw},
		{"p_notice", p.Notice}, {"p_interrupt", p.Interrupt}, {"generic", p.Generic}, {"base + generic", p.Base + p.Generic},
	} {
		if !(f.got >= 0 && f.got <= 1) {
			return bad("%s %g: want 0 to 1", f.name, f.got)
		}
	}
	for _, f := range []struct {
		name           string
		got, low, high int
	}{
		{"kinds", p.Kinds, 1, len(kinds)}, {"details", p.Details, 1, len(details)}, {"actions", p.Actions, 2, len(actions)},
		{"comfort_tokens", p.Comfort, 1, 1 << 30}, {"summary_lines", p.Summary, 0, 1 << 20}, {"max_output_tokens", p.MaxOutput, 0, 1 << 30},
		{"task_tokens", p.Task, 1, 1 << 20}, {"output_tokens", p.Output, 1, 1 << 20},
		{"reflection_tokens", p.Reflection, 0, 1 << 20}, {"feedback_tokens", p.Message, 0, 1 << 20},
	} {
		if f.got < f.low || f.got > f.high {
			return bad("%s %d: want %d to %d", f.name, f.got, f.low, f.high)
		}
	}
	if !(p.Skew >= 0 && p.Skew <= 10) || !(p.Haste >= 0 && p.Haste <= 1e6) {
		return bad("skew %g, haste %g: want 0 or more, at most 10 and 1e6", p.Skew, p.Haste)
	}
	return nil
}
