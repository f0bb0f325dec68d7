package deepmemory

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory/memgpt"
	"memlab/pkg/random"
)

func run(t testing.TB, c Config, seeds int) Result {
	t.Helper()
	var list []random.Seed
	for i := range seeds {
		list = append(list, random.Seed(i))
	}
	r, err := c.Run(list...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func small() Config {
	c := DefaultConfig()
	c.Dialogues = 2
	return c
}

func fact(relation string) dialogue.Fact {
	return dialogue.Fact{Subject: dialogue.Me, Relation: relation, Object: "my " + relation}
}

// Sessions of 10 and 5 tokens and of 7; the lengths differ in their powers of ten,
// so that a sum shows its parts.
func byHand() *dialogue.Dialogue {
	m := func(id string, session, tokens int, facts ...dialogue.Fact) dialogue.Message {
		return dialogue.Message{ID: id, Session: session, Role: dialogue.User, Tokens: tokens, Text: id, Facts: facts,
			Time: time.Date(2026, 1, session, 0, len(id), 0, 0, time.UTC)}
	}
	return &dialogue.Dialogue{Language: "en", Messages: []dialogue.Message{
		m("a", 1, 10, fact("car"), fact("gym")), m("b", 1, 5), m("c", 2, 7, fact("job")),
	}}
}

func TestSummaryByHand(t *testing.T) {
	rng := random.Seed(1).Stream("by hand")
	sizes := Sizes{Question: 1000, Fact: 100, Summary: 300}
	for _, c := range []struct {
		name          string
		keep          float64
		summary       int
		facts         int
		read, written int
	}{
		// 1000+15, then with two facts 1000+200+7; summaries of two and three.
		{"everything survives", 1, 300, 3, 1015 + 1207, 200 + 300},
		{"nothing survives", 0, 300, 0, 1015 + 1007, 0},
		{"there is room for one", 1, 199, 1, 1015 + 1107, 100 + 100},
		{"there is room for none", 1, 99, 0, 1015 + 1007, 0},
	} {
		sizes.Summary = c.summary
		s := Summarize(byHand(), Rates{Keep: c.keep}, sizes, rng)
		if len(s.Facts) != c.facts || s.Calls != 2 || s.Read != c.read || s.Written != c.written {
			t.Errorf("%s: %d facts, %d calls, %d read, %d written: want %d, 2, %d, %d", c.name, len(s.Facts), s.Calls, s.Read, s.Written, c.facts, c.read, c.written)
		}
	}
	s := Summary{Facts: []dialogue.Fact{fact("gym")}}
	gym, job := dialogue.Query{Subject: dialogue.Me, Path: []string{"gym"}}, dialogue.Query{Subject: dialogue.Me, Path: []string{"job"}}
	for _, c := range []struct {
		q    dialogue.Query
		read float64
		want Answer
	}{
		{gym, 1, Answer{"my gym", 1, 1100}}, {gym, 0, Answer{"", 1, 1100}}, {job, 1, Answer{"", 1, 1100}},
	} {
		if got := s.Answer(c.q, Rates{Read: c.read}, sizes, rng); got != c.want {
			t.Errorf("%q read with %g: %+v, want %+v", c.q.Path, c.read, got, c.want)
		}
	}
}

// Three of four messages say "gym"; a page shows one, the oldest first, and the
// third has the answer.
func TestPagingByHand(t *testing.T) {
	d := byHand()
	d.Messages = nil
	for i, text := range []string{"the gym is full", "no gym today", "it rains", "my gym is nice"} {
		m := dialogue.Message{ID: fmt.Sprint("m", i), Session: 1, Role: dialogue.User, Text: text, Tokens: 1,
			Time: time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC)}
		if i == 3 {
			m.Facts = []dialogue.Fact{fact("gym")}
		}
		d.Messages = append(d.Messages, m)
	}
	c := DefaultConfig()
	c.Search, c.Keyword, c.Page = memgpt.BySubstring, true, 1
	c.Sizes = Sizes{System: 5000, Question: 100, Fact: 20, Call: 10, Result: 1, Reply: 1}
	q := dialogue.Query{ID: "q", Text: "Which gym?", Subject: dialogue.Me, Path: []string{"gym"}}
	for _, x := range []struct {
		name  string
		steps int
		rates Rates
		want  Answer
		page  int
	}{
		// The opening has the length of the longest message, 1: prompts of 5101,
		// and 12 more with each search: its call, its result, the message.
		{"who reads on finds it on the third page", 8, Rates{Read: 1}, Answer{"my gym", 4, 5101 + 5113 + 5125 + 5137}, 2},
		{"who stops at once does not", 8, Rates{Read: 1, Stop: 1}, Answer{"", 2, 5101 + 5113}, -1},
		{"who overlooks it reads to the end", 8, Rates{}, Answer{"", 4, 5101 + 5113 + 5125 + 5137}, -1},
		{"four steps are three searches", 4, Rates{Read: 1}, Answer{"my gym", 4, 5101 + 5113 + 5125 + 5137}, 2},
		{"three steps are two", 3, Rates{Read: 1}, Answer{"", 3, 5101 + 5113 + 5125}, -1},
		{"one step is none", 1, Rates{Read: 1}, Answer{"", 1, 5101}, -1},
	} {
		c.Steps = x.steps
		w, err := c.talks(0)
		if err != nil {
			t.Fatal(err)
		}
		k := w[0]
		k.Dialogue.Messages = d.Messages
		a, err := c.agent(context.Background(), k)
		if err != nil {
			t.Fatal(err)
		}
		got, page, err := a.ask(context.Background(), q, x.rates, random.Seed(1).Stream("by hand"))
		if err != nil {
			t.Fatal(err)
		}
		if got != x.want || page != x.page {
			t.Errorf("%s: %+v on page %d, want %+v on page %d", x.name, got, page, x.want, x.page)
		}
		if stats := a.memory.Stats(); stats.Capped != 0 {
			t.Errorf("%s: no reply: %+v", x.name, stats)
		}
	}
}

func TestSurvivalByPocketCalculator(t *testing.T) {
	for _, c := range []struct {
		name              string
		facts             []int
		session, capacity int
		keep, want        float64
	}{
		{"without a bound it is keep to the number of rewritings", []int{3, 4, 5}, 0, 100, 0.5, 0.125},
		{"and the last session is rewritten once", []int{3, 4, 5}, 2, 100, 0.5, 0.5},
		{"chance decides about what does not fit", []int{4}, 0, 1, 1, 0.25},
		{"again after each session", []int{2, 1}, 0, 1, 1, 0.5 * 0.5},
		// Both survive with .25, and then one of them stays.
		{"fewer survivors need less room", []int{2}, 0, 1, 0.5, 0.25 + 0.25/2},
		{"no room", []int{2}, 0, 0, 1, 0},
		{"a session without facts", []int{0, 1, 0}, 1, 5, 0.9, 0.81},
	} {
		got, err := Survival(c.facts, c.session, c.capacity, c.keep)
		if err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, %v, want %v", c.name, got, err, c.want)
		}
	}
}

// The exact chance is what the summariser does, the bound biting.
func TestSurvivalIsTheSummariser(t *testing.T) {
	d := &dialogue.Dialogue{}
	facts := []int{4, 3, 5}
	for s, n := range facts {
		m := dialogue.Message{Session: s, Tokens: 1}
		for i := range n {
			m.Facts = append(m.Facts, fact(fmt.Sprint(s, " ", i)))
		}
		d.Messages = append(d.Messages, m)
	}
	const runs = 40_000
	rng := random.Seed(1).Stream("survival")
	left := make([]int, len(facts))
	for range runs {
		for _, f := range Summarize(d, Rates{Keep: 0.8}, Sizes{Fact: 1, Summary: 3}, rng).Facts {
			left[f.Relation[0]-'0']++
		}
	}
	for s, n := range facts {
		want, err := Survival(facts, s, 3, 0.8)
		if err != nil {
			t.Fatal(err)
		}
		if got := float64(left[s]) / float64(runs*n); math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/runs) {
			t.Errorf("session %d: %.4f of the facts survive, want %.4f", s, got, want)
		}
	}
}

func TestPagingCallsByPocketCalculator(t *testing.T) {
	r := Rates{Read: 0.8, Stop: 0.5}
	for _, c := range []struct {
		page, pages     int
		accuracy, calls float64
	}{
		{0, 3, 0.8, 0.8*2 + 0.2*(1+1+0.5+0.25)},
		{1, 3, 0.4, 0.8*2.5 + 0.2*2.75},
		{-1, 3, 0, 2.75},
		{-1, 0, 0, 1},
	} {
		if a, n := r.Paging(c.page), r.PagingCalls(c.page, c.pages); math.Abs(a-c.accuracy) > 1e-12 || math.Abs(n-c.calls) > 1e-12 {
			t.Errorf("page %d of %d: %v in %v calls, want %v in %v", c.page, c.pages, a, n, c.accuracy, c.calls)
		}
	}
}

// Rates away from 0 and 1, so that a draw left out would show. The simulation's
// deviation over questions is at most a half.
func TestClosedFormsAreTheSimulation(t *testing.T) {
	for _, search := range []memgpt.Search{memgpt.ByVector, memgpt.ByWords} {
		c := DefaultConfig()
		c.Dialogues, c.Search, c.Page = 150, search, 1
		c.Rates = Rates{Keep: 0.8, Read: 0.6, Stop: 0.3}
		c.Sizes.Summary = 120 // six facts
		r := run(t, c, 2)
		most := 5 * 0.5 / math.Sqrt(float64(2*c.Dialogues*c.Sessions))
		for name, o := range map[string]Outcome{"summary": r.Summary.All, "paging": r.Paging.All} {
			if math.Abs(o.Accuracy.Mean-o.Expected) > most || o.Expected < 0.1 || o.Expected > 0.9 {
				t.Errorf("%s, %s: %.3f, expected %.3f ± %.3f", search, name, o.Accuracy.Mean, o.Expected, most)
			}
		}
	}
}

func TestProperties(t *testing.T) {
	c := small()
	c.Rates = Rates{Keep: 1, Read: 1}
	c.Sizes.Summary = 10_000
	r := run(t, c, 2)
	for name, w := range map[string]Way{"summary": r.Summary, "paging": r.Paging} {
		if w.All.Accuracy.Mean != 1 || w.All.Expected != 1 {
			t.Errorf("%s without mistakes: %+v", name, w.All)
		}
	}
	if w := r.Paging.Writing; w.Calls.Mean != 0 || w.Read.Mean != 0 {
		t.Errorf("paging writes: %+v", w)
	}
	if r.Summary.Writing.Calls.Mean != 5 || len(r.Summary.Sessions) != 5 || len(r.Paging.Sessions) != 5 {
		t.Errorf("five sessions: %+v", r.Summary)
	}
	c.Rates.Keep = 0
	if w := run(t, c, 2).Summary; w.All.Accuracy.Mean != 0 || w.Writing.Written.Mean != 0 || w.All.Read.Mean != float64(c.Sizes.Question) {
		t.Errorf("nothing is kept: %+v", w)
	}
	c.Rates = Rates{Keep: 0.7, Read: 1}
	free := run(t, c, 2)
	for s, o := range free.Summary.Sessions {
		if want := math.Pow(0.7, float64(5-s)); math.Abs(o.Expected-want) > 1e-12 {
			t.Errorf("session %d: expected %v, want %v", s, o.Expected, want)
		}
	}
	c.Sizes.Summary = 60
	if tight := run(t, c, 2).Summary; tight.All.Expected >= free.Summary.All.Expected || tight.Writing.Written.Mean > 5*60 {
		t.Errorf("three facts in a summary: %+v", tight)
	}
}

func TestSameSeedsSameResults(t *testing.T) {
	one := run(t, small(), 3)
	if again := run(t, small(), 3); !reflect.DeepEqual(one, again) {
		t.Error("the same seeds give two results")
	}
	other, err := small().Run(7, 8, 9)
	if err != nil {
		t.Fatal(err)
	}
	if reflect.DeepEqual(one.Summary, other.Summary) || reflect.DeepEqual(one.Paging, other.Paging) {
		t.Error("other seeds give the same")
	}
	c := small()
	c.Rates.Keep = 0.2 // draws of the one way leave the other as it was
	if r := run(t, c, 3); !reflect.DeepEqual(one.Paging, r.Paging) {
		t.Error("a rate of the summary changes paging")
	}
	c = small()
	c.Rates.Stop, c.Page = 0.9, 1
	if r := run(t, c, 3); !reflect.DeepEqual(one.Summary, r.Summary) {
		t.Error("a rate of paging changes the summary")
	}
	c = small()
	c.Language = "zh" // vectors and lengths are those of the English world
	if r := run(t, c, 3); !reflect.DeepEqual(one.Summary, r.Summary) {
		t.Error("in Chinese the summary has other numbers")
	}
}

// A reader's mistakes about one session say nothing about another.
func TestEachQuestionHasItsDraws(t *testing.T) {
	c := small()
	c.Dialogues, c.Page = 1, 20 // the first page has every answer
	c.Rates = Rates{Keep: 1, Read: 0.5}
	c.Sizes.Summary = 10_000
	summary, paging := false, false
	for seed := range random.Seed(5) {
		r, err := c.Run(seed)
		if err != nil {
			t.Fatal(err)
		}
		mixed := func(w Way) bool { return w.All.Accuracy.Mean > 0 && w.All.Accuracy.Mean < 1 }
		summary, paging = summary || mixed(r.Summary), paging || mixed(r.Paging)
	}
	if !summary || !paging {
		t.Errorf("all of a dialogue's five answers are right or all wrong: summary %v, paging %v", !summary, !paging)
	}
}

func TestBadInputIsNamed(t *testing.T) {
	with := func(change func(*Config)) error {
		c := small()
		change(&c)
		_, err := c.Run(1)
		return err
	}
	survival := func(facts []int, session, capacity int, keep float64) error {
		_, err := Survival(facts, session, capacity, keep)
		return err
	}
	_, noSeed := small().Run()
	for _, c := range []struct {
		err  error
		want string
	}{
		{with(func(c *Config) { c.Sessions = 0 }), "0 sessions"},
		{with(func(c *Config) { c.Pairs = -1 }), "-1 pairs"},
		{with(func(c *Config) { c.Sessions, c.Pairs = 1_000_000, 1_000_000 }), "pairs in all"},
		{with(func(c *Config) { c.Dialogues = 0 }), "0 dialogues"},
		{with(func(c *Config) { c.Page = 0 }), "0 messages of a page"},
		{with(func(c *Config) { c.Steps = 0 }), "0 steps"},
		{with(func(c *Config) { c.Window = 0 }), "0 tokens of a window"},
		{with(func(c *Config) { c.Window = 1100 }), "memgpt: bad option"},
		{with(func(c *Config) { c.Language = "fr" }), "fr"},
		{with(func(c *Config) { c.Search = "magic" }), `"magic"`},
		{with(func(c *Config) { c.Pairs = 2 }), "statements do not fit"},
		{with(func(c *Config) { c.Sessions, c.Pairs = 30, 1 }), "none of 200 conversations"},
		{with(func(c *Config) { c.Rates.Keep = 1.2 }), "Keep 1.2: want a probability"},
		{with(func(c *Config) { c.Rates.Read = math.NaN() }), "Read NaN"},
		{with(func(c *Config) { c.Rates.Stop = -0.1 }), "Stop -0.1"},
		{with(func(c *Config) { c.Sizes.Fact = 0 }), "Fact of 0 tokens: want 1"},
		{with(func(c *Config) { c.Sizes.Summary = -1 }), "Summary of -1 tokens: want 0"},
		{with(func(c *Config) { c.Sizes.System = math.MaxInt }), "System of 9223372036854775807"},
		{noSeed, "no seed"},
		{survival(nil, 0, 1, 1), "session 0"},
		{survival([]int{0}, 0, 1, 1), "session 0 has 0 facts"},
		{survival([]int{1, -1}, 0, 1, 1), "session 1 has -1 facts"},
		{survival([]int{1}, 0, -1, 1), "capacity of -1"},
		{survival([]int{1}, 0, 1, 2), "keep 2"},
	} {
		if c.err == nil || !errors.Is(c.err, ErrConfig) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v: want %q", c.err, c.want)
		}
	}
}

// The experiment of one figure.
func BenchmarkRun20Seeds(b *testing.B) {
	for b.Loop() {
		run(b, DefaultConfig(), 20)
	}
}
