package memgpt_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/toy"
	"memlab/pkg/memory"
	"memlab/pkg/memory/memgpt"
	"memlab/pkg/random"
	"memlab/pkg/retrieve"
	"memlab/pkg/serving"
)

// plain is the toy's MemGPT without an agent: no functions, no queue manager, no
// loop. It is slow and obviously what the lecture's model is.
type plain struct {
	t       *testing.T
	w       *toy.World
	first   int // the oldest message in the queue
	working []statement
	writes  int
}

type statement struct {
	fact dialogue.Fact
	at   time.Time
}

func (p *plain) write() {
	tokens := 0
	for i := range p.w.Dialogue.Messages {
		for tokens += p.w.Dialogue.Messages[i].Tokens; tokens > 6400; p.first++ {
			tokens -= p.w.Dialogue.Messages[p.first].Tokens
			p.evict(&p.w.Dialogue.Messages[p.first])
		}
	}
}

func (p *plain) evict(m *dialogue.Message) {
	if len(m.Facts) == 0 {
		return
	}
	draw := p.w.Stream("memgpt", "notice", m.ID)
	if draw.Float64() >= 0.87 {
		return
	}
	p.writes++
	new := statement{m.Facts[0], m.Time}
	i := slices.IndexFunc(p.working, func(s statement) bool { return s.fact.Key() == new.fact.Key() })
	switch {
	case i >= 0 && p.working[i].fact.Object != new.fact.Object && draw.Float64() < 0.13:
	case i >= 0:
		p.working[i] = new
	case len(p.working) == 18:
		oldest := slices.MinFunc(p.working, func(a, b statement) int { return a.at.Compare(b.at) })
		p.working = slices.DeleteFunc(p.working, func(s statement) bool { return s == oldest })
		p.working = append(p.working, new)
	default:
		p.working = append(p.working, new)
	}
}

// ask lists what is seen for a question.
func (p *plain) ask(q *dialogue.Query) (seen []statement, calls, tokens int) {
	seen = slices.Clone(p.working)
	tokens = 20 * len(p.working)
	for _, m := range p.w.Dialogue.Messages[p.first:] {
		tokens += m.Tokens
		for _, f := range m.Facts {
			seen = append(seen, statement{f, m.Time})
		}
	}
	calls = 1
	values := func(k dialogue.Key) (latest string, different int) {
		var at time.Time
		found := map[string]bool{}
		for _, s := range seen {
			if s.fact.Key() == k {
				found[s.fact.Object] = true
				if !s.at.Before(at) {
					latest, at = s.fact.Object, s.at
				}
			}
		}
		return latest, len(found)
	}
	need := func(k dialogue.Key, n int) string {
		if _, have := values(k); have < n {
			calls++
			for _, m := range p.search(q.ID, k.Text()) {
				tokens += m.Tokens
				for _, f := range m.Facts {
					seen = append(seen, statement{f, m.Time})
				}
			}
		}
		latest, _ := values(k)
		return latest
	}
	n := 1
	if q.Past {
		n = 2
	}
	who := need(dialogue.Key{Subject: q.Subject, Relation: q.Path[0]}, n)
	if len(q.Path) == 2 && who != "" {
		need(dialogue.Key{Subject: who, Relation: q.Path[1]}, 1)
	}
	return seen, calls, tokens
}

func (p *plain) search(id, text string) []*dialogue.Message {
	e := p.w.Embedder()
	query, err := e.Embed(context.Background(), retrieve.Passage{ID: id + "/search", Role: retrieve.Query, Text: text})
	if err != nil {
		p.t.Fatal(err)
	}
	type hit struct {
		m     *dialogue.Message
		score float64
	}
	var hits []hit
	for i := range p.w.Dialogue.Messages {
		m := &p.w.Dialogue.Messages[i]
		v, err := e.Embed(context.Background(), retrieve.Passage{ID: m.ID, Role: retrieve.Message, Text: m.Text})
		if err != nil {
			p.t.Fatal(err)
		}
		score := 0.0
		for k := range v[0] {
			score += float64(v[0][k]) * float64(query[0][k])
		}
		hits = append(hits, hit{m, score})
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		if a.score > b.score {
			return -1
		}
		return 1
	})
	var out []*dialogue.Message
	for _, h := range hits[:5] {
		out = append(out, h.m)
	}
	return out
}

// The agent with its function calls, and the plain model: the same facts before
// the reader, calls, tokens and writes, for each question.
func TestTheAgentIsThePlainModel(t *testing.T) {
	for seed := range random.Seed(4) {
		w, err := toy.New(toy.DefaultParameters(), seed, 0, "en")
		if err != nil {
			t.Fatal(err)
		}
		p := &plain{t: t, w: w}
		p.write()
		judge, err := memgpt.NewRuleJudge(memgpt.DefaultRates(), w.Stream)
		if err != nil {
			t.Fatal(err)
		}
		o := memgpt.Defaults(w.Embedder(), judge)
		o.Account.Ledger = &serving.Ledger{}
		m, err := memgpt.New(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := memory.Write(context.Background(), &w.Dialogue, m); err != nil {
			t.Fatal(err)
		}
		if n := o.Account.Phase(serving.Write, "memory").Calls; n != p.writes || o.Account.Phase(serving.Write).Calls != n {
			t.Errorf("seed %d: %d write calls, want %d", seed, n, p.writes)
		}
		asked := 0
		for i := range w.Dialogue.Questions {
			q := &w.Dialogue.Questions[i]
			want, calls, tokens := p.ask(&q.Query)
			got, err := m.Read(context.Background(), q.Query)
			if err != nil {
				t.Fatal(err)
			}
			asked += calls
			if got.Calls != calls || got.Tokens != tokens {
				t.Errorf("seed %d, %q: %d calls and %d tokens, want %d and %d", seed, q.Text, got.Calls, got.Tokens, calls, tokens)
			}
			if a, b := facts(&got), distinct(want); !slices.Equal(a, b) {
				t.Fatalf("seed %d, %q:\n%q, want\n%q", seed, q.Text, a, b)
			}
			checkMaterial(t, &got)
		}
		if u := o.Account.Phase(serving.Read); u.Calls != asked || u.Calls != o.Account.Phase(serving.Read, "answer", "search").Calls {
			t.Errorf("%+v, want %d calls", u, asked)
		}
		prompt := 0
		for i := range o.Account.Ledger.Len() {
			c := o.Account.Ledger.Call(i)
			prompt += c.Prompt.Tokens()
			if c.Prompt.Tokens() > o.Window {
				t.Errorf("call %d: %d tokens", i, c.Prompt.Tokens())
			}
		}
		if n := o.Account.Phase(serving.Read).Prompt + o.Account.Phase(serving.Write).Prompt; n != prompt {
			t.Errorf("%d tokens accounted, %d in the ledger", n, prompt)
		}
	}
}

// facts lists what the material states, each once.
func facts(m *memory.Material) []string {
	var all []statement
	for _, e := range m.Memories {
		all = append(all, statement{e.Fact, e.Time})
	}
	for _, msg := range m.Messages {
		for _, f := range msg.Facts {
			all = append(all, statement{f, msg.Time})
		}
	}
	return distinct(all)
}

func distinct(all []statement) []string {
	var out []string
	for _, s := range all {
		out = append(out, s.at.Format(time.RFC3339)+" "+s.fact.String())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func checkMaterial(t *testing.T, m *memory.Material) {
	t.Helper()
	seen := map[*dialogue.Message]bool{}
	for _, msg := range m.Messages {
		if seen[msg] {
			t.Fatalf("message %q is there twice", msg.ID)
		}
		seen[msg] = true
	}
	for _, e := range m.Memories {
		if len(e.Sources) == 0 || e.Text == "" || e.Tokens != 20 {
			t.Fatalf("%+v", e)
		}
	}
}
