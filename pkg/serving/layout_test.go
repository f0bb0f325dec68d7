package serving

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// System 500, playbook 3,000 that grows in 6 of 10 calls, task 300 always new:
// 500 and 3,000 stay, the task is prefilled: 300. With the task in front the
// playbook is prefilled too: 300 + 3,000.
func TestArrangeWorkedByHand(t *testing.T) {
	system := Habit{Segment: "system", Tokens: 500}
	book := Habit{Segment: "playbook", Tokens: 3000, Change: 0.6, Kept: 1}
	task := Habit{Segment: "task", Tokens: 300, Change: 1}
	for _, c := range []struct {
		order []Habit
		want  float64
	}{
		{[]Habit{system, book, task}, 300},
		{[]Habit{task, system, book}, 3800},
		{[]Habit{system, task, book}, 3300},
		{[]Habit{book, system, task}, 0.6*500 + 300},
	} {
		a, err := InOrder(c.order)
		if err != nil || math.Abs(a.Prefill-c.want) > 1e-9 {
			t.Errorf("%v: %g, %v; want %g", c.order, a.Prefill, err, c.want)
		}
	}
	best, err := Arrange([]Habit{task, book, system})
	if err != nil || best.Prefill != 300 || best.Parts[0].Segment != "system" || best.Parts[2].Segment != "task" {
		t.Errorf("%+v, %v", best, err)
	}
}

// No order of up to 7 parts is better, with and without places.
func TestArrangeIsBestOfAllOrders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	orders := 0
	for range 300 {
		parts := randomHabits(r, 1+r.IntN(7))
		got, err := Arrange(parts)
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(1)
		permute(parts, func(order []Habit) {
			for i := 1; i < len(order); i++ {
				if order[i-1].Place.rank() > order[i].Place.rank() {
					return
				}
			}
			orders++
			a, err := InOrder(order)
			if err != nil {
				t.Fatal(err)
			}
			best = min(best, a.Prefill)
		})
		if got.Prefill > best+1e-9*best || got.Prefill < best-1e-9*best {
			t.Fatalf("%+v: arranged %g, best of all %g", parts, got.Prefill, best)
		}
	}
	if orders < 20_000 {
		t.Errorf("only %d orders were tried", orders)
	}
}

func randomHabits(r *rand.Rand, n int) []Habit {
	ends := []float64{0, 1, r.Float64(), r.Float64()}
	parts := make([]Habit, n)
	for i := range parts {
		parts[i] = Habit{
			Segment: fmt.Sprint(i), Tokens: float64(r.IntN(4000)), Change: ends[r.IntN(4)], Kept: ends[r.IntN(4)],
			Place: []Place{Anywhere, Anywhere, Anywhere, First, Last}[r.IntN(5)],
		}
	}
	return parts
}

func permute(parts []Habit, yield func([]Habit)) {
	if len(parts) == 0 {
		yield(nil)
		return
	}
	for i := range parts {
		rest := append(append([]Habit(nil), parts[:i]...), parts[i+1:]...)
		permute(rest, func(order []Habit) { yield(append([]Habit{parts[i]}, order...)) })
	}
}

// The formula against the ledger: parts of items that change as often, at one
// place, in a cache with blocks of one token.
func TestExpectedPrefillIsTheLedgers(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 5 {
		parts := randomHabits(r, 4)
		var ledger Ledger
		version := make([]int, len(parts))
		const calls = 3000
		for range calls {
			var p Prompt
			for i, h := range parts {
				parts[i].Tokens = max(10, math.Round(h.Tokens/10)*10)
				parts[i].Kept = math.Round(h.Kept*10) / 10
				keep, rest := int(parts[i].Kept*parts[i].Tokens), int(parts[i].Tokens)
				rest -= keep
				if r.Float64() < h.Change {
					version[i]++
				}
				s := Segment{Name: h.Segment}
				if keep > 0 {
					s.Items = append(s.Items, item("kept", h.Segment, 0, keep))
				}
				if rest > 0 {
					s.Items = append(s.Items, item("rest", h.Segment, version[i], rest))
				} else {
					// What only grows has its change at its end, where the next part
					// begins: one token stands for it.
					s.Items = append(s.Items, item("end", h.Segment, version[i], 1))
				}
				p = append(p, s)
			}
			if err := ledger.Add(Call{Phase: Read, Prompt: p}); err != nil {
				t.Fatal(err)
			}
		}
		want, err := InOrder(parts)
		if err != nil {
			t.Fatal(err)
		}
		got := replay(t, &ledger, Options{Block: 1})
		total := 0.0
		for _, p := range parts {
			total += p.Tokens
		}
		// The first call and the ends are not in the formula.
		if mean := float64(got.Totals.Prefilled) / calls; math.Abs(mean-want.Prefill) > 0.03*total+4 {
			t.Errorf("%+v: ledger %g, formula %g of %g", parts, mean, want.Prefill, total)
		}
	}
}

func TestBadHabitsAreNamed(t *testing.T) {
	for want, h := range map[string]Habit{
		"name is empty":         {},
		`"a": tokens -1`:        {Segment: "a", Tokens: -1},
		`"a": change 1.2: want`: {Segment: "a", Change: 1.2},
		`"a": change NaN`:       {Segment: "a", Change: math.NaN()},
		`"a": kept -0.1`:        {Segment: "a", Kept: -0.1},
		`"a": place "middle"`:   {Segment: "a", Place: "middle"},
		`two of this name`:      {Segment: "b"},
	} {
		if _, err := Arrange([]Habit{{Segment: "b"}, h}); !errors.Is(err, ErrCall) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "part 1") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
