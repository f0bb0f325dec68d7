package memgpt

import (
	"context"
	"errors"
	"fmt"

	"memlab/pkg/memory"
	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/retrieve"
)

// Search is how a storage is searched.
type Search string

// The ways to search.
const (
	ByVector    Search = "vector"    // cosine of embeddings: everything is ranked
	BySubstring Search = "substring" // MemGPT's own for recall: whatever the case, the oldest first
	ByWords     Search = "words"     // BM25
)

// Searches lists the ways to search.
func Searches() []Search { return []Search{ByVector, BySubstring, ByWords} }

// Options are how an agent is set up. Lengths are in tokens.
type Options struct {
	// Window is the model's, System the length of the read-only instructions.
	Window, System int
	// Evict is when messages leave the queue; Warn, Flush, Summary and Layout
	// are as in queue.Config, and the first three 0 with ToFit.
	Evict       queue.Policy
	Warn, Flush float64
	Summary     int
	Layout      queue.Layout
	// Entries is how many entries the working context holds, Entry how many
	// tokens one has. Their product is its capacity in tokens.
	Entries, Entry int
	// Page is how many messages or passages a page of search results has.
	Page int
	// Steps is how many calls of the model one event may cause.
	Steps int
	// Recall and Archival are how the storages are searched.
	Recall, Archival Search
	// Embedder makes vectors; needed for ByVector only.
	Embedder retrieve.Embedder
	Judge    Judge
	Account  *memory.Account
	// Question, Call, Result and Reply are the lengths of a question or an
	// event, of a function call, of its result without the passages found, and
	// of a message to the user.
	Question, Call, Result, Reply int
	// Count measures texts instead: entries, calls, results and replies.
	Count func(text string) int
	// Instructions is the text of the system prompt, for a judge that reads.
	Instructions string
	// KeepTraces is how many traces are kept, the latest ones.
	KeepTraces int
}

// Defaults is the lecture's toy: a window of 8k with 1,000 tokens of instructions,
// a sliding queue of 6,400 and a working context of 18 entries; one page of 5
// messages, ranked by vectors. The number of entries is calibrated (calls per
// question and two hops pin it), as are the queue and the page.
func Defaults(e retrieve.Embedder, j Judge) Options {
	return Options{
		Window: 8192, System: 1000, Evict: queue.ToFit(6400), Layout: queue.Front,
		Entries: 18, Entry: 20, Page: 5, Steps: 8,
		Recall: ByVector, Archival: ByVector, Embedder: e, Judge: j, Account: &memory.Account{},
		Question: 20, Call: 30, Result: 10, Reply: 20,
	}
}

// Batch is Defaults with MemGPT's own eviction instead: a full queue loses that
// share of the window at once and is summarized. Nobody warns; see Options.Warn.
func Batch(e retrieve.Embedder, j Judge, share float64) Options {
	o := Defaults(e, j)
	o.Evict, o.Flush, o.Summary = queue.Share(share), 0.95, 300
	return o
}

// ErrOption is the kind of every error about options that cannot be.
var ErrOption = errors.New("bad option")

func (o Options) check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("memgpt: %w: %w", ErrOption, fmt.Errorf(format, args...))
	}
	for _, n := range []struct {
		name      string
		got, from int
	}{
		{"window", o.Window, 1}, {"system", o.System, 1}, {"entries", o.Entries, 1}, {"entry", o.Entry, 1},
		{"page", o.Page, 1}, {"steps", o.Steps, 1}, {"question", o.Question, 1}, {"call", o.Call, 1},
		{"result", o.Result, 1}, {"reply", o.Reply, 1}, {"keep traces", o.KeepTraces, 0},
	} {
		if n.got < n.from || n.got > 1<<30 {
			return bad("%s %d: want %d to %d", n.name, n.got, n.from, 1<<30)
		}
	}
	if o.Entries > o.Window || o.Entry > o.Window {
		return bad("entries %d of %d tokens: want a working context that fits the window of %d", o.Entries, o.Entry, o.Window)
	}
	for _, s := range []struct {
		name string
		got  Search
	}{{"recall", o.Recall}, {"archival", o.Archival}} {
		switch {
		case s.got != ByVector && s.got != BySubstring && s.got != ByWords:
			return bad("%s %q: want one of %q", s.name, s.got, Searches())
		case s.got == ByVector && o.Embedder == nil:
			return bad("%s %q without an embedder", s.name, s.got)
		}
	}
	switch {
	case o.Judge == nil:
		return bad("judge is nil: want who calls the functions")
	case o.Account == nil:
		return bad("account is nil")
	}
	if o.Embedder == nil {
		return nil
	}
	return retrieve.Probe(context.Background(), o.Embedder)
}

// room is what system, working context and summary leave of the window, and most
// is what a turn may take of it.
func (o Options) room() int { return o.Window - o.System - o.Entries*o.Entry - o.Summary }

func (o Options) most() int {
	if f, ok := o.Evict.(queue.ToFit); ok {
		return int(f)
	}
	return o.room()
}

// size is the length of a text, or a constant where none is counted.
func (o Options) size(text string, constant int) int {
	if o.Count == nil {
		return constant
	}
	return max(1, o.Count(text))
}
