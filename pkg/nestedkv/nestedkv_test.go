package nestedkv

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"memlab/pkg/claims"
	"memlab/pkg/random"
)

var perfect = Rates{Find: 1, Follow: 1, Lookup: 1}

// byHand is a chain of level 2, a -> b -> c -> C, among four pairs.
func byHand(t *testing.T) Task {
	t.Helper()
	pairs := []Pair{{"c", "C"}, {"a", "A"}, {"x", "X"}, {"b", "B"}}
	task, err := Nest(pairs, []int{1, 3, 0})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(pairs) != "[{c C} {a A} {x X} {b B}]" {
		t.Errorf("the pairs given have become %v", pairs)
	}
	return task
}

func TestNestByHand(t *testing.T) {
	task := byHand(t)
	if got := fmt.Sprintf("%v %s %s %d", task.Pairs, task.Key, task.Answer, task.Level); got != "[{c C} {a b} {x X} {b c}] a C 2" {
		t.Errorf("the task is %s", got)
	}
}

// The lengths differ in their powers of ten, so that a sum shows its parts.
func TestAnswersByHand(t *testing.T) {
	task := byHand(t)
	s := Sizes{Pair: 1, Question: 100, System: 1000, Call: 10}
	rng := random.Seed(1).Stream("by hand")
	for _, c := range []struct {
		name string
		got  Answer
		want Answer
	}{
		{"a perfect reader reads all once", Fixed(task, perfect, s, rng), Answer{"C", 1, 104}},
		{"who does not follow says the first value", Fixed(task, Rates{Find: 1}, s, rng), Answer{"b", 1, 104}},
		{"who finds nothing says nothing", Fixed(task, Rates{Follow: 1}, s, rng), Answer{"", 1, 104}},
		// Lookups of a, b, c and C, which is no key, and the answer: prompts of
		// 1100, 1111, 1122, 1133 and 1143.
		{"paging goes to the end and sees that it is one", Paging(task, perfect, s, rng), Answer{"C", 5, 1100 + 1111 + 1122 + 1133 + 1143}},
		{"who stops says the first value", Paging(task, Rates{Lookup: 1, Stop: 1}, s, rng), Answer{"b", 2, 1100 + 1111}},
		{"who miscopies the key finds nothing", Paging(task, Rates{}, s, rng), Answer{"", 2, 1100 + 1110}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, c.got, c.want)
		}
	}
}

// All rates at once, each away from 0 and 1, so that a factor left out of a
// form, or a draw out of the walk, would show.
func TestClosedFormsAreTheSimulation(t *testing.T) {
	c := DefaultConfig()
	c.Pairs, c.MaxLevel, c.Questions = 10, 4, 20_000
	c.Rates = Rates{Find: 0.9, Follow: 0.7, Lookup: 0.85, Stop: 0.2}
	results, err := c.Run(7)
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, level int, got, want, deviation float64) {
		// Five standard errors of one seed's mean: no seed should leave them.
		if most := 5 * deviation / math.Sqrt(float64(c.Questions)); math.Abs(got-want) > most {
			t.Errorf("level %d, %s: %.4f, want %.4f ± %.4f", level, what, got, want, most)
		}
	}
	for _, r := range results {
		want := c.Rates.Accuracy(r.Level)
		near("fixed", r.Level, r.Fixed.Accuracy.Mean, want.Fixed, math.Sqrt(want.Fixed*(1-want.Fixed)))
		near("paging", r.Level, r.Paging.Accuracy.Mean, want.Paging, math.Sqrt(want.Paging*(1-want.Paging)))
		// Calls lie between 2 and level+3, so half their range bounds their
		// standard deviation.
		near("calls", r.Level, r.Paging.Calls.Mean, c.Rates.PagingCalls(r.Level), float64(r.Level+1)/2)
		if r.Fixed.Expected != want.Fixed || r.Paging.Expected != want.Paging {
			t.Errorf("level %d: expected %v and %v, want %+v", r.Level, r.Fixed.Expected, r.Paging.Expected, want)
		}
		if r.Fixed.Calls.Mean != 1 || r.Fixed.Read.Mean != 150+10*57 {
			t.Errorf("level %d: fixed context makes %v calls and reads %v tokens", r.Level, r.Fixed.Calls.Mean, r.Fixed.Read.Mean)
		}
	}
}

func TestClosedFormsByPocketCalculator(t *testing.T) {
	r := Rates{Find: 0.9, Follow: 0.5, Lookup: 0.8, Stop: 0.25}
	for level, want := range []struct{ fixed, paging, calls float64 }{
		{0.9, 0.8, 1 + 1 + 0.6},                            // the second lookup with 0.8 x 0.75
		{0.45, 0.64 * 0.75, 1 + 1 + 0.6 + 0.36},            // two lookups and one look at a key
		{0.225, 0.512 * 0.5625, 1 + 1 + 0.6 + 0.36 + .216}, // and so on
	} {
		a := r.Accuracy(level)
		if math.Abs(a.Fixed-want.fixed) > 1e-12 || math.Abs(a.Paging-want.paging) > 1e-12 || math.Abs(r.PagingCalls(level)-want.calls) > 1e-12 {
			t.Errorf("level %d: %+v and %v calls, want %+v", level, a, r.PagingCalls(level), want)
		}
	}
	if perfect.PagingCalls(5) != 8 {
		t.Errorf("a perfect walk of level 5 takes %v calls, want 7 lookups and the answer", perfect.PagingCalls(5))
	}
}

func TestNewTasksHaveTheirLevel(t *testing.T) {
	rng := random.Seed(3).Stream("tasks")
	v4 := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	for level := range 7 {
		task, err := New(rng, 7, level)
		if err != nil {
			t.Fatal(err)
		}
		a := Paging(task, perfect, Sizes{}, rng)
		if a.Value != task.Answer || a.Calls != level+3 || task.Level != level || len(task.Pairs) != 7 {
			t.Errorf("level %d: %+v, answer %s of %d pairs at level %d", level, a, task.Answer, len(task.Pairs), task.Level)
		}
		for _, p := range task.Pairs {
			if !v4.MatchString(p.Key) || !v4.MatchString(p.Value) {
				t.Errorf("%v: not two random UUIDs", p)
			}
		}
	}
}

func run(t *testing.T, c Config, seeds ...random.Seed) []Result {
	t.Helper()
	results, err := c.Run(seeds...)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func TestSameSeedsSameResults(t *testing.T) {
	c := DefaultConfig()
	c.Pairs = 20
	one := run(t, c, 1, 2)
	if again := run(t, c, 1, 2); !reflect.DeepEqual(one, again) {
		t.Errorf("the same seeds give %v and %v", one, again)
	}
	if reflect.DeepEqual(one, run(t, c, 3, 4)) {
		t.Error("other seeds give the same")
	}
	c.MaxLevel = 2
	if fewer := run(t, c, 1, 2); !reflect.DeepEqual(one[:3], fewer) {
		t.Errorf("fewer levels change the others: %v and %v", one[:3], fewer)
	}
	c.Rates.Find = 1 // draws of the one way leave the other as it was
	if other := run(t, c, 1, 2); !reflect.DeepEqual(one[1].Paging, other[1].Paging) {
		t.Errorf("a rate of fixed context changes paging: %v and %v", one[1].Paging, other[1].Paging)
	}
}

func TestIntervals(t *testing.T) {
	c := DefaultConfig()
	c.Pairs, c.MaxLevel = 5, 1
	c.Rates.Find = 0.97
	for _, r := range run(t, c, 1, 2, 3, 4, 5, 6, 7, 8) {
		for _, m := range []claims.Mean{r.Fixed.Accuracy, r.Paging.Accuracy} {
			if !(0 <= m.Low && m.Low <= m.Mean && m.Mean <= m.High && m.High <= 1) {
				t.Errorf("level %d: %+v is no interval of shares", r.Level, m)
			}
		}
		if m := r.Fixed.Accuracy; m.Low == m.High {
			t.Errorf("level %d: %+v has no width over eight seeds", r.Level, m)
		}
	}
	for _, r := range run(t, c, 1) {
		if m := r.Paging.Calls; m.Low != m.Mean || m.High != m.Mean {
			t.Errorf("one seed has the interval %+v", m)
		}
	}
}

func TestBadInputIsNamed(t *testing.T) {
	with := func(change func(*Config)) error {
		c := DefaultConfig()
		change(&c)
		_, err := c.Run(1)
		return err
	}
	of := func(_ Task, err error) error { return err }
	pairs := []Pair{{"a", "A"}, {"b", "B"}, {"c", "C"}}
	// Nobody finds a pair of a task that was not made by New or Nest.
	byHand := func(*rand.Rand, int) (Task, error) { return Task{Pairs: pairs, Key: "a", Answer: "A"}, nil }
	alwaysLevel0 := func(*rand.Rand, int) (Task, error) { return Nest(pairs, []int{0}) }
	rng := random.Seed(1).Stream("bad")
	_, noSeed := DefaultConfig().Run()
	for _, c := range []struct {
		err  error
		kind error
		want string
	}{
		{with(func(c *Config) { c.MaxLevel = -1 }), ErrConfig, "level -1: want 0 to 1000000"},
		{with(func(c *Config) { c.MaxLevel = 140 }), ErrConfig, "level 140 of 140 pairs: want at most 139"},
		{with(func(c *Config) { c.Pairs = 0 }), ErrConfig, "0 pairs"},
		{with(func(c *Config) { c.Questions = 0 }), ErrConfig, "0 questions"},
		{with(func(c *Config) { c.Rates.Find = 1.2 }), ErrConfig, "Find 1.2: want a probability from 0 to 1"},
		{with(func(c *Config) { c.Rates.Follow = -0.1 }), ErrConfig, "Follow -0.1"},
		{with(func(c *Config) { c.Rates.Lookup = math.NaN() }), ErrConfig, "Lookup NaN"},
		{with(func(c *Config) { c.Rates.Stop = math.Inf(1) }), ErrConfig, "Stop +Inf"},
		{with(func(c *Config) { c.Sizes.Pair = -57 }), ErrConfig, "Pair of -57 tokens"},
		{with(func(c *Config) { c.Sizes.Pair = math.MaxInt }), ErrConfig, "Pair of 9223372036854775807 tokens"},
		{with(func(c *Config) { c.Pairs = math.MaxInt }), ErrConfig, "9223372036854775807 pairs: want 1 to 1000000"},
		{with(func(c *Config) { c.Questions = math.MaxInt }), ErrConfig, "9223372036854775807 questions"},
		{with(func(c *Config) { c.MaxLevel, c.Tasks = math.MaxInt, byHand }), ErrConfig, "level 9223372036854775807"},
		{with(func(c *Config) { c.MaxLevel, c.Tasks = 0, byHand }), ErrTask, "want one of New or Nest"},
		{with(func(c *Config) { c.Tasks = alwaysLevel0 }), ErrTask, "a task of level 0 for level 1"},
		{noSeed, ErrConfig, "no seed"},
		{of(New(rng, 3, -1)), ErrConfig, "level -1"},
		{of(New(rng, 3, 3)), ErrConfig, "level 3 of 3 pairs: want at most 2"},
		{of(Nest(pairs, nil)), ErrTask, "no place"},
		{of(Nest(pairs, []int{0, 3})), ErrTask, "place 3: want 0 to 2"},
		{of(Nest(pairs, []int{-1})), ErrTask, "place -1"},
		{of(Nest(pairs, []int{0, 1, 0})), ErrTask, "place 0 comes twice"},
		{of(Nest([]Pair{{"a", "A"}, {"a", "B"}}, []int{0})), ErrTask, "key a comes twice"},
		{of(Nest([]Pair{{"a", "b"}, {"b", "a"}}, []int{0})), ErrTask, "value b at the end of the chain is a key"},
		{of((&Data{}).Task(rng, 0)), ErrConfig, "level 0"},
		{of((&Data{Orders: make([][][]int, 1)}).Task(rng, 0)), ErrData, "no question of level 0"},
	} {
		switch {
		case c.err == nil:
			t.Errorf("no error, want %q", c.want)
		case !errors.Is(c.err, c.kind) || !strings.Contains(c.err.Error(), c.want):
			t.Errorf("%q: want %q of the kind %q", c.err, c.want, c.kind)
		}
	}
}
