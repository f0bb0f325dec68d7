package memgpt

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/serving"
)

// chain is one event and the steps that it causes.
type chain struct {
	event Event
	phase serving.Phase
	turn  int // for the account
	// queued says that calls and results stay in the queue. Else they are only
	// at the end of the prompts of this chain: tail.
	queued   bool
	readOnly bool
	tail     []serving.Item
	id       string
	tokens   int // of the event, the calls and the results
	before   int // lines that had entered the queue before the event, if queued
	skipped  int // lines of the queue that did not fit into the first prompt
	steps    int
	called   int
	results  []Result
	sent     bool
	stopped  string
	trace    *Trace
}

// Why a chain was ended.
const (
	StoppedBySteps  = "steps"  // it had as many as may be
	StoppedByWindow = "window" // one more call does not fit
)

// run steps until the chain ends. Another step follows a failed function, a
// heartbeat, a search (whatever it asked for: results are for reading), and every
// step while a user waits for a reply; but never more than Steps of them, since an
// agent that errs for ever is paid for ever.
func (m *Memory) run(ctx context.Context, c *chain) error {
	for step := 1; ; step++ {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("memgpt: %s %q: %w", c.event.Kind, c.event.about(), err)
		}
		if c.tokens > m.limit(c) {
			m.stop(c, StoppedByWindow)
			return nil
		}
		more, err := m.step(ctx, c, m.Steps-step)
		if err != nil {
			return fmt.Errorf("memgpt: %s %q: step %d: %w", c.event.Kind, c.event.about(), step, err)
		}
		if !more {
			return nil
		}
		if step == m.Steps {
			m.stop(c, StoppedBySteps)
			return nil
		}
	}
}

func (m *Memory) stop(c *chain, why string) {
	m.stats.Capped++
	c.stopped = why
}

// limit is how long the event, the calls and the results of a chain may become.
func (m *Memory) limit(c *chain) int {
	if c.queued {
		return m.most()
	}
	return m.room() // the queue makes way for them
}

// step is one call of the model and what it makes happen.
func (m *Memory) step(ctx context.Context, c *chain, left int) (more bool, err error) {
	if c.queued {
		if err := m.ready(ctx); err != nil {
			return false, err
		}
	}
	skip, length := m.fit(c)
	if c.steps == 0 {
		c.skipped = skip
	}
	reply, err := m.Judge.Step(ctx, Context{
		System: m.Instructions, Working: m.entries, Entries: m.Options.Entries, Summary: m.summary,
		Queue: m.seen(c, skip), Event: c.event, Results: c.results, Left: left,
	})
	if err != nil {
		return false, err
	}
	c.steps++
	m.stats.Steps++
	s, err := m.charge(c, &reply, skip, length)
	if err != nil {
		return false, err
	}
	more, err = m.carryOut(ctx, c, &s, &reply)
	if c.trace != nil {
		c.trace.Steps = append(c.trace.Steps, s)
	}
	return more && c.stopped == "", err
}

// seen is what the judge sees of the queue.
func (m *Memory) seen(c *chain, skip int) []Line {
	if c.queued {
		return m.lines[:max(0, c.before-m.popped)]
	}
	return m.lines[skip:]
}

// fit says how many of the queue's oldest lines must stay out of a prompt for it
// to fit the window, and its length.
func (m *Memory) fit(c *chain) (skip, length int) {
	length = m.queue.Tokens() + serving.Tokens(c.tail)
	for skip < len(m.lines) && length > m.Window {
		length -= m.lines[skip].tokens
		skip++
	}
	return skip, length
}

// charge accounts for a step.
func (m *Memory) charge(c *chain, r *Reply, skip, length int) (Step, error) {
	s := Step{Purpose: c.purpose(r), Prompt: length}
	output := make([]serving.Item, len(r.Calls))
	for i := range r.Calls {
		output[i] = serving.Item{Kind: "call", Name: c.name(i + 1), Tokens: m.callTokens(&r.Calls[i])}
		s.Output += output[i].Tokens
	}
	call := serving.Call{Stream: "agent", Phase: c.phase, Purpose: s.Purpose, Turn: c.turn}
	err := m.Account.Call(call, length, s.Output, func() (serving.Prompt, []serving.Item) {
		return withTail(m.queue.Prompt(), skip, c.tail), output
	})
	return s, err
}

func (c *chain) purpose(r *Reply) string {
	other := false
	for i := range r.Calls {
		if f := named(r.Calls[i].Name); f != nil && f.searches {
			return "search"
		}
		other = other || r.Calls[i].Name != SendMessage
	}
	switch {
	case c.event.Query != nil:
		return "answer"
	case c.event.waits() && !other:
		return "reply"
	}
	return "memory"
}

// name is of the n-th call from now on.
func (c *chain) name(n int) string { return c.id + "/" + strconv.Itoa(c.called+n) }

// withTail puts items behind the queue and leaves out its oldest ones.
func withTail(p serving.Prompt, skip int, tail []serving.Item) serving.Prompt {
	if skip == 0 && len(tail) == 0 {
		return p
	}
	i := slices.IndexFunc(p, func(s serving.Segment) bool { return s.Name == queue.FIFO })
	if i < 0 {
		return append(p, serving.Segment{Name: queue.FIFO, Kind: serving.Queue, Items: tail})
	}
	p[i].Items = slices.Concat(p[i].Items[skip:], tail)
	if len(p[i].Items) == 0 {
		return slices.Delete(p, i, i+1)
	}
	return p
}

// callTokens is the length of what the model writes for a call.
func (m *Memory) callTokens(f *FunctionCall) int {
	if f.Name == SendMessage {
		return m.size(string(f.Arguments), m.Reply)
	}
	return m.size(f.Name+string(f.Arguments), m.Call)
}
