package memgpt

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/serving"
)

// Handle is a turn of the agent: an event enters the queue, and the judge is asked
// until the chain ends. What leaves the queue meanwhile, and a warning if it is
// nearly full, are handled after it and are in the trace's Raised. After an error
// the event and what was done so far remain.
func (m *Memory) Handle(ctx context.Context, e Event) (Trace, error) {
	if err := e.check(); err != nil {
		return Trace{}, err
	}
	phase := serving.Write
	if e.Query != nil {
		phase = serving.Read
	}
	var err error
	if e.Kind == Message {
		err = m.enter(e.Message)
	} else {
		m.next()
		err = m.pushEvent(&e)
	}
	if err != nil {
		return Trace{}, err
	}
	c := m.queuedChain(e, phase)
	c.trace = m.begin(&e)
	m.handling = true
	if err = m.run(ctx, c); err == nil {
		err = m.settle(ctx)
	}
	t := c.finish()
	t.Raised, m.raised, m.handling = slices.Clip(m.raised), nil, false
	m.keep(t)
	return t, err
}

func (m *Memory) pushEvent(e *Event) error {
	tokens := m.size(e.Text, m.Question)
	if most := m.most(); tokens > most {
		return fmt.Errorf("memgpt: event %q: %w: %d tokens, and the queue holds %d", e.Kind, queue.ErrWindow, tokens, most)
	}
	return m.push(m.eventItem(e, tokens), Line{Role: "system", Text: e.Text, tokens: tokens})
}

func (m *Memory) eventItem(e *Event, tokens int) serving.Item {
	return serving.Item{Kind: string(e.Kind), Name: strconv.Itoa(m.pushed), Tokens: tokens}
}

// queuedChain is for an event that has just entered the queue.
func (m *Memory) queuedChain(e Event, phase serving.Phase) *chain {
	return &chain{
		event: e, phase: phase, turn: m.turn, queued: true, id: "event " + strconv.Itoa(m.pushed-1),
		before: m.popped + len(m.lines) - 1, tokens: m.inTurn,
	}
}

// note asks the judge about a message that has left the queue.
func (m *Memory) note(ctx context.Context, msg *dialogue.Message) error {
	e := Event{Kind: Warning, Message: msg, Text: "This message has left the queue."}
	c := &chain{event: e, phase: serving.Write, turn: m.turn, id: msg.ID}
	tokens := m.size(e.Text, m.Question) + msg.Tokens
	c.tail, c.tokens = []serving.Item{{Kind: "leaving", Name: msg.ID, Tokens: tokens}}, tokens
	edits := m.edits
	if err := m.alone(ctx, c); err != nil {
		return err
	}
	if m.edits == edits {
		state := missed
		if slices.ContainsFunc(c.results, func(r Result) bool { return !r.OK }) {
			state = unwritten
		}
		m.remember([]string{msg.ID}, state, "")
	} else if m.Layout == queue.Log {
		return m.log(ctx, c)
	}
	return nil
}

// log appends what a chain outside the queue did to the working context: under
// queue.Log the prompt shows it nowhere else until the next eviction.
func (m *Memory) log(ctx context.Context, c *chain) error {
	var text []string
	for i := range c.results {
		text = append(text, c.results[i].Function+" "+c.results[i].Arguments)
	}
	line := Line{Role: "function", Text: strings.Join(text, "\n")}
	line.tokens = min(m.size(line.Text, len(text)*(m.Call+m.Result)), m.most())
	if m.inTurn+line.tokens > m.most() {
		m.next()
	}
	if err := m.push(serving.Item{Kind: "log", Name: c.id, Tokens: line.tokens}, line); err != nil {
		return err
	}
	return m.ready(ctx)
}

// warn tells the judge that the queue is nearly full.
func (m *Memory) warn(ctx context.Context) error {
	e := Event{Kind: Warning, Text: "Memory pressure: the queue is nearly full, and its oldest messages will leave."}
	tokens := m.size(e.Text, m.Question)
	if m.inTurn+tokens > m.most() {
		m.next()
	}
	if err := m.queue.Warn(queue.Message{Turn: m.turn, Items: []serving.Item{m.eventItem(&e, tokens)}}); err != nil {
		return fmt.Errorf("memgpt: %w", err)
	}
	m.took(Line{Role: "system", Text: e.Text, tokens: tokens})
	return m.alone(ctx, m.queuedChain(e, serving.Write))
}

// alone runs a chain of the agent's own and keeps its trace.
func (m *Memory) alone(ctx context.Context, c *chain) error {
	if !m.handling && m.KeepTraces == 0 {
		return m.run(ctx, c)
	}
	c.trace = m.begin(&c.event)
	err := m.run(ctx, c)
	if t := c.finish(); m.handling {
		m.raised = append(m.raised, t)
	} else {
		m.keep(t)
	}
	return err
}

// Read implements memory.System: the judge is asked the question, at the end of
// the prompt as it stands, and its searches are carried out. Memory is not
// changed, and the question does not enter it.
func (m *Memory) Read(ctx context.Context, q dialogue.Query) (memory.Material, error) {
	if m.KeepTraces > 0 {
		found, _, err := m.Ask(ctx, q)
		return found, err
	}
	found, _, err := m.read(ctx, q, nil)
	return found, err
}

// Ask is Read with its trace.
func (m *Memory) Ask(ctx context.Context, q dialogue.Query) (memory.Material, Trace, error) {
	e := question(&q)
	found, c, err := m.read(ctx, q, m.begin(&e))
	t := c.finish()
	m.keep(t)
	return found, t, err
}

func question(q *dialogue.Query) Event { return Event{Kind: Message, Query: q} }

func (m *Memory) read(ctx context.Context, q dialogue.Query, t *Trace) (memory.Material, *chain, error) {
	tokens := m.size(q.Text, m.Question)
	if most := m.room(); tokens > most {
		return memory.Material{}, &chain{trace: t}, fmt.Errorf("memgpt: question %q: %w: %d tokens, and there is room for %d",
			q.ID, queue.ErrWindow, tokens, most)
	}
	c := &chain{
		event: question(&q), phase: serving.Read, turn: m.reads, id: q.ID, readOnly: true, trace: t,
		tail: []serving.Item{{Kind: "question", Name: q.ID, Tokens: tokens}}, tokens: tokens,
	}
	m.reads++
	if err := m.run(ctx, c); err != nil {
		return memory.Material{}, c, err
	}
	out := memory.Material{Calls: c.steps, Tokens: c.pages() + m.queue.State().Summary}
	for _, l := range m.lines[c.skipped:] {
		out.Tokens += l.tokens
		if l.Message != nil {
			out.Messages = append(out.Messages, l.Message)
		}
	}
	out.Messages = c.messages(out.Messages)
	out.Memories = m.Working()
	for i := range m.entries {
		out.Tokens += m.entries[i].Tokens
	}
	return out, c, nil
}
