package serving

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memlab/pkg/prefixcache"
)

// The trace, in blocks of 4 tokens; S is the system part (6 tokens), a an entry
// of the memory (2), u and r messages (3 and 2), + the first summary (4):
//
//	call  prompt                  tokens  common  cached  prefilled
//	0     S a u1                  11      -       0       11 first visit
//	1     S a u1 r1 u2            16      11      8       8 new (3 of an open block)
//	2     S a' u1 r1 u2 r2 u3     21      6       4       17 = 2 of an open block, a' 2 and
//	                                                      u1 r1 u2 8 behind the edit, 5 new
//	3     S a' + u2 r2 u3 r3 u4   25      8       8       17 = + 4 and u2 r2 u3 8 by the
//	                                                      eviction, 5 new
func handTrace(t *testing.T) *Ledger {
	t.Helper()
	u := func(name string) Item { return item("u", name, 0, 3) }
	r := func(name string) Item { return item("r", name, 0, 2) }
	s := Segment{"system", Plain, []Item{item("system", "", 0, 6)}}
	memory := func(version int) Segment { return Segment{"memory", Plain, []Item{item("entry", "a", version, 2)}} }
	queue := func(items ...Item) Segment { return Segment{"queue", Queue, items} }
	var l Ledger
	add(t, &l, "main", Prompt{s, memory(0), queue(u("1"))}, r("1"))
	add(t, &l, "main", Prompt{s, memory(0), queue(u("1"), r("1"), u("2"))}, r("2"))
	add(t, &l, "main", Prompt{s, memory(1), queue(u("1"), r("1"), u("2"), r("2"), u("3"))}, r("3"))
	add(t, &l, "main", Prompt{s, memory(1), {"summary", Snapshot, []Item{item("summary", "", 1, 4)}},
		queue(u("2"), r("2"), u("3"), r("3"), u("4"))}, r("4"))
	return &l
}

var (
	isNew   = Cause{Kind: NewContent}
	edited  = Cause{Edit, "memory"}
	evicted = Cause{Kind: Eviction}
	first   = Cause{Kind: FirstVisit}
	missed  = Cause{Kind: CapacityMiss}
)

func TestTraceWorkedByHand(t *testing.T) {
	l := handTrace(t)
	r := replay(t, l, Options{Block: 4})
	want := []struct {
		cached, rounding int
		why              []Part
		blame            Cause
	}{
		{0, 0, []Part{{first, 11}}, first},
		{8, 3, []Part{{isNew, 8}}, isNew},
		{4, 2, []Part{{edited, 12}, {isNew, 5}}, edited},
		{8, 0, []Part{{evicted, 12}, {isNew, 5}}, evicted},
	}
	for i, w := range want {
		s := r.Calls[i]
		if s.Cached != w.cached || s.Rounding != w.rounding || s.Blame != w.blame || !slices.Equal(s.Why, w.why) {
			t.Errorf("call %d: cached %d, rounding %d, blame %v, why %v; want %+v", i, s.Cached, s.Rounding, s.Blame, s.Why, w)
		}
	}
	total := Totals{Calls: 4, Prompt: 73, Cached: 20, Prefilled: 53, Output: 8, Rounding: 5}
	if d := cmp.Diff(total, r.Totals); d != "" {
		t.Error(d)
	}
	if got := r.Lost(Cause{Kind: Edit}); got.Tokens != 12 || got.Calls != 1 || got.First != 2 {
		t.Errorf("edits: %+v", got)
	}
	if got := r.Lost(isNew); got.Tokens != 18 || got.Calls != 3 || got.First != 1 || math.Abs(got.Share-18./53) > 1e-15 {
		t.Errorf("new content: %+v", got)
	}
	if got := r.Blamed(evicted).Tokens; got != 17 {
		t.Errorf("the whole call is blamed on the eviction: %d, want 17", got)
	}
	where := []Where{{"system", 24, 8}, {"memory", 8, 4}, {"queue", 37, 37}, {"summary", 4, 4}}
	if d := cmp.Diff(where, r.Where); d != "" {
		t.Error(d)
	}
}

func TestEditsOfAllSegmentsAreOneSum(t *testing.T) {
	r := Replay{Causes: []Loss{
		{Cause: Cause{Edit, "a"}, Tokens: 5, Calls: 2, First: 7}, {Cause: Cause{Edit, "b"}, Tokens: 1, Calls: 1, First: 3}, {Cause: evicted, Tokens: 9},
	}}
	if got, want := r.Lost(Cause{Kind: Edit}), (Loss{Cause: Cause{Kind: Edit}, Tokens: 6, Calls: 3, First: 3}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := r.Lost(missed); got.Tokens != 0 || got.First != -1 {
		t.Errorf("%+v: want nothing, first at -1", got)
	}
}

// With outputs kept, call 1 finds S a u1 and all but the last token of r1: 12 of
// 12 tokens in whole blocks. The edit and the eviction come before the outputs,
// so calls 2 and 3 are as they were.
func TestOutputsAreFoundInTheNextPrompt(t *testing.T) {
	r := replay(t, handTrace(t), Options{Block: 4, CacheOutputs: true})
	var cached []int
	for _, s := range r.Calls {
		cached = append(cached, s.Cached)
	}
	if want := []int{0, 12, 4, 8}; !slices.Equal(cached, want) {
		t.Errorf("cached %v, want %v", cached, want)
	}
}

// Seven blocks hold call 3's 25 tokens; a prompt of 28 in between takes their
// room, so that the 24 in whole blocks are a capacity miss when the prompt comes
// again. The last token is computed in any case.
func TestWhatTheCacheLostIsACapacityMiss(t *testing.T) {
	l := handTrace(t)
	add(t, l, "other", Prompt{{"system", Plain, []Item{item("system", "other", 0, 28)}}})
	add(t, l, "main", l.Call(3).Prompt)
	cache, err := prefixcache.NewBlockHash(7, 4)
	if err != nil {
		t.Fatal(err)
	}
	r := replay(t, l, Options{Cache: cache, Block: 4})
	s := r.Calls[5]
	if want := []Part{{missed, 24}, {isNew, 1}}; !slices.Equal(s.Why, want) || s.Blame != missed {
		t.Errorf("why %v, blame %v, want %v", s.Why, s.Blame, want)
	}
}

func TestRefusedCallsAreCountedAndNothingElse(t *testing.T) {
	cache, err := prefixcache.NewBlockHash(5, 4)
	if err != nil {
		t.Fatal(err)
	}
	r := replay(t, handTrace(t), Options{Cache: cache, Block: 4})
	if r.Totals.Calls != 2 || r.Totals.Refused != 2 || r.Totals.Prompt != 27 {
		t.Errorf("%+v: want calls 0 and 1 served, 2 and 3 refused", r.Totals)
	}
}

func TestFirstChangeNamesTheSegmentThatBrokeThePrompt(t *testing.T) {
	s := func(version int) Segment { return Segment{"system", Plain, []Item{item("clock", "", version, 5)}} }
	m := func(items ...string) Segment {
		seg := Segment{"memory", Plain, nil}
		for _, n := range items {
			seg.Items = append(seg.Items, item("entry", n, 0, 2))
		}
		return seg
	}
	q := func(items ...string) Segment {
		seg := Segment{"queue", Queue, nil}
		for _, n := range items {
			seg.Items = append(seg.Items, item("message", n, 0, 3))
		}
		return seg
	}
	sum := Segment{"summary", Snapshot, []Item{item("summary", "", 1, 4)}}
	edit := func(segment string) Cause { return Cause{Edit, segment} }
	for name, c := range map[string]struct {
		before, after Prompt
		want          Change
	}{
		"the same prompt":               {Prompt{s(0)}, Prompt{s(0)}, Change{5, false, "", isNew}},
		"text at the end":               {Prompt{s(0), q("1")}, Prompt{s(0), q("1", "2")}, Change{8, false, "", isNew}},
		"an end that is gone":           {Prompt{s(0), q("1", "2")}, Prompt{s(0), q("1")}, Change{8, false, "", isNew}},
		"a clock in the system part":    {Prompt{s(0), q("1")}, Prompt{s(1), q("1")}, Change{0, true, "system", edit("system")}},
		"an entry more":                 {Prompt{s(0), m("a"), q("1")}, Prompt{s(0), m("a", "b"), q("1")}, Change{7, true, "memory", edit("memory")}},
		"an entry less at the end":      {Prompt{s(0), m("a", "b"), q("1")}, Prompt{s(0), m("a"), q("1")}, Change{7, true, "memory", edit("memory")}},
		"a memory that appears":         {Prompt{s(0), q("1")}, Prompt{s(0), m("a"), q("1")}, Change{5, true, "memory", edit("memory")}},
		"a memory that is gone":         {Prompt{s(0), m("a"), q("1")}, Prompt{s(0), q("1")}, Change{5, true, "memory", edit("memory")}},
		"a memory behind a longer tail": {Prompt{s(0), q("1"), m("a")}, Prompt{s(0), q("1", "2"), m("a")}, Change{8, true, "queue", edit("queue")}},
		"a message that left":           {Prompt{s(0), q("1", "2")}, Prompt{s(0), q("2")}, Change{5, true, "queue", evicted}},
		"a message that came between":   {Prompt{s(0), q("1", "2")}, Prompt{s(0), q("1", "3", "2")}, Change{8, true, "queue", edit("queue")}},
		"a summary that appears":        {Prompt{s(0), q("1", "2")}, Prompt{s(0), sum, q("2")}, Change{5, true, "summary", evicted}},
		"an edit before an eviction":    {Prompt{s(0), m("a"), q("1", "2")}, Prompt{s(0), m("b"), sum, q("2")}, Change{5, true, "memory", edit("memory")}},
		"a queue that is gone":          {Prompt{s(0), q("1"), m("a")}, Prompt{s(0), m("a")}, Change{5, true, "queue", evicted}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := FirstChange(c.before, c.after)
			if err != nil || got != c.want {
				t.Errorf("%+v, %v: want %+v", got, err, c.want)
			}
		})
	}
}
