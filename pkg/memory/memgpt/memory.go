package memgpt

import (
	"context"
	"fmt"
	"slices"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/retrieve"
	"memlab/pkg/serving"
)

// Memory is an agent: its main memory, its storages, and the loop that carries
// out what the judge calls. It is not safe for concurrent use.
type Memory struct {
	Options

	queue    *queue.Manager
	lines    []Line // what the queue holds, one for each of its messages
	entries  []memory.Memory
	versions []int // of the entries' texts
	summary  string
	told     int // messages that the summary may tell of
	recall   *storage
	archival *storage

	turn   int
	inTurn int // tokens of the running turn's messages
	last   dialogue.Role
	reads  int
	named  int // entries and passages so far
	edits  int // of the working context
	pushed int // lines that have entered the queue
	popped int // and have left it, but for those that were forgotten

	leaving  []*dialogue.Message // the judge has still to look at them
	notes    map[string]note     // by message
	stats    Stats
	kept     []Trace
	raised   []Trace // during Handle
	handling bool
}

// Stats counts what happened.
type Stats struct {
	Steps  int `json:"steps"`  // calls of the model for events and questions
	Calls  int `json:"calls"`  // of functions
	Failed int `json:"failed"` // of these
	// Capped counts the chains that were ended: the model wanted, or was owed,
	// another step.
	Capped       int `json:"capped"`
	Noticed      int `json:"noticed"`      // messages that left the queue and were looked at
	Dropped      int `json:"dropped"`      // entries that had to go for others
	Evicted      int `json:"evicted"`      // messages that left the queue
	Unsearchable int `json:"unsearchable"` // messages without anything to embed
}

// New checks the options.
func New(o Options) (*Memory, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	q, err := queue.New(queue.Config{
		Window: o.Window, System: []serving.Item{{Kind: "system", Name: "instructions", Tokens: o.System}},
		Cap: o.Entries * o.Entry, Summary: o.Summary, Warn: o.Warn, Flush: o.Flush, Evict: o.Evict, Layout: o.Layout,
	})
	if err != nil {
		return nil, fmt.Errorf("memgpt: %w: %w", ErrOption, err)
	}
	m := &Memory{Options: o, queue: q, notes: map[string]note{}}
	if m.recall, err = newStorage(o.Recall, retrieve.Message, o.Embedder); err != nil {
		return nil, fmt.Errorf("memgpt: recall storage: %w", err)
	}
	if m.archival, err = newStorage(o.Archival, retrieve.Memory, o.Embedder); err != nil {
		return nil, fmt.Errorf("memgpt: archival storage: %w", err)
	}
	m.recall.embedded, m.archival.embedded = m.embedded("message"), m.embedded("passage")
	return m, nil
}

func (m *Memory) embedded(purpose string) func(texts, tokens int) error {
	return func(texts, tokens int) error {
		return m.Account.Embed(serving.Embedding{
			Phase: serving.Write, Purpose: purpose, Turn: m.turn, Texts: texts, Tokens: tokens,
		})
	}
}

// Write implements memory.System: a message enters the queue and recall storage,
// and the judge looks at what leaves the queue for it. It is not asked for a
// reply: the dialogue has its own. For a turn with one see Handle.
func (m *Memory) Write(ctx context.Context, msg *dialogue.Message) error {
	if err := m.enter(msg); err != nil {
		return err
	}
	return m.settle(ctx)
}

// Finish implements memory.System: what waits to be embedded, or to be looked at
// since a judge failed, is.
func (m *Memory) Finish(ctx context.Context) error {
	if err := m.settle(ctx); err != nil {
		return err
	}
	if err := m.recall.index(ctx); err != nil {
		return fmt.Errorf("memgpt: recall storage: %w", err)
	}
	return nil
}

// enter puts a message into the queue and recall storage.
func (m *Memory) enter(msg *dialogue.Message) error {
	if err := msg.Check(); err != nil {
		return fmt.Errorf("memgpt: %w", err)
	}
	if _, taken := m.recall.at[msg.ID]; taken {
		return fmt.Errorf("memgpt: message %q was written before", msg.ID)
	}
	item := memory.MessageItem(msg)
	if err := item.Check(); err != nil {
		return fmt.Errorf("memgpt: message %q: %w", msg.ID, err)
	}
	if most := m.most(); msg.Tokens > most {
		return fmt.Errorf("memgpt: message %q: %w: %d tokens, and the queue holds %d", msg.ID, queue.ErrWindow, msg.Tokens, most)
	}
	if msg.Role == dialogue.User || msg.Role == m.last || m.inTurn+msg.Tokens > m.most() {
		m.next()
	}
	if err := m.push(item, Line{Role: string(msg.Role), Text: msg.Text, Message: msg, tokens: msg.Tokens}); err != nil {
		return err
	}
	m.last = msg.Role
	m.recall.add(Record{ID: msg.ID, Time: msg.Time, Role: string(msg.Role), Text: msg.Text, tokens: msg.Tokens, message: msg})
	return nil
}

// next begins a turn.
func (m *Memory) next() {
	m.turn++
	m.inTurn, m.last = 0, ""
}

func (m *Memory) push(item serving.Item, line Line) error {
	if err := m.queue.Append(queue.Message{Turn: m.turn, Items: []serving.Item{item}}); err != nil {
		return fmt.Errorf("memgpt: %w", err)
	}
	m.took(line)
	return nil
}

// took notes a line that is in the queue now.
func (m *Memory) took(line Line) {
	m.lines = append(m.lines, line)
	m.inTurn += line.tokens
	m.pushed++
}

// ready makes room in the queue.
func (m *Memory) ready(ctx context.Context) error {
	_, e, err := m.queue.Ready()
	if err != nil {
		return fmt.Errorf("memgpt: %w", err)
	}
	if len(e.Messages) == 0 {
		return nil
	}
	var gone []*dialogue.Message
	for _, l := range m.lines[:len(e.Messages)] {
		if l.Message != nil {
			gone = append(gone, l.Message)
		}
	}
	clear(m.lines[:len(e.Messages)])
	m.lines = m.lines[len(e.Messages):]
	m.popped += len(e.Messages)
	m.stats.Evicted += len(gone)
	for _, msg := range gone {
		n := m.notes[msg.ID]
		n.left = true
		m.notes[msg.ID] = n
	}
	if _, looks := m.Judge.(Noticer); looks {
		m.leaving = append(m.leaving, gone...)
	}
	return m.summarize(ctx, e, gone)
}

// settle makes room, lets the judge look at what leaves, and warns it of a full
// queue: once, as a judge could answer every warning by filling the queue.
func (m *Memory) settle(ctx context.Context) error {
	if err := m.look(ctx); err != nil || !m.queue.Pressure() {
		return err
	}
	if err := m.warn(ctx); err != nil {
		return err
	}
	return m.look(ctx)
}

// look shows the judge what leaves the queue, if it looks. What it failed on waits
// for the next time.
func (m *Memory) look(ctx context.Context) error {
	if err := m.ready(ctx); err != nil {
		return err
	}
	for len(m.leaving) > 0 {
		if msg := m.leaving[0]; m.Judge.(Noticer).Notices(msg) {
			if err := m.note(ctx, msg); err != nil {
				return err
			}
			m.stats.Noticed++
		}
		m.leaving = m.leaving[1:]
	}
	m.leaving = nil
	return nil
}

// Working is the working context.
func (m *Memory) Working() []memory.Memory { return slices.Clone(m.entries) }

// Stats counts what happened so far.
func (m *Memory) Stats() Stats {
	s := m.stats
	s.Unsearchable = m.recall.silent
	return s
}

// State is how full the window is.
func (m *Memory) State() queue.State { return m.queue.State() }

// Prompt is the prompt as it stands, without an event.
func (m *Memory) Prompt() serving.Prompt { return m.queue.Prompt() }

// Traces are the latest ones, as many as Options.KeepTraces, the oldest first.
func (m *Memory) Traces() []Trace { return slices.Clone(m.kept) }
