package deepmemory

import (
	"context"
	"fmt"
	"math/rand/v2"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/memory/memgpt"
	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/serving"
)

// agent is MemGPT after a conversation: a queue that holds nothing of it, and
// recall storage that holds all.
type agent struct {
	memory  *memgpt.Memory
	account *memory.Account
	reader  *pager
}

func (c Config) agent(ctx context.Context, t *talk) (*agent, error) {
	a := &agent{account: &memory.Account{}, reader: &pager{keyword: c.Keyword}}
	o := memgpt.Defaults(t.Embedder(), a.reader)
	o.Window, o.System, o.Evict = c.Window, c.Sizes.System, queue.ToFit(t.longest())
	o.Entries, o.Entry = 1, c.Sizes.Fact
	o.Page, o.Steps, o.Recall, o.Account = c.Page, c.Steps, c.Search, a.account
	o.Question, o.Call, o.Result, o.Reply = c.Sizes.Question, c.Sizes.Call, c.Sizes.Result, c.Sizes.Reply
	var err error
	if a.memory, err = memgpt.New(o); err != nil {
		return nil, bad("%w", err)
	}
	if err := memory.Write(ctx, &t.Dialogue, a.memory); err != nil {
		return nil, fmt.Errorf("deepmemory: %w", err)
	}
	if err := a.memory.Write(ctx, t.opening()); err != nil {
		return nil, fmt.Errorf("deepmemory: %w", err)
	}
	return a, nil
}

// ask pages for the answer. The page that has it is -1 if none was found.
func (a *agent) ask(ctx context.Context, q dialogue.Query, r Rates, rng *rand.Rand) (Answer, int, error) {
	a.reader.stop, a.reader.rng = r.Stop, rng
	a.reader.overlooks = rng.Float64() >= r.Read
	a.reader.value, a.reader.page = "", -1
	before := a.account.Phase(serving.Read)
	if _, err := a.memory.Read(ctx, q); err != nil {
		return Answer{}, -1, fmt.Errorf("deepmemory: %w", err)
	}
	after := a.account.Phase(serving.Read)
	return Answer{a.reader.value, after.Calls - before.Calls, after.Prompt - before.Prompt}, a.reader.page, nil
}

// pager is a reader who searches recall storage for the question or its keyword,
// page after page, until the answer is there, or no page, step or patience is left.
type pager struct {
	keyword   bool
	stop      float64
	overlooks bool
	rng       *rand.Rand

	value string // that was answered
	page  int    // that had it
}

// Step implements memgpt.Judge.
func (p *pager) Step(_ context.Context, c memgpt.Context) (memgpt.Reply, error) {
	q := c.Event.Query
	if q == nil {
		return memgpt.Reply{}, nil
	}
	var seen memory.Material
	for _, l := range c.Queue {
		if l.Message != nil {
			seen.Messages = append(seen.Messages, l.Message)
		}
	}
	for i := range c.Results {
		for j := range c.Results[i].Found {
			seen.Messages = append(seen.Messages, c.Results[i].Found[j].Message())
		}
	}
	if a := (memory.Strict{}).Answer(&dialogue.Question{Query: *q}, &seen); a.Said && !p.overlooks {
		p.value, p.page = a.Value, len(c.Results)-1
		return send(a.Value)
	}
	if c.Left == 0 || len(c.Results) > 0 && p.ends(&c.Results[len(c.Results)-1]) {
		return send("I do not know.")
	}
	query := q.Text
	if p.keyword {
		query = dialogue.Key{Subject: q.Subject, Relation: q.Path[0]}.Text()
	}
	return call(memgpt.RecallSearch, map[string]any{"query": query, "page": len(c.Results)})
}

// ends says whether the last page was the last one, or is taken for it.
func (p *pager) ends(last *memgpt.Result) bool {
	return !last.OK || last.Page+1 >= last.Pages || p.rng.Float64() < p.stop
}

func send(text string) (memgpt.Reply, error) {
	return call(memgpt.SendMessage, map[string]any{"message": text})
}

func call(function string, arguments map[string]any) (memgpt.Reply, error) {
	f, err := memgpt.NewCall(function, arguments)
	return memgpt.Call(f), err
}
