package choice_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"memlab/pkg/costmodel"
	"memlab/pkg/experiments/choice"
	"memlab/pkg/experiments/world"
)

func engine(t testing.TB) *costmodel.Engine {
	t.Helper()
	m, err := costmodel.ModelByName("llama-3-8b")
	if err != nil {
		t.Fatal(err)
	}
	g, err := costmodel.GPUByName("h100")
	if err != nil {
		t.Fatal(err)
	}
	e, err := costmodel.NewEngine(m, g, costmodel.DefaultParams())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Writing costs ten and saves half a second a question: even at the 21st.
var (
	reader = choice.Way{Name: "reader", First: 1, Each: 1, Accuracy: 1}
	writer = choice.Way{Name: "writer", Write: 10.5, First: 0.5, Each: 0.5, Accuracy: 0.8}
	secret = choice.Way{Name: "secret", Accuracy: math.NaN()} // free, and nobody knows how good
)

func Example() {
	for _, questions := range []float64{1, 100} {
		w, err := choice.Cheapest([]choice.Way{reader, writer}, questions, 0.7)
		fmt.Println(questions, w.Name, w.After(questions), err)
	}
	fmt.Println(choice.From(reader, writer))
	// Output:
	// 1 reader 1 <nil>
	// 100 writer 60.5 <nil>
	// 21
}

func TestCheapest(t *testing.T) {
	all := []choice.Way{reader, writer, secret}
	for _, c := range []struct {
		questions, least float64
		want             string
	}{{1, 0, "secret"}, {1, 0.5, "reader"}, {1000, 0.5, "writer"}, {1000, 0.9, "reader"}} {
		if got, err := choice.Cheapest(all, c.questions, c.least); err != nil || got.Name != c.want {
			t.Errorf("%g questions, %g right: %s, %v: want %s", c.questions, c.least, got.Name, err, c.want)
		}
	}
	for _, c := range [][2]float64{{0, 0}, {math.NaN(), 0}, {1, -1}, {1, 1.5}, {1, math.NaN()}} {
		if _, err := choice.Cheapest(all, c[0], c[1]); !errors.Is(err, choice.ErrChoice) {
			t.Errorf("%v: %v", c, err)
		}
	}
	if _, err := choice.Cheapest([]choice.Way{writer}, 1, 0.9); !errors.Is(err, choice.ErrChoice) {
		t.Errorf("nobody is good enough: %v", err)
	}
}

// Whatever the number of questions: the cheapest way costs no more than any other.
func TestFromIsWhereTheOrderTurns(t *testing.T) {
	at := choice.From(reader, writer)
	for q := 1.0; q < 100; q++ {
		if cheaper := writer.After(q) < reader.After(q); cheaper != (q > at) {
			t.Errorf("%g questions: writer is cheaper: %v, turn at %g", q, cheaper, at)
		}
	}
	if got := choice.From(writer, reader); got != 1 {
		t.Errorf("the reader is cheaper at once: %g", got)
	}
	if got := choice.From(reader, choice.Way{Write: 5, First: 1, Each: 1}); !math.IsInf(got, 1) {
		t.Errorf("it never pays: %g", got)
	}
}

// The lecture's 8,900 queries until a cartridge of 128k tokens has paid back (§4.6).
func TestDocumentsGiveTheLecturesBreakEven(t *testing.T) {
	private, shared, err := choice.Documents(engine(t), 128_000, 50, 200)
	if err != nil {
		t.Fatal(err)
	}
	if from := choice.From(private[1], private[2]); math.Abs(from-8900) > 200 {
		t.Errorf("%g queries", from)
	}
	if shared[0].Each*10 > private[1].Each {
		t.Errorf("a shared document costs %g per question, a private one %g", shared[0].Each, private[1].Each)
	}
	for _, w := range append(private, shared...) {
		if !(w.Each > 0) || !math.IsNaN(w.Accuracy) {
			t.Errorf("%+v", w)
		}
	}
}

func TestDecisionsFollowTheNumbers(t *testing.T) {
	p, e := world.DefaultParameters(), engine(t)
	p.Conversations, p.LongConversations = 3, 1
	s := choice.DefaultSizes()
	s.Seeds, s.Least = 2, 0.5
	chosen := func(s choice.Sizes) map[string]string {
		t.Helper()
		found, err := choice.Decide(t.Context(), p, e, s)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for _, d := range found {
			out[d.Situation] = d.Choice
		}
		return out
	}
	usual := chosen(s)
	if len(usual) != 5 {
		t.Errorf("%v", usual)
	}
	const own, beyond = "a private document, asked often, hardly changed", "a conversation beyond the window, facts that change"
	few, strict := s, s
	few.Queries = 100
	if got := chosen(few)[own]; usual[own] != choice.Trained || got != choice.Cached {
		t.Errorf("%q for 20,000 queries, %q for 100", usual[own], got)
	}
	strict.Least = 0.9
	if got := chosen(strict)[beyond]; usual[beyond] != "mem0g+graph" || got != "full" {
		t.Errorf("%q for .5 right, %q for .9", usual[beyond], got)
	}
}

func TestLevels(t *testing.T) {
	p := world.DefaultParameters()
	p.Conversations = 2
	m, err := costmodel.ModelByName("llama-3-8b")
	if err != nil {
		t.Fatal(err)
	}
	levels, err := choice.Levels(t.Context(), p, m)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range levels {
		if !(l.Holds > 0 && l.Reads > 0 && l.Calls >= 1 && l.Bytes > 0) {
			t.Errorf("%+v", l)
		}
	}
	// 18 entries of 20 tokens.
	if levels[1].Holds != 360 {
		t.Errorf("the working context holds %g tokens", levels[1].Holds)
	}
}

func TestInOrderWantsEachPartOnce(t *testing.T) {
	for _, names := range [][]string{nil, {"code"}, {"code", "task", "history", "playbook", "preferences", "preferences"}} {
		if _, err := choice.InOrder(choice.CodingAgent(), names...); err == nil {
			t.Errorf("%q: no error", names)
		}
	}
}
