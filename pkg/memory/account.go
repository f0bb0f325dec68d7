package memory

import (
	"cmp"
	"fmt"
	"slices"

	"memlab/pkg/dialogue"
	"memlab/pkg/serving"
)

// Account counts the calls of a system and, with a ledger, keeps their prompts.
// The zero value counts only.
type Account struct {
	// Ledger takes every call as a prompt of segments. Without one prompts are
	// never built.
	Ledger *serving.Ledger

	spent []Spent
}

// Spent is what the calls of one phase and purpose came to.
type Spent struct {
	Phase   serving.Phase `json:"phase"`
	Purpose string        `json:"purpose"`
	Usage
}

// Usage is work of models, in calls, tokens and embedded texts.
type Usage struct {
	Calls    int `json:"calls"`
	Prompt   int `json:"prompt_tokens"`
	Output   int `json:"output_tokens"`
	Embedded int `json:"embedded_texts"`
}

// Add adds up work.
func (u *Usage) Add(o Usage) {
	u.Calls += o.Calls
	u.Prompt += o.Prompt
	u.Output += o.Output
	u.Embedded += o.Embedded
}

// Call enters a call of a model that reads prompt and writes output tokens. Build
// makes its prompt, of exactly that length, if a ledger wants it, and the items of
// its output; without any the output is something that no later prompt repeats.
// c.Prompt and c.Output are ignored.
func (a *Account) Call(c serving.Call, prompt, output int, build func() (serving.Prompt, []serving.Item)) error {
	if a.Ledger != nil {
		c.Prompt, c.Output = build()
		if n := c.Prompt.Tokens(); n != prompt {
			return fmt.Errorf("memory: %s call: prompt of %d tokens was built, %d were counted", c.Purpose, n, prompt)
		}
		if c.Output == nil && output > 0 {
			c.Output = []serving.Item{{Kind: "output", Name: fmt.Sprint(a.Ledger.Len()), Tokens: output}}
		}
		if n := serving.Tokens(c.Output); n != output {
			return fmt.Errorf("memory: %s call: output of %d tokens was built, %d were counted", c.Purpose, n, output)
		}
		if err := a.Ledger.Add(c); err != nil {
			return err
		}
	}
	a.of(c.Phase, c.Purpose).Add(Usage{Calls: 1, Prompt: prompt, Output: output})
	return nil
}

// Embed enters texts that were embedded.
func (a *Account) Embed(e serving.Embedding) error {
	if a.Ledger != nil {
		if err := a.Ledger.Embed(e); err != nil {
			return err
		}
	}
	a.of(e.Phase, e.Purpose).Embedded += e.Texts
	return nil
}

func (a *Account) of(p serving.Phase, purpose string) *Usage {
	i := slices.IndexFunc(a.spent, func(s Spent) bool { return s.Phase == p && s.Purpose == purpose })
	if i < 0 {
		i = len(a.spent)
		a.spent = append(a.spent, Spent{Phase: p, Purpose: purpose})
	}
	return &a.spent[i].Usage
}

// Spent is all work so far, writing first, in the order of purposes' names.
func (a *Account) Spent() []Spent {
	out := slices.Clone(a.spent)
	slices.SortFunc(out, func(x, y Spent) int {
		return cmp.Or(-cmp.Compare(x.Phase, y.Phase), cmp.Compare(x.Purpose, y.Purpose))
	})
	return out
}

// Phase is the work of one phase; of all its purposes if none is named.
func (a *Account) Phase(p serving.Phase, purposes ...string) Usage {
	var u Usage
	for _, s := range a.spent {
		if s.Phase == p && (len(purposes) == 0 || slices.Contains(purposes, s.Purpose)) {
			u.Add(s.Usage)
		}
	}
	return u
}

// MessageItem is a message as an item of a prompt.
func MessageItem(m *dialogue.Message) serving.Item {
	return serving.Item{Kind: "message", Name: m.ID, Tokens: m.Tokens}
}

// Item is the memory as an item of a prompt. What was said about it since makes
// another version.
func (m *Memory) Item() serving.Item {
	return serving.Item{Kind: "memory", Name: m.ID, Version: len(m.Sources), Tokens: m.Tokens}
}
