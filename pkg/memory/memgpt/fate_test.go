package memgpt

import (
	"context"
	"errors"
	"strings"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/random"
)

// small is an agent with a queue of two messages and three entries that errs at
// the given rates.
func small(t *testing.T, rates Rates) *Memory {
	t.Helper()
	j, err := NewRuleJudge(rates, random.Seed(1).Stream)
	if err != nil {
		t.Fatal(err)
	}
	o := textual(j)
	o.Evict, o.Entries = queue.ToFit(100), 3
	return newMemory(t, o)
}

func TestFateSaysWhereAFactIs(t *testing.T) {
	never, always := Rates{Pages: 1}, Rates{Notice: 1, Pages: 1}
	misses := Rates{Notice: 1, MissChange: 1, Pages: 1}
	city := []dialogue.Fact{mine("city", "Oslo"), mine("city", "Rome")}
	for _, c := range []struct {
		name  string
		rates Rates
		said  []dialogue.Fact
		want  string
	}{
		{"in the queue", always, city[:1], "in the queue"},
		{"overlooked", never, append(city[:1:1], mine("a", "x"), mine("b", "y")), "evicted from the queue, in recall storage"},
		{"written down", always, append(city[:1:1], mine("a", "x"), mine("b", "y")), "in the working context"},
		{"replaced by a newer value", always, append(city[:2:2], mine("a", "x"), mine("b", "y")), "replaced in the working context by what m1 says, in recall storage"},
		{"pushed out by others", always, append(city[:1:1], mine("a", "x"), mine("b", "y"), mine("c", "z"), mine("d", "z"), mine("e", "z")), "dropped from the working context: full, in recall storage"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := small(t, c.rates)
			for i, f := range c.said {
				if err := m.Write(context.Background(), user(i, f.Text, f)); err != nil {
					t.Fatal(err)
				}
			}
			if f := m.Fate("m0", c.said[0]); f.Lost != memory.Held || f.Detail != c.want {
				t.Errorf("%+v, want held, %q", f, c.want)
			}
		})
	}
	m := small(t, misses)
	for i, f := range append(city[:2:2], mine("a", "x"), mine("b", "y")) {
		if err := m.Write(context.Background(), user(i, f.Text, f)); err != nil {
			t.Fatal(err)
		}
	}
	if f := m.Fate("m1", city[1]); f.Lost != memory.Held || f.Detail != "change missed at eviction, in recall storage" {
		t.Errorf("%+v", f)
	}
	if f := m.Fate("m0", city[0]); f.Detail != "in the working context" {
		t.Errorf("%+v", f)
	}
	if f := m.Fate("m99", city[0]); f.Lost != memory.Keep {
		t.Errorf("%+v", f)
	}
}

// What is said again keeps its entry young: the one stated the longest ago goes.
func TestTheEntryStatedTheLongestAgoGoes(t *testing.T) {
	m := small(t, Rates{Notice: 1, Pages: 1})
	a, b, c, d := mine("a", "1"), mine("b", "2"), mine("c", "3"), mine("d", "4")
	for i, f := range []dialogue.Fact{a, b, c, a, d, mine("e", "5"), mine("f", "6")} {
		if err := m.Write(context.Background(), user(i, f.Text, f)); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, e := range m.Working() {
		got = append(got, e.Fact.Relation+" of "+strings.Join(e.Sources, " "))
	}
	if s := strings.Join(got, ", "); s != "a of m0 m3, d of m4, c of m2" || m.Stats().Dropped != 1 {
		t.Errorf("%s; %+v", s, m.Stats())
	}
}

func TestSeveralStatementsInOneMessage(t *testing.T) {
	m := small(t, Rates{Notice: 1, Pages: 1})
	if err := m.Write(context.Background(), user(0, "a and b", mine("a", "1"), mine("b", "2"))); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := m.Write(context.Background(), user(i+1, "chat")); err != nil {
			t.Fatal(err)
		}
	}
	if w := m.Working(); len(w) != 2 || w[0].Fact.Object != "1" || w[1].Fact.Object != "2" {
		t.Errorf("%+v", w)
	}
}

func TestRatesAreProbabilities(t *testing.T) {
	stream := random.Seed(1).Stream
	for _, r := range []Rates{{Notice: 1.2}, {Notice: -0.1}, {MissChange: 2}, {Pages: -1}, {Notice: nan()}} {
		if _, err := NewRuleJudge(r, stream); !errors.Is(err, ErrOption) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := NewRuleJudge(DefaultRates(), nil); !errors.Is(err, ErrOption) {
		t.Error(err)
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

func TestOptionsThatCannotBe(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"window 0":                     func(o *Options) { o.Window = 0 },
		"a negative page":              func(o *Options) { o.Page = -1 },
		"no steps":                     func(o *Options) { o.Steps = 0 },
		"no entries":                   func(o *Options) { o.Entries = 0 },
		"entries that overflow":        func(o *Options) { o.Entries, o.Entry = 1<<29, 1<<29 },
		"no judge":                     func(o *Options) { o.Judge = nil },
		"no account":                   func(o *Options) { o.Account = nil },
		"vectors without an embedder":  func(o *Options) { o.Recall = ByVector },
		"a search that does not exist": func(o *Options) { o.Archival = "magic" },
		"a queue that does not fit":    func(o *Options) { o.Evict = queue.ToFit(8000) },
		"no policy":                    func(o *Options) { o.Evict = nil },
		"a layout that does not exist": func(o *Options) { o.Layout = "side" },
		"a warning with ToFit":         func(o *Options) { o.Warn = 0.7 },
		"negative traces":              func(o *Options) { o.KeepTraces = -1 },
	} {
		t.Run(name, func(t *testing.T) {
			o := textual(&ScriptedJudge{})
			change(&o)
			if _, err := New(o); !errors.Is(err, ErrOption) {
				t.Error(err)
			}
		})
	}
}

func TestMessagesThatCannotBe(t *testing.T) {
	m := small(t, DefaultRates())
	fill(t, m, "a")
	long, empty := user(7, "long"), user(8, "no tokens")
	long.Tokens, empty.Tokens = 101, 0
	before := m.State()
	for name, msg := range map[string]*dialogue.Message{"twice": user(0, "a"), "too long": long, "no tokens": empty} {
		if err := m.Write(context.Background(), msg); err == nil || m.State() != before || len(m.recall.records) != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := m.Write(context.Background(), long); !errors.Is(err, queue.ErrWindow) {
		t.Error(err)
	}
	reply := user(9, "hi")
	reply.Role = dialogue.Assistant
	for name, e := range map[string]Event{
		"no message": {Kind: Message}, "no kind": {}, "of the assistant": {Kind: Message, Message: reply},
		"a timer with a message": {Kind: Timer, Message: user(9, "hi")},
	} {
		if _, err := m.Handle(context.Background(), e); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}
