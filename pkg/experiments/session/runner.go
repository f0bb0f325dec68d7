package session

import (
	"strconv"

	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/serving"
)

// runner is a session under way.
type runner struct {
	*Session
	queue   *queue.Manager
	turn    int
	pending []waiting     // facts not stored yet, oldest first
	open    *serving.Call // the last call, until its output is known
	edits   int
}

// waiting is a fact that is not in the working context yet.
type waiting struct {
	turn int
	slot float64
}

// The purposes of calls: what the model is called on.
const (
	onMessage = "message" // the user's
	onSearch  = "search"  // a page of results
	onEdit    = "edit"    // the heartbeat after an edit
	onWarning = "warning" // memory pressure
	summarize = "summarize"
)

func (r *runner) play(t turn) error {
	if err := r.hear(t.user); err != nil {
		return err
	}
	if t.fact {
		r.Facts++
		r.pending = append(r.pending, waiting{r.turn, t.slot})
	}
	if err := r.call(onMessage, serving.Read); err != nil {
		return err
	}
	if t.search {
		page := serving.Item{Kind: "page", Name: strconv.Itoa(r.turn), Tokens: r.Parameters.Page}
		if err := r.say(serving.Item{Kind: "search", Name: page.Name, Tokens: r.Parameters.Call}, page); err != nil {
			return err
		}
		if err := r.call(onSearch, serving.Read); err != nil {
			return err
		}
	}
	if t.fact && t.now < r.Setting.StoreNow {
		r.pending = r.pending[:len(r.pending)-1]
		r.Now++
		if err := r.store(t.slot); err != nil {
			return err
		}
	}
	if err := r.say(t.reply); err != nil {
		return err
	}
	if r.queue.Pressure() {
		return r.warn(t)
	}
	return nil
}

// warn tells the model that memory is tight. It stores what it has put off, the
// oldest first, or a digest of the talk if it has put off nothing.
func (r *runner) warn(t turn) error {
	warning := serving.Item{Kind: "warning", Name: strconv.Itoa(r.turn), Tokens: r.Parameters.Warning}
	r.Warnings++
	r.Flow += warning.Tokens
	if err := r.queue.Warn(r.message(warning)); err != nil {
		return err
	}
	r.forget()
	n := min(len(r.pending), r.Parameters.EditsPerWarning)
	taken := r.pending[:n]
	r.pending = r.pending[n:]
	if err := r.call(onWarning, serving.Write); err != nil {
		return err
	}
	if n == 0 {
		r.Digests++
		return r.store(t.digest)
	}
	for _, f := range taken {
		if r.left(f) {
			r.Lost++
			continue
		}
		r.OnWarning++
		if err := r.store(f.slot); err != nil {
			return err
		}
	}
	return nil
}

// forget drops the facts whose messages have left the queue.
func (r *runner) forget() {
	for len(r.pending) > 0 && r.left(r.pending[0]) {
		r.pending = r.pending[1:]
		r.Lost++
	}
}

func (r *runner) left(f waiting) bool {
	oldest, ok := r.queue.Oldest()
	return !ok || f.turn < oldest
}

// store edits the working context: a new entry while there is room, else in the
// place of another. The function call stays in the queue, and its heartbeat
// calls the model again.
func (r *runner) store(slot float64) error {
	entries := r.queue.Entries()
	var err error
	if r.queue.Room() >= r.Parameters.Entry {
		err = r.queue.Insert(serving.Item{Kind: "entry", Name: strconv.Itoa(len(entries)), Tokens: r.Parameters.Entry})
	} else {
		i := int(slot * float64(len(entries)))
		entry := entries[i]
		entry.Version++
		err = r.queue.Replace(i, entry)
	}
	if err != nil {
		return err
	}
	r.edits++
	if err := r.say(serving.Item{Kind: "edit", Name: strconv.Itoa(r.edits), Tokens: r.Parameters.Call}); err != nil {
		return err
	}
	return r.call(onEdit, serving.Write)
}

// hear appends a message that the model did not write.
func (r *runner) hear(items ...serving.Item) error {
	r.Flow += serving.Tokens(items)
	return r.queue.Append(r.message(items...))
}

// say appends what the last call generated, and what follows in the same message.
func (r *runner) say(generated serving.Item, more ...serving.Item) error {
	r.open.Output = []serving.Item{generated}
	return r.hear(append([]serving.Item{generated}, more...)...)
}

func (r *runner) message(items ...serving.Item) queue.Message {
	return queue.Message{Turn: r.turn, Items: items}
}

// call makes room, lets what leaves be summarized, and calls the model.
func (r *runner) call(purpose string, phase serving.Phase) error {
	if err := r.flush(); err != nil {
		return err
	}
	prompt, evicted, err := r.queue.Ready()
	if err != nil {
		return err
	}
	if len(evicted.Messages) > 0 {
		r.Evictions++
		if err := r.summarize(evicted); err != nil {
			return err
		}
	}
	r.Steps = append(r.Steps, Step{r.Ledger.Len(), r.turn, purpose, evicted.Tokens, r.queue.State()})
	r.open = &serving.Call{Stream: Main, Phase: phase, Purpose: purpose, Turn: r.turn, Prompt: prompt}
	return nil
}

// flush enters the last call into the ledger.
func (r *runner) flush() error {
	if r.open == nil {
		return nil
	}
	c := *r.open
	r.open = nil
	return r.Ledger.Add(c)
}

func (r *runner) summarize(e queue.Eviction) error {
	if len(e.After) == 0 {
		return nil
	}
	left := make([]serving.Item, 0, 2*len(e.Messages))
	for _, m := range e.Messages {
		left = append(left, m.Items...)
	}
	prompt := serving.Prompt{{Name: queue.FIFO, Items: left}}
	if len(e.Before) > 0 {
		prompt = append(serving.Prompt{{Name: queue.Summary, Items: e.Before}}, prompt...)
	}
	return r.Ledger.Add(serving.Call{
		Stream: Summarizer, Phase: serving.Write, Purpose: summarize, Turn: r.turn, Prompt: prompt, Output: e.After,
	})
}
