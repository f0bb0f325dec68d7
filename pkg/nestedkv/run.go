package nestedkv

import (
	"fmt"
	"math/rand/v2"

	"memlab/pkg/claims"
	"memlab/pkg/random"
)

// Config is an experiment.
type Config struct {
	Pairs     int   `json:"pairs"`
	MaxLevel  int   `json:"max_level"` // levels 0 to this one
	Questions int   `json:"questions"` // per level and seed
	Rates     Rates `json:"rates"`
	Sizes     Sizes `json:"sizes"`
	// Tasks draws a question of a level; nil is New with Pairs. Data.Task draws
	// from the real data.
	Tasks func(rng *rand.Rand, level int) (Task, error) `json:"-"`
}

// DefaultConfig has the paper's 140 pairs of about 8,000 tokens and its 30
// questions, with levels up to 5. The rates are assumed, not measured: a reader
// who reaches about 0% at level 3, as the paper reports of GPT-4 with a fixed
// context, and who seldom stops early when paging.
func DefaultConfig() Config {
	return Config{
		Pairs: 140, MaxLevel: 5, Questions: 30,
		Rates: Rates{Find: 0.98, Follow: 0.3, Lookup: 0.995, Stop: 0.01},
		Sizes: Sizes{Pair: 57, Question: 150, System: 1000, Call: 50},
	}
}

// Outcome is how one way did at one level.
type Outcome struct {
	Accuracy claims.Mean `json:"accuracy"` // share of right answers; its interval is cut to 0 to 1
	Expected float64     `json:"expected"` // the same by the closed form
	Calls    claims.Mean `json:"calls"`
	Read     claims.Mean `json:"read_tokens"` // prompt tokens of all calls
}

// Result is one level.
type Result struct {
	Level  int     `json:"level"`
	Fixed  Outcome `json:"fixed"`
	Paging Outcome `json:"paging"`
}

// Run asks Questions questions per level and seed, both ways the same ones.
func (c Config) Run(seeds ...random.Seed) ([]Result, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if len(seeds) == 0 {
		return nil, fail(ErrConfig, "no seed: want one or more")
	}
	results := make([]Result, 0, c.MaxLevel+1)
	for level := range c.MaxLevel + 1 {
		var fixed, paging samples
		for _, seed := range seeds {
			if err := c.ask(seed, level, &fixed, &paging); err != nil {
				return nil, err
			}
		}
		expected := c.Rates.Accuracy(level)
		results = append(results, Result{
			Level: level, Fixed: fixed.outcome(expected.Fixed), Paging: paging.outcome(expected.Paging),
		})
	}
	return results, nil
}

// ask is one level under one seed.
func (c Config) ask(seed random.Seed, level int, fixed, paging *samples) error {
	stream := func(purpose string) *rand.Rand { return seed.Stream("nestedkv", fmt.Sprint(level), purpose) }
	tasks, one, many := stream("tasks"), stream("fixed"), stream("paging")
	var f, p sums
	for range c.Questions {
		t, err := c.task(tasks, level)
		if err != nil {
			return err
		}
		if t.values == nil || t.Level != level {
			return fail(ErrTask, "Tasks gave a task of level %d for level %d: want one of New or Nest", t.Level, level)
		}
		f.add(t, Fixed(t, c.Rates, c.Sizes, one))
		p.add(t, Paging(t, c.Rates, c.Sizes, many))
	}
	fixed.add(f, c.Questions)
	paging.add(p, c.Questions)
	return nil
}

func (c Config) task(rng *rand.Rand, level int) (Task, error) {
	if c.Tasks == nil {
		return New(rng, c.Pairs, level)
	}
	return c.Tasks(rng, level)
}

// maxCount bounds pairs, levels, questions and lengths, so that a wrong number
// ends in an error and not in a run without end.
const maxCount = 1_000_000

func (c Config) check() error {
	if c.MaxLevel < 0 || c.MaxLevel > maxCount {
		return fail(ErrConfig, "level %d: want 0 to %d", c.MaxLevel, maxCount)
	}
	if c.Tasks == nil {
		if err := checkLevel(c.Pairs, c.MaxLevel); err != nil {
			return err
		}
	}
	if c.Questions < 1 || c.Questions > maxCount {
		return fail(ErrConfig, "%d questions: want 1 to %d", c.Questions, maxCount)
	}
	if err := c.Rates.check(); err != nil {
		return err
	}
	return c.Sizes.check()
}

func checkLevel(pairs, level int) error {
	switch {
	case pairs < 1 || pairs > maxCount:
		return fail(ErrConfig, "%d pairs: want 1 to %d", pairs, maxCount)
	case level < 0:
		return fail(ErrConfig, "level %d: want 0 or more", level)
	case level >= pairs:
		return fail(ErrConfig, "level %d of %d pairs: want at most %d, as the chain has one pair more than levels", level, pairs, pairs-1)
	}
	return nil
}

// sums are over the questions of one seed.
type sums struct{ right, calls, read int }

func (s *sums) add(t Task, a Answer) {
	if a.Value == t.Answer {
		s.right++
	}
	s.calls += a.Calls
	s.read += a.Read
}

// samples are the means of each seed.
type samples struct{ accuracy, calls, read []float64 }

func (s *samples) add(of sums, questions int) {
	n := float64(questions)
	s.accuracy = append(s.accuracy, float64(of.right)/n)
	s.calls = append(s.calls, float64(of.calls)/n)
	s.read = append(s.read, float64(of.read)/n)
}

func (s samples) outcome(expected float64) Outcome {
	return Outcome{Accuracy: claims.ShareOf(s.accuracy), Expected: expected, Calls: claims.MeanOf(s.calls), Read: claims.MeanOf(s.read)}
}
