package mem0_test

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory/mem0"
)

// said is one statement of a random dialogue.
type said struct {
	at   int
	fact dialogue.Fact
}

// statements are facts about a few subjects, relations and values, so that values are
// repeated, replaced and come back. No two are said at the same time.
var statements = rapid.Custom(func(t *rapid.T) []said {
	facts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) dialogue.Fact {
		return about(
			rapid.SampledFrom([]string{dialogue.Me, "Kim", "小李"}).Draw(t, "subject"),
			rapid.SampledFrom([]string{"city", "职业"}).Draw(t, "relation"),
			rapid.SampledFrom([]string{"A", "B", "C", "丁"}).Draw(t, "object"),
		)
	}), 1, 25).Draw(t, "facts")
	out := make([]said, len(facts))
	for i := range out {
		out[i].at = i
	}
	out = rapid.Permutation(out).Draw(t, "times")
	for i, f := range facts {
		out[i].fact = f
	}
	return out
})

// The same cases in every run, unless the command line says otherwise.
func init() {
	for name, value := range map[string]string{"rapid.seed": "1", "rapid.checks": "200", "rapid.nofailfile": "true"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
}

// model of what must hold: for each key the times of each value.
func heldBy(all []said) (now map[dialogue.Key]string, intervals map[string][]mem0.Interval) {
	ordered := slices.Clone(all)
	slices.SortFunc(ordered, func(a, b said) int { return cmp.Compare(a.at, b.at) })
	now, intervals = map[dialogue.Key]string{}, map[string][]mem0.Interval{}
	for _, s := range ordered {
		k := s.fact.Key()
		if now[k] == s.fact.Object {
			continue
		}
		if old, ok := now[k]; ok {
			was := intervals[dialogue.Fact{Subject: k.Subject, Relation: k.Relation, Object: old}.String()]
			was[len(was)-1].To = moment(s.at)
		}
		now[k] = s.fact.Object
		intervals[s.fact.String()] = append(intervals[s.fact.String()], mem0.Interval{From: moment(s.at)})
	}
	return now, intervals
}

func moment(at int) time.Time { return day(1).Add(time.Duration(at) * time.Minute) }

func statement(i int, s said) *dialogue.Message {
	return user(fmt.Sprintf("m%d", i), moment(s.at), s.fact.Text, s.fact)
}

// all makes every memory similar, so that a rule without errors sees all that there is.
func all(graph bool) func(*mem0.Options) {
	return func(o *mem0.Options) { o.Graph, o.Similar = graph, 1000 }
}

// eachSequence tests many sequences of statements. A failure is reported with the
// shortest one found that fails.
func eachSequence(t *testing.T, test func(t *rapid.T, all []said, graph bool)) {
	both(t, func(t *testing.T, graph bool) {
		rapid.Check(t, func(t *rapid.T) { test(t, statements.Draw(t, "statements"), graph) })
	})
}

func current(t tb, m *mem0.Memory) map[dialogue.Key]string {
	now := map[dialogue.Key]string{}
	for _, e := range m.Memories() {
		if !e.Invalid.IsZero() {
			continue
		}
		if other, two := now[e.Fact.Key()]; two {
			t.Errorf("%v has two values at once: %s and %s", e.Fact.Key(), other, e.Fact.Object)
		}
		now[e.Fact.Key()] = e.Fact.Object
	}
	return now
}

// Whatever the order of arrival, what was said last holds, one value for each key,
// and with a graph every interval in which a value held is known, also of a value that
// came back.
func TestWhatHoldsFollowsTheTimeOfWhatWasSaid(t *testing.T) {
	eachSequence(t, func(t *rapid.T, sayings []said, graph bool) {
		m := build(t, perfect(t), all(graph))
		for i, s := range sayings {
			write(t, m, statement(i, s))
		}
		now, intervals := heldBy(sayings)
		got := current(t, m)
		if len(got) != len(now) {
			t.Errorf("%v, want %v", got, now)
		}
		for k, v := range now {
			if got[k] != v {
				t.Errorf("%v is %q, want %q", k, got[k], v)
			}
		}
		if !graph {
			return
		}
		if n := len(m.Memories()); n != len(intervals) {
			t.Errorf("%d memories, want one for each of %d values", n, len(intervals))
		}
		for _, e := range m.Memories() {
			if h, want := m.History(e.ID), intervals[e.Fact.String()]; !slices.Equal(h, want) {
				t.Errorf("%v held %v, want %v", e.Fact, h, want)
			}
		}
	})
}

// Saying a fact again at once changes nothing but its sources and its time.
func TestAFactSaidAgainChangesNothing(t *testing.T) {
	eachSequence(t, func(t *rapid.T, sayings []said, graph bool) {
		slices.SortFunc(sayings, func(a, b said) int { return cmp.Compare(a.at, b.at) })
		once, twice := build(t, perfect(t), all(graph)), build(t, perfect(t), all(graph))
		for i, s := range sayings {
			write(t, once, statement(i, s))
			write(t, twice, statement(i, s))
			again := statement(i, s)
			again.ID += "again"
			write(t, twice, again)
		}
		a, b := once.Memories(), twice.Memories()
		if len(a) != len(b) {
			t.Fatalf("%d memories once, %d twice", len(a), len(b))
		}
		for i := range a {
			if a[i].Fact != b[i].Fact || !a[i].Time.Equal(b[i].Time) || !a[i].Invalid.Equal(b[i].Invalid) {
				t.Errorf("once %+v, twice %+v", a[i], b[i])
			}
		}
	})
}

// A statement changes no memory about another subject or relation, and erases none
// where there is a graph.
func TestAStatementTouchesItsOwnKeyOnly(t *testing.T) {
	eachSequence(t, func(t *rapid.T, sayings []said, graph bool) {
		m := build(t, perfect(t), all(graph))
		for i, s := range sayings {
			before := m.Memories()
			write(t, m, statement(i, s))
			after := m.Memories()
			for _, b := range before {
				at := slices.IndexFunc(after, func(a memoryOf) bool { return a.ID == b.ID })
				switch {
				case at < 0 && (graph || b.Fact.Key() != s.fact.Key()):
					t.Errorf("%v erased %v", s.fact, b.Fact)
				case at >= 0 && b.Fact.Key() != s.fact.Key() && fmt.Sprint(after[at]) != fmt.Sprint(b):
					t.Errorf("%v changed %v", s.fact, b.Fact)
				}
			}
		}
	})
}

// Every statement is accounted for: held, or lost to the one that took its place.
func TestEveryStatementHasAFate(t *testing.T) {
	eachSequence(t, func(t *rapid.T, sayings []said, graph bool) {
		m := build(t, rates(t, mem0.Rates{Recall: 0.8, NoopError: 0.2, AddError: 0.1}), all(graph))
		for i, s := range sayings {
			write(t, m, statement(i, s))
		}
		for i, s := range sayings {
			id := statement(i, s).ID
			fate := m.Fate(id, s.fact)
			held := slices.ContainsFunc(m.Memories(), func(e memoryOf) bool { return e.Fact.Same(s.fact) })
			if held != (fate.Lost == "") {
				t.Errorf("%s %v: %+v, held %v", id, s.fact, fate, held)
			}
			if fate.Lost != "" && fate.Detail == "" {
				t.Errorf("%s %v: %+v without a reason", id, s.fact, fate)
			}
		}
	})
}

// Forgetting takes what was asked and leaves the rest as it was.
func TestForgettingTakesExactlyWhatWasAsked(t *testing.T) {
	eachSequence(t, func(t *rapid.T, sayings []said, graph bool) {
		m := build(t, perfect(t), all(graph))
		for i, s := range sayings {
			write(t, m, statement(i, s))
		}
		gone := rapid.SampledFrom(sayings).Draw(t, "forgotten").fact
		match := func(f dialogue.Fact) bool { return f.Same(gone) }
		var want []memoryOf
		for _, e := range m.Memories() {
			if !match(e.Fact) {
				want = append(want, e)
			}
		}
		if _, err := m.Forget(ctx, match); err != nil {
			t.Fatal(err)
		}
		if got := m.Memories(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("forgetting %v left %v, want %v", gone, got, want)
		}
		if got, err := m.Forget(ctx, match); err != nil || got != (mem0.Forgotten{}) {
			t.Errorf("forgetting it again: %+v, %v", got, err)
		}
	})
}
