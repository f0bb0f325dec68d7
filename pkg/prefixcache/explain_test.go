package prefixcache

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

type explained struct {
	name     string
	request  Request
	segments []Segment
	reason   Reason
	hit      int
	segment  string
	since    int
	says     string
}

func explain(t *testing.T, c Cache, block int, cases []explained) {
	t.Helper()
	e, err := NewExplainer(c, block)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range cases {
		u, got, err := e.Serve(x.request, x.segments...)
		if err != nil {
			t.Fatal(err)
		}
		if got.Reason != x.reason || u.HitTokens != x.hit || got.Hit != x.hit || got.Segment != x.segment || got.Since != x.since {
			t.Errorf("%s: %+v: want %q, hit %d, segment %q since %d", x.name, got, x.reason, x.hit, x.segment, x.since)
		}
		if s := got.String(); !strings.Contains(s, x.says) {
			t.Errorf("%s: %q does not say %q", x.name, s, x.says)
		}
	}
}

// vllm#54607: a shared prefix of 240 tokens under a block of 784 hits nothing,
// and rightly so.
func TestExplainAPrefixShorterThanABlock(t *testing.T) {
	question := func(i int) Request { return Request{Tokens: slices.Concat(upTo(0, 240), upTo(1000*i, 1000*i+800))} }
	explain(t, blockHash(t, 100, 784), 784, []explained{
		{name: "first", request: question(1), reason: FirstVisit, since: -1, says: "no earlier prompt"},
		{name: "second", request: question(2), reason: BelowBlock, since: -1, says: "shared prefix of 240 tokens is shorter than one block of 784"},
	})
	explain(t, blockHash(t, 100, 16), 16, []explained{
		{name: "first", request: question(1), reason: FirstVisit, since: -1},
		{name: "second, with small blocks", request: question(2), reason: Changed, hit: 240, since: -1, says: "after token 240"},
	})
}

// vllm#12621: with a salt per tenant, one cannot find out what another asked.
func TestExplainOtherTenants(t *testing.T) {
	explain(t, radix(t, RadixConfig{Page: 4}), 4, []explained{
		{name: "a", request: Request{Tenant: "a", Tokens: upTo(0, 40)}, reason: FirstVisit, since: -1},
		{name: "b", request: Request{Tenant: "b", Tokens: upTo(0, 40)}, reason: OtherTenant, since: -1, says: "under another salt"},
		{name: "a again", request: Request{Tenant: "a", Tokens: upTo(0, 40)}, reason: LastToken, hit: 36, since: -1, says: "last token"},
	})
}

// One changed token, a time stamp in the system prompt, ends all reuse behind
// it: which segment, and since when.
func TestExplainAChangedTimeStamp(t *testing.T) {
	request := func(clock, turns int) (Request, []Segment) {
		return Request{Tokens: slices.Concat(upTo(0, 20), []int{1000 + clock}, upTo(100, 100+10*turns))},
			[]Segment{{"instructions", 20}, {"time stamp", 1}, {"history", 10 * turns}}
	}
	var cases []explained
	add := func(name string, clock, turns int, reason Reason, hit int, segment string, since int, says string) {
		r, s := request(clock, turns)
		cases = append(cases, explained{name, r, s, reason, hit, segment, since, says})
	}
	add("first", 1, 1, FirstVisit, 0, "instructions", -1, "")
	add("the history grows", 1, 2, Grown, 28, "history", -1, "continues an earlier prompt after token 31")
	add("the minute passes", 2, 3, Changed, 20, "time stamp", 2, `segment "time stamp" at its token 0`)
	add("and again", 3, 4, Changed, 20, "time stamp", 2, "since request 2")
	add("and once more", 4, 4, Changed, 20, "time stamp", 2, "since request 2")
	add("the clock stands", 4, 5, Grown, 60, "history", -1, "")
	add("and goes on", 5, 6, Changed, 20, "time stamp", 6, "since request 6")
	explain(t, blockHash(t, 1000, 4), 4, cases)
}

// An undersized cache says so, and what fits but was evicted is told apart.
func TestExplainEvictionsAndRefusals(t *testing.T) {
	explain(t, blockHash(t, 5, 4), 4, []explained{
		{name: "too large", request: Request{Tokens: upTo(0, 21)}, reason: DoesNotFit, since: -1, says: "does not fit"},
		{name: "first", request: Request{Tokens: upTo(0, 14)}, reason: FirstVisit, since: -1},
		{name: "another", request: Request{Tokens: upTo(50, 62)}, reason: FirstVisit, since: -1},
		{name: "again", request: Request{Tokens: upTo(0, 14)}, reason: Evicted, hit: 8, since: -1, says: "4 more were computed before and have been evicted"},
		{name: "a shorter one", request: Request{Tokens: upTo(0, 10)}, reason: Partial, hit: 8, since: -1, says: "does not fill a block"},
	})
}

func TestExplainerRefusesNonsense(t *testing.T) {
	c := blockHash(t, 5, 4)
	if _, err := NewExplainer(c, 0); !errors.Is(err, ErrSize) {
		t.Errorf("block 0: error %v, want ErrSize", err)
	}
	e, err := NewExplainer(c, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range [][]Segment{{{"a", 2}}, {{"a", 5}, {"b", -1}}} {
		if _, _, err := e.Serve(Request{Tokens: upTo(0, 4)}, s...); !errors.Is(err, ErrRequest) {
			t.Errorf("segments %v of 4 tokens: error %v, want ErrRequest", s, err)
		}
	}
	if _, _, err := e.Serve(Request{}); !errors.Is(err, ErrRequest) {
		t.Errorf("an empty prompt: error %v, want ErrRequest", err)
	}
}

// llm-d-sim#430: counting requests makes a poor cache look good.
func TestHitRateIsOverTokens(t *testing.T) {
	c := blockHash(t, Unlimited, 16)
	for i := range 10 {
		if _, err := c.Serve(Request{Tokens: slices.Concat(upTo(0, 16), upTo(1000*(i+1), 1000*(i+1)+784))}); err != nil {
			t.Fatal(err)
		}
	}
	if s := c.Stats(); s.RequestHitRate() != 0.9 || s.HitRate() != 0.018 {
		t.Errorf("%.3f of requests, %.4f of tokens: want 0.9 and 0.018", s.RequestHitRate(), s.HitRate())
	}
	if (Stats{}).HitRate() != 0 {
		t.Error("the hit rate of nothing is not 0")
	}
}
