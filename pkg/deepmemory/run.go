package deepmemory

import (
	"context"
	"strconv"

	"memlab/pkg/claims"
	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/memory/memgpt"
	"memlab/pkg/random"
	"memlab/pkg/serving"
)

// Config is an experiment.
type Config struct {
	Sessions  int    `json:"sessions"`
	Pairs     int    `json:"pairs"`     // of a user's and an assistant's message, per session
	Language  string `json:"language"`  // of the conversations: "en" or "zh"
	Dialogues int    `json:"dialogues"` // per seed, each with one question about each session
	// Keyword says that what the question is about is searched for, as "gym",
	// and not the question as it was asked: a search by substring wants that.
	Keyword bool `json:"keyword"`
	// Search is how recall storage is searched, Page how many messages a page
	// of its results shows, Steps how many calls a question may take.
	Search memgpt.Search `json:"search"`
	Page   int           `json:"page"`
	Steps  int           `json:"steps"`
	Window int           `json:"window"` // of MemGPT's model
	Rates  Rates         `json:"rates"`
	Sizes  Sizes         `json:"sizes"`
}

// DefaultConfig has the paper's five sessions, here of 30 messages; a page shows
// two of them, so that there is something to page through. The rates are assumed,
// not measured: a summary whose reader comes near what the paper reports of GPT-4
// without paging, and one who pages and seldom stops early.
func DefaultConfig() Config {
	return Config{
		Sessions: 5, Pairs: 15, Language: "en", Dialogues: 12,
		Search: memgpt.ByVector, Page: 2, Steps: 10, Window: 8192,
		Rates: Rates{Keep: 0.65, Read: 0.98, Stop: 0.1},
		Sizes: Sizes{System: 1000, Question: 20, Fact: 20, Summary: 300, Call: 30, Result: 10, Reply: 20},
	}
}

// Outcome is how one way did, per question.
type Outcome struct {
	Accuracy claims.Mean `json:"accuracy"` // share of right answers; its interval is cut to 0 to 1
	Expected float64     `json:"expected"` // the same by the closed forms
	Calls    claims.Mean `json:"calls"`
	Read     claims.Mean `json:"read_tokens"` // prompt tokens of all calls
}

// Writing is what a way does before there is a question, per dialogue.
type Writing struct {
	Calls   claims.Mean `json:"calls"`
	Read    claims.Mean `json:"read_tokens"`
	Written claims.Mean `json:"written_tokens"`
}

// Way is one way to remember.
type Way struct {
	Sessions []Outcome `json:"sessions"` // of the questions about each, the first session first
	All      Outcome   `json:"all"`
	Writing  Writing   `json:"writing"`
}

// Result is one experiment.
type Result struct {
	Config  Config `json:"config"`
	Summary Way    `json:"summary"`
	Paging  Way    `json:"paging"`
	// FirstPage is the share of questions whose answer the first page of a
	// search has, NoPage that of those which no page has that can be read.
	FirstPage claims.Mean `json:"first_page"`
	NoPage    claims.Mean `json:"no_page"`
}

// Run asks both ways the same questions: one about each session of Dialogues
// conversations per seed.
func (c Config) Run(seeds ...random.Seed) (Result, error) {
	if err := c.check(); err != nil {
		return Result{}, err
	}
	if len(seeds) == 0 {
		return Result{}, bad("no seed: want one or more")
	}
	r := record{config: c}
	r.summary.sessions, r.paging.sessions = make([]samples, c.Sessions), make([]samples, c.Sessions)
	for _, seed := range seeds {
		if err := r.run(seed); err != nil {
			return Result{}, err
		}
	}
	return Result{
		Config: c, Summary: r.summary.way(), Paging: r.paging.way(), FirstPage: claims.ShareOf(r.first), NoPage: claims.ShareOf(r.none),
	}, nil
}

// record collects the means of each seed.
type record struct {
	config          Config
	summary, paging ways
	first, none     []float64
}

// tally is what the questions of one seed came to.
type tally struct {
	summary, paging []sums // by session
	first, none     int
	wrote, stored   memory.Usage
}

func (r *record) run(seed random.Seed) error {
	c := r.config
	talks, err := c.talks(seed)
	if err != nil {
		return err
	}
	t := tally{summary: make([]sums, c.Sessions), paging: make([]sums, c.Sessions)}
	for _, k := range talks {
		if err := c.play(k, &t); err != nil {
			return err
		}
	}
	n := float64(c.Dialogues)
	r.summary.add(t.summary, t.wrote, n)
	r.paging.add(t.paging, t.stored, n)
	questions := n * float64(c.Sessions)
	r.first = append(r.first, float64(t.first)/questions)
	r.none = append(r.none, float64(t.none)/questions)
	return nil
}

// play is one conversation. Each question has streams of its own, so that a rate of
// one way or one question shifts no other.
func (c Config) play(k *talk, t *tally) error {
	ctx := context.Background()
	sum := Summarize(&k.Dialogue, c.Rates, c.Sizes, k.Stream("deepmemory", "summary"))
	t.wrote.Add(memory.Usage{Calls: sum.Calls, Prompt: sum.Read, Output: sum.Written})
	a, err := c.agent(ctx, k)
	if err != nil {
		return err
	}
	for s := range k.asked {
		q := &k.asked[s]
		survives, err := Survival(k.facts, s, c.Sizes.capacity(), c.Rates.Keep)
		if err != nil {
			return err
		}
		fromSummary := sum.Answer(q.Query, c.Rates, c.Sizes, k.Stream("deepmemory", strconv.Itoa(s), "summary"))
		t.summary[s].add(q, fromSummary, c.Rates.Read*survives)
		// Where the answer is follows from the search alone: a reader without
		// mistakes finds it there.
		paging := k.Stream("deepmemory", strconv.Itoa(s), "paging")
		_, page, err := a.ask(ctx, q.Query, Rates{Read: 1}, paging)
		if err != nil {
			return err
		}
		switch page {
		case 0:
			t.first++
		case -1:
			t.none++
		}
		paged, _, err := a.ask(ctx, q.Query, c.Rates, paging)
		if err != nil {
			return err
		}
		t.paging[s].add(q, paged, c.Rates.Paging(page))
	}
	t.stored.Add(a.account.Phase(serving.Write))
	return nil
}

// maxCount bounds counts and lengths, so that a wrong number ends in an error and
// not in a run without end.
const maxCount = 1_000_000

func (c Config) check() error {
	for _, n := range []struct {
		name string
		got  int
	}{
		{"sessions", c.Sessions}, {"pairs", c.Pairs}, {"dialogues", c.Dialogues},
		{"messages of a page", c.Page}, {"steps", c.Steps}, {"tokens of a window", c.Window},
	} {
		if n.got < 1 || n.got > maxCount {
			return bad("%d %s: want 1 to %d", n.got, n.name, maxCount)
		}
	}
	if c.Sessions*c.Pairs > maxCount {
		return bad("%d sessions of %d pairs: want at most %d pairs in all", c.Sessions, c.Pairs, maxCount)
	}
	if err := c.Rates.check(); err != nil {
		return err
	}
	return c.Sizes.check()
}

// sums are over the questions of one seed.
type sums struct {
	right, calls, read int
	expected           float64
}

func (s *sums) add(q *dialogue.Question, a Answer, expected float64) {
	if a.Value == q.Answer {
		s.right++
	}
	s.calls += a.Calls
	s.read += a.Read
	s.expected += expected
}

// samples are the means of each seed.
type samples struct{ accuracy, calls, read, expected []float64 }

func (s *samples) add(of sums, questions float64) {
	s.accuracy = append(s.accuracy, float64(of.right)/questions)
	s.calls = append(s.calls, float64(of.calls)/questions)
	s.read = append(s.read, float64(of.read)/questions)
	s.expected = append(s.expected, of.expected/questions)
}

func (s *samples) outcome() Outcome {
	return Outcome{Accuracy: claims.ShareOf(s.accuracy), Expected: claims.MeanOf(s.expected).Mean, Calls: claims.MeanOf(s.calls), Read: claims.MeanOf(s.read)}
}

// ways are the samples of one way.
type ways struct {
	sessions             []samples
	all                  samples
	calls, read, written []float64
}

func (w *ways) add(sessions []sums, wrote memory.Usage, dialogues float64) {
	var all sums
	for i, s := range sessions {
		w.sessions[i].add(s, dialogues)
		all.right, all.calls, all.read = all.right+s.right, all.calls+s.calls, all.read+s.read
		all.expected += s.expected
	}
	w.all.add(all, dialogues*float64(len(sessions)))
	w.calls = append(w.calls, float64(wrote.Calls)/dialogues)
	w.read = append(w.read, float64(wrote.Prompt)/dialogues)
	w.written = append(w.written, float64(wrote.Output)/dialogues)
}

func (w *ways) way() Way {
	out := Way{All: w.all.outcome(), Writing: Writing{claims.MeanOf(w.calls), claims.MeanOf(w.read), claims.MeanOf(w.written)}}
	for i := range w.sessions {
		out.Sessions = append(out.Sessions, w.sessions[i].outcome())
	}
	return out
}
