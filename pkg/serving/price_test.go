package serving

import (
	"math"
	"testing"

	"memlab/pkg/costmodel"
)

// A bill is the sum of what the cost model says of each call: here a prompt of
// 2,000 tokens with an answer of 100, and its continuation by 500 with 50.
func TestBillIsTheSumOfItsCalls(t *testing.T) {
	e := llama(t)
	long, more := item("doc", "1", 0, 2000), item("doc", "2", 0, 500)
	var l Ledger
	for i, c := range []Call{
		{Phase: Write, Prompt: Prompt{{"docs", Plain, []Item{long}}}, Output: []Item{item("answer", "1", 0, 100)}},
		{Phase: Read, Prompt: Prompt{{"docs", Plain, []Item{long, more}}}, Output: []Item{item("answer", "2", 0, 50)}},
	} {
		c.Turn = i
		if err := l.Add(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Embed(Embedding{Phase: Write, Purpose: "index", Texts: 3}); err != nil {
		t.Fatal(err)
	}
	r := replay(t, &l, Options{})
	b, err := r.Price(e)
	if err != nil {
		t.Fatal(err)
	}
	prefill := func(cached, fresh int) costmodel.Seconds {
		p, err := e.Prefill(cached, fresh)
		if err != nil {
			t.Fatal(err)
		}
		return p.Time
	}
	decode := func(context, tokens int) costmodel.Seconds {
		s, err := e.DecodeStep(1, context)
		if err != nil {
			t.Fatal(err)
		}
		return costmodel.Seconds(tokens) * s.Time
	}
	near := func(what string, got, want costmodel.Seconds) {
		if math.Abs(float64(got-want)) > 1e-12 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("prefill", b.Prefill, prefill(0, 2000)+prefill(2000, 500))
	near("decode", b.Decode, decode(2050, 100)+decode(2525, 50))
	near("write", b.Write, prefill(0, 2000)+decode(2050, 100))
	near("read", b.Read, prefill(2000, 500)+decode(2525, 50))
	if len(b.Causes) != 2 || b.Causes[0].Cause != isNew || b.Causes[1].Cause != first {
		t.Fatalf("%+v", b.Causes)
	}
	near("new content", b.Causes[0].Prefill, prefill(2000, 500))
	if b.GPUSeconds != float64(b.Prefill+b.Decode) || b.Calls != 2 {
		t.Errorf("%+v", b)
	}
	if got := r.Phase(Write); got.Embedded != 3 || got.Prefilled != 2000 || r.Totals.Embedded != 3 {
		t.Errorf("%+v", got)
	}
}

func TestPriceNamesACallThatTheModelCannotTake(t *testing.T) {
	r := replay(t, handTrace(t), Options{})
	r.Calls[1].Prefilled = -1
	r.Calls[1].Cached = -1
	r.Calls[1].Output = 0
	if _, err := r.Price(llama(t)); err != nil {
		t.Errorf("a call without prefill costs nothing: %v", err)
	}
	r.Calls[1].Prefilled = 5
	if _, err := r.Price(llama(t)); err == nil {
		t.Error("want an error")
	}
}
