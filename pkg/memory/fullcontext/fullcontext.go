// Package fullcontext is no memory system at all: the whole dialogue goes into
// every prompt, cut at the oldest end when it exceeds the window.
// It is the baseline that every memory system has to be held against.
// Its main type is [Memory]. Writing costs nothing, reading the dialogue's length;
// since the prompts of two questions begin alike, a prefix cache saves most of it.
// It follows the lecture's §3.3; how a reader loses things in it is memory.Alpha.
package fullcontext

import (
	"context"
	"fmt"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/serving"
)

// Options are how the context is used.
type Options struct {
	// Window is how many tokens of dialogue fit.
	Window  int
	Account *memory.Account
	// Instructions and Question are tokens around the dialogue, Output the
	// length of an answer; for the account.
	Instructions, Question, Output int
}

// Defaults is a window of 128k.
func Defaults() Options {
	return Options{Window: 128_000, Account: &memory.Account{}, Instructions: 200, Question: 20, Output: 20}
}

// Memory keeps the messages.
type Memory struct {
	Options

	messages []*dialogue.Message
	at       map[string]int // index by id
	items    []serving.Item
	first    int // the oldest message in the window
	tokens   int // of the messages from first on
	turn     int
}

// New checks the options.
func New(o Options) (*Memory, error) {
	switch {
	case o.Window < 1:
		return nil, fmt.Errorf("fullcontext: window %d: want 1 or more tokens", o.Window)
	case o.Instructions < 1 || o.Question < 1 || o.Output < 0:
		return nil, fmt.Errorf("fullcontext: instructions %d, question %d, output %d: want 1 or more tokens, and 0 or more of output",
			o.Instructions, o.Question, o.Output)
	case o.Account == nil:
		return nil, fmt.Errorf("fullcontext: account is nil")
	}
	return &Memory{Options: o, at: map[string]int{}}, nil
}

// Write implements memory.System: the oldest messages leave when the newest one
// does not fit.
func (c *Memory) Write(_ context.Context, m *dialogue.Message) error {
	if err := m.Check(); err != nil {
		return fmt.Errorf("fullcontext: %w", err)
	}
	if _, taken := c.at[m.ID]; taken {
		return fmt.Errorf("fullcontext: message %q was written before", m.ID)
	}
	c.at[m.ID] = len(c.messages)
	c.messages = append(c.messages, m)
	c.items = append(c.items, memory.MessageItem(m))
	for c.tokens += m.Tokens; c.tokens > c.Window; c.first++ {
		c.tokens -= c.messages[c.first].Tokens
	}
	return nil
}

// Finish implements memory.System; nothing waits.
func (c *Memory) Finish(context.Context) error { return nil }

// Read implements memory.System: everything in the window.
func (c *Memory) Read(_ context.Context, q dialogue.Query) (memory.Material, error) {
	call := serving.Call{Stream: "answer", Phase: serving.Read, Purpose: "answer", Turn: c.turn}
	c.turn++
	err := c.Account.Call(call, c.Instructions+c.tokens+c.Question, c.Output, func() (serving.Prompt, []serving.Item) {
		return serving.Prompt{
			{Name: "instructions", Items: []serving.Item{{Kind: "instructions", Name: "answer", Tokens: c.Instructions}}},
			{Name: "dialogue", Kind: serving.Queue, Items: c.items[c.first:]},
			{Name: "question", Items: []serving.Item{{Kind: "question", Name: q.ID, Tokens: c.Question}}},
		}, nil
	})
	return memory.Material{Messages: c.messages[c.first:], Tokens: c.tokens, Calls: 1}, err
}

// Fate implements memory.System: what left the window is lost.
func (c *Memory) Fate(message string, f dialogue.Fact) memory.Fate {
	i, ok := c.at[message]
	switch {
	case !ok:
		return memory.Fate{Lost: memory.Keep, Detail: "forgotten or never written"}
	case i < c.first:
		return memory.Fate{Lost: memory.Keep, Detail: "truncated: the window holds newer messages"}
	}
	return memory.Fate{}
}

// Forget erases every message that says a matching fact, and says how many.
func (c *Memory) Forget(match func(dialogue.Fact) bool) int {
	gone := memory.Mentions(c.messages, match)
	kept := *c
	kept.messages, kept.items, kept.at, kept.first, kept.tokens = nil, nil, map[string]int{}, 0, 0
	for i, m := range c.messages {
		if gone[m.ID] {
			continue
		}
		if i < c.first {
			kept.first++
		} else {
			kept.tokens += m.Tokens
		}
		kept.at[m.ID] = len(kept.messages)
		kept.messages = append(kept.messages, m)
		kept.items = append(kept.items, c.items[i])
	}
	*c = kept
	return len(gone)
}
