package multidoc

import (
	"fmt"
	"slices"

	"memlab/pkg/claims"
	"memlab/pkg/random"
)

// Config is an experiment.
type Config struct {
	Collection Collection `json:"collection"`
	Questions  int        `json:"questions"` // per seed
	// Retrieved are the numbers of documents that the one reading asks for.
	Retrieved []int `json:"retrieved"`
	Window    int   `json:"window"`
	// Page is how many documents a page of paging has, Steps how many calls a
	// question may take.
	Page  int   `json:"page"`
	Steps int   `json:"steps"`
	Rates Rates `json:"rates"`
	Sizes Sizes `json:"sizes"`
}

// DefaultConfig has documents of 100 tokens, 40 of which fill the window of 4k,
// and a retriever that seldom ranks the right one first: it shares two thirds of
// the question's words, any other one a quarter. Collection and rates are assumed,
// not measured.
func DefaultConfig() Config {
	return Config{
		Collection: Collection{Documents: 500, Words: 100, Topic: 40, Query: 6, Near: 0.25, Gold: 0.67},
		Questions:  30, Retrieved: []int{1, 5, 10, 20, 40, 80, 120, 160, 200}, Window: 4096,
		Page: 10, Steps: 24, Rates: Rates{Read: 0.9, Stop: 0.15},
		Sizes: Sizes{Question: 50, System: 1000, Call: 50},
	}
}

// Outcome is how one way did, per question.
type Outcome struct {
	Accuracy claims.Mean `json:"accuracy"` // share of right answers; its interval is cut to 0 to 1
	Expected float64     `json:"expected"` // the same without chance: from the ranks, the cuts and the rates
	Calls    claims.Mean `json:"calls"`
	Read     claims.Mean `json:"read_tokens"` // prompt tokens of all calls
}

// Result is one number of documents retrieved.
type Result struct {
	Retrieved int `json:"retrieved"`
	// Recall is the share of questions whose document is among them.
	Recall    claims.Mean `json:"recall"`
	Fixed     Outcome     `json:"fixed"`
	Truncated Outcome     `json:"truncated"`
	// Paging is of the whole ranking, and so the same for every number.
	Paging Outcome `json:"paging"`
}

// Run asks every way the same questions.
func (c Config) Run(seeds ...random.Seed) ([]Result, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if len(seeds) == 0 {
		return nil, bad("no seed: want one or more")
	}
	one := make([]samples, len(c.Retrieved)) // by number of documents
	cut, recall := slices.Clone(one), make([][]float64, len(c.Retrieved))
	var paging samples
	for _, seed := range seeds {
		t, err := c.ask(seed)
		if err != nil {
			return nil, fmt.Errorf("multidoc: seed %d: %w", seed, err)
		}
		n := float64(c.Questions)
		for i := range c.Retrieved {
			one[i].add(t.fixed[i], n)
			cut[i].add(t.truncated[i], n)
			recall[i] = append(recall[i], float64(t.within[i])/n)
		}
		paging.add(t.paging, n)
	}
	out := make([]Result, len(c.Retrieved))
	for i, k := range c.Retrieved {
		out[i] = Result{
			Retrieved: k, Recall: claims.ShareOf(recall[i]), Fixed: one[i].outcome(), Truncated: cut[i].outcome(), Paging: paging.outcome(),
		}
	}
	return out, nil
}

// tally is what the questions of one seed came to.
type tally struct {
	fixed, truncated []sums // by number of documents
	within           []int
	paging           sums
}

// ask draws the reader's mistake of one reading once for a question, so that more
// documents alone make a difference between two numbers of them.
func (c Config) ask(seed random.Seed) (*tally, error) {
	corpus, err := c.Collection.Draw(seed, c.Questions)
	if err != nil {
		return nil, err
	}
	n := len(c.Retrieved)
	t := &tally{fixed: make([]sums, n), truncated: make([]sums, n), within: make([]int, n)}
	readings, stops := seed.Stream("multidoc", "one reading"), seed.Stream("multidoc", "paging")
	for i, q := range corpus.Questions {
		ranking, err := corpus.Retrieve(q)
		if err != nil {
			return nil, err
		}
		place := slices.Index(ranking, i) // of the document with the answer
		reads := readings.Float64() < c.Rates.Read
		for j, k := range c.Retrieved {
			t.fixed[j].read1(corpus.Fixed(q, ranking, k, c.Window, c.Sizes), reads, c.Rates)
			t.truncated[j].read1(corpus.Truncated(q, ranking, k, c.Window, c.Sizes), reads, c.Rates)
			if place >= 0 && place < k {
				t.within[j]++
			}
		}
		// Where the answer is follows from the ranking alone.
		_, page, err := corpus.Paging(q, ranking, c.Page, c.Steps, c.Window, false, 0, c.Sizes, stops)
		if err != nil {
			return nil, err
		}
		overlooks := stops.Float64() >= c.Rates.Read
		a, _, err := corpus.Paging(q, ranking, c.Page, c.Steps, c.Window, overlooks, c.Rates.Stop, c.Sizes, stops)
		if err != nil {
			return nil, err
		}
		t.paging.add(a, c.Rates.Paging(page))
	}
	return t, nil
}

func (c Config) check() error {
	if err := checkCounts(
		count{"questions", c.Questions, 1, maxCount}, count{"page of documents", c.Page, 1, maxCount},
		count{"steps", c.Steps, 1, maxCount}, count{"window of tokens", c.Window, 1, maxCount},
		count{"Question of tokens", c.Sizes.Question, 0, maxCount}, count{"System of tokens", c.Sizes.System, 0, maxCount},
		count{"Call of tokens", c.Sizes.Call, 0, maxCount},
	); err != nil {
		return err
	}
	if err := checkRates(rate{"Read", c.Rates.Read}, rate{"Stop", c.Rates.Stop}); err != nil {
		return err
	}
	if err := c.Collection.check(c.Questions); err != nil {
		return err
	}
	if len(c.Retrieved) == 0 {
		return bad("no number of documents to retrieve: want one or more")
	}
	for _, k := range c.Retrieved {
		if err := checkCounts(count{"documents retrieved", k, 1, c.Collection.Documents}); err != nil {
			return err
		}
	}
	if least := c.Sizes.Question + c.Collection.Words; c.Window < least {
		return bad("window of %d tokens: want %d or more, the question and one document", c.Window, least)
	}
	if page := c.Page * c.Collection.Words; c.Window < c.Sizes.System+c.Sizes.Question+c.Sizes.Call+page {
		return bad("window of %d tokens: want %d or more, the instructions, the question and a page of %d documents",
			c.Window, c.Sizes.System+c.Sizes.Question+c.Sizes.Call+page, c.Page)
	}
	return nil
}

// sums are over the questions of one seed.
type sums struct {
	right, calls, read int
	expected           float64
}

// read1 is one reading, which says nothing right if the reader passes over the
// answer.
func (s *sums) read1(a Answer, reads bool, r Rates) {
	expected := 0.0
	if a.Right {
		expected = r.Read
	}
	a.Right = a.Right && reads
	s.add(a, expected)
}

func (s *sums) add(a Answer, expected float64) {
	if a.Right {
		s.right++
	}
	s.calls += a.Calls
	s.read += a.Read
	s.expected += expected
}

// samples are the means of each seed.
type samples struct{ accuracy, calls, read, expected []float64 }

func (s *samples) add(of sums, questions float64) {
	s.accuracy = append(s.accuracy, float64(of.right)/questions)
	s.calls = append(s.calls, float64(of.calls)/questions)
	s.read = append(s.read, float64(of.read)/questions)
	s.expected = append(s.expected, of.expected/questions)
}

func (s *samples) outcome() Outcome {
	return Outcome{Accuracy: claims.ShareOf(s.accuracy), Expected: claims.MeanOf(s.expected).Mean, Calls: claims.MeanOf(s.calls), Read: claims.MeanOf(s.read)}
}
