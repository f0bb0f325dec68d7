package multidoc

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"memlab/pkg/random"
)

func run(t testing.TB, c Config, seeds int) []Result {
	t.Helper()
	var list []random.Seed
	for i := range seeds {
		list = append(list, random.Seed(i))
	}
	r, err := c.Run(list...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// byHand is three documents of four words. The question shares two words with the
// second, one with the last and none with the first.
func byHand(t *testing.T) (*Corpus, Question, []int) {
	t.Helper()
	c := &Corpus{Documents: [][]string{
		strings.Fields("gold stone sand dust"), strings.Fields("red tea pot cup"), strings.Fields("red clay ANSWER brick"),
	}}
	if err := c.fill(); err != nil {
		t.Fatal(err)
	}
	q := Question{Words: []string{"red", "tea"}, Answer: "ANSWER", Gold: "2"}
	ranking, err := c.Retrieve(q)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ranking, []int{1, 2}) {
		t.Fatalf("the ranking is %v, want the second and the third", ranking)
	}
	return c, q, ranking
}

func TestReadingsByHand(t *testing.T) {
	c, q, ranking := byHand(t)
	s := Sizes{Question: 10}
	for _, x := range []struct {
		name      string
		k, window int
		fixed     Answer
		truncated Answer
	}{
		{"one document is the wrong one", 1, 100, Answer{false, 1, 14}, Answer{false, 1, 14}},
		{"two have it", 2, 100, Answer{true, 1, 18}, Answer{true, 1, 18}},
		{"more than there are", 3, 100, Answer{true, 1, 18}, Answer{true, 1, 18}},
		{"a window of one and a half; three words of each", 2, 16, Answer{false, 1, 14}, Answer{true, 1, 16}},
		{"two words of each lack the answer", 2, 14, Answer{false, 1, 14}, Answer{false, 1, 14}},
	} {
		if got := c.Fixed(q, ranking, x.k, x.window, s); got != x.fixed {
			t.Errorf("%s: %+v, want %+v", x.name, got, x.fixed)
		}
		if got := c.Truncated(q, ranking, x.k, x.window, s); got != x.truncated {
			t.Errorf("%s, cut: %+v, want %+v", x.name, got, x.truncated)
		}
	}
	if got := c.Truncated(q, nil, 2, 16, s); got != (Answer{false, 1, 10}) {
		t.Errorf("nothing was found: %+v", got)
	}
}

func TestPagingByHand(t *testing.T) {
	c, q, ranking := byHand(t)
	s := Sizes{Question: 100, System: 1000, Call: 10}
	for _, x := range []struct {
		name          string
		steps, window int
		overlooks     bool
		stop          float64
		want          Answer
		page          int
	}{
		// Prompts of 1100, and 14 more with each page.
		{"the second page has it", 9, 2000, false, 0, Answer{true, 3, 1100 + 1114 + 1128}, 1},
		{"who stops does not see it", 9, 2000, false, 1, Answer{false, 2, 1100 + 1114}, -1},
		{"who overlooks it reads to the end", 9, 2000, true, 0, Answer{false, 3, 1100 + 1114 + 1128}, -1},
		{"two steps are one search", 2, 2000, false, 0, Answer{false, 2, 1100 + 1114}, -1},
		{"one step is none", 1, 2000, false, 0, Answer{false, 1, 1100}, -1},
		{"the window holds one page", 9, 1120, false, 0, Answer{true, 3, 1100 + 1114 + 1114}, 1},
	} {
		got, page, err := c.Paging(q, ranking, 1, x.steps, x.window, x.overlooks, x.stop, s, random.Seed(1).Stream("by hand"))
		if err != nil || got != x.want || page != x.page {
			t.Errorf("%s: %+v on page %d, %v, want %+v on page %d", x.name, got, page, err, x.want, x.page)
		}
	}
	if got, page, err := c.Paging(q, nil, 1, 9, 2000, false, 0, s, nil); err != nil || got != (Answer{false, 2, 2210}) || page != -1 {
		t.Errorf("nothing was found: %+v on page %d, %v", got, page, err)
	}
}

func TestDrawMakesWhatItSays(t *testing.T) {
	col := DefaultConfig().Collection
	c, err := col.Draw(3, 100)
	if err != nil {
		t.Fatal(err)
	}
	shared, distractors, first := 0, 0, 0
	for i, q := range c.Questions {
		if len(q.Words) != col.Query || q.Gold != strconv.Itoa(i) || !slices.Contains(c.Documents[i], q.Answer) {
			t.Fatalf("question %d: %+v", i, q)
		}
		if slices.Index(c.Documents[i], q.Answer) < col.Words/2 {
			first++
		}
		for _, w := range q.Words {
			if slices.Contains(c.Documents[i], w) {
				shared++
			}
			for _, d := range c.Documents[100:300] { // nobody asks about these
				if slices.Contains(d, w) {
					distractors++
				}
			}
		}
		for j, d := range c.Documents {
			if len(d) != col.Words || j != i && slices.Contains(d, q.Answer) {
				t.Fatalf("document %d has %d words, or the answer of question %d", j, len(d), i)
			}
		}
	}
	words := float64(100 * col.Query)
	if got := float64(shared) / words; math.Abs(got-col.Gold) > 0.1 {
		t.Errorf("documents with the answer share %.3f of the words, want %g", got, col.Gold)
	}
	if got := float64(distractors) / words / 200; math.Abs(got-col.Near) > 0.02 {
		t.Errorf("distractors share %.3f of the words, want %g", got, col.Near)
	}
	if first < 35 || first > 65 {
		t.Errorf("%d of 100 answers stand in the first half", first)
	}
}

func TestWordsAreDifferent(t *testing.T) {
	of := map[string]int{}
	for n := range 20_000 {
		w := spell(n)
		if other, taken := of[w]; taken {
			t.Fatalf("%d and %d are both %q", other, n, w)
		}
		of[w] = n
	}
}

// Rates away from 0 and 1. What is expected comes of ranks and cuts, and what is
// simulated of draws; five standard errors.
func TestClosedFormsAreTheSimulation(t *testing.T) {
	c := DefaultConfig()
	c.Questions, c.Retrieved = 500, []int{10, 40, 120}
	c.Rates = Rates{Read: 0.7, Stop: 0.3}
	for _, r := range run(t, c, 4) {
		for name, o := range map[string]Outcome{"fixed": r.Fixed, "cut": r.Truncated, "paging": r.Paging} {
			if most := 5 * 0.5 / math.Sqrt(2000); math.Abs(o.Accuracy.Mean-o.Expected) > most || o.Expected == 0 {
				t.Errorf("%d, %s: %.3f, expected %.3f ± %.3f", r.Retrieved, name, o.Accuracy.Mean, o.Expected, most)
			}
		}
		kept := min(1, float64(c.Window-c.Sizes.Question)/float64(r.Retrieved*c.Collection.Words))
		if got, want := r.Truncated.Expected, c.Rates.Read*r.Recall.Mean*kept; math.Abs(got-want) > 0.05 {
			t.Errorf("%d: a cut to %.2f leaves %.3f, want about %.3f", r.Retrieved, kept, got, want)
		}
	}
	if got := (Rates{Read: 0.8, Stop: 0.5}).Paging(2); math.Abs(got-0.2) > 1e-12 || (Rates{Read: 1}).Paging(-1) != 0 {
		t.Errorf("the third page: %v", got)
	}
}

func TestProperties(t *testing.T) {
	c := DefaultConfig()
	c.Rates = Rates{Read: 1}
	c.Steps = 60
	results := run(t, c, 3)
	for i, r := range results {
		if r.Retrieved <= 40 && (r.Fixed.Accuracy != r.Recall || r.Truncated.Accuracy != r.Recall) {
			t.Errorf("%d documents fit: %+v", r.Retrieved, r)
		}
		if r.Retrieved > 40 && (r.Fixed != results[4].Fixed || r.Truncated.Accuracy.Mean >= results[4].Truncated.Accuracy.Mean) {
			t.Errorf("%d documents do not fit: %+v", r.Retrieved, r)
		}
		if r.Fixed.Read.Mean > float64(c.Window) || r.Truncated.Read.Mean > float64(c.Window) || r.Fixed.Calls.Mean != 1 {
			t.Errorf("%d: one reading exceeds the window: %+v", r.Retrieved, r)
		}
		if r.Paging != results[0].Paging || r.Paging.Accuracy.Mean < r.Recall.Mean {
			t.Errorf("%d: who reads every page finds what is there: %+v", r.Retrieved, r.Paging)
		}
		if i > 0 && r.Recall.Mean < results[i-1].Recall.Mean {
			t.Errorf("%d documents have fewer answers than %d", r.Retrieved, results[i-1].Retrieved)
		}
	}
	c.Collection.Gold, c.Collection.Near = 1, 0
	if r := run(t, c, 2)[0]; r.Recall.Mean != 1 || r.Paging.Calls.Mean != 2 {
		t.Errorf("a retriever that nothing distracts: %+v", r)
	}
}

func TestSameSeedsSameResults(t *testing.T) {
	c := DefaultConfig()
	one := run(t, c, 2)
	if !reflect.DeepEqual(one, run(t, c, 2)) {
		t.Error("the same seeds give two results")
	}
	other, err := c.Run(5, 6)
	if err != nil {
		t.Fatal(err)
	}
	if reflect.DeepEqual(one, other) {
		t.Error("other seeds give the same")
	}
	c.Rates.Stop = 0.9 // draws of the one way leave the other as it was
	if r := run(t, c, 2); r[3].Fixed != one[3].Fixed || r[3].Paging == one[3].Paging {
		t.Error("stopping changes one reading, or does not change paging")
	}
	c = DefaultConfig()
	c.Retrieved = c.Retrieved[2:5]
	if !reflect.DeepEqual(one[2:5], run(t, c, 2)) {
		t.Error("fewer numbers of documents change the others")
	}
}

func TestBadInputIsNamed(t *testing.T) {
	with := func(change func(*Config)) error {
		c := DefaultConfig()
		change(&c)
		_, err := c.Run(1)
		return err
	}
	_, noSeed := DefaultConfig().Run()
	_, noQuestion := DefaultConfig().Collection.Draw(1, 0)
	for _, c := range []struct {
		err  error
		want string
	}{
		{with(func(c *Config) { c.Collection.Documents = 0 }), "documents 0: want 1"},
		{with(func(c *Config) { c.Collection.Words = 0 }), "words of a document 0"},
		{with(func(c *Config) { c.Collection.Query = 0 }), "words of a question 0"},
		{with(func(c *Config) { c.Collection.Topic = 3 }), "words of the topic 3: want 6"},
		{with(func(c *Config) { c.Collection.Topic = 100 }), "fewer than the 100"},
		{with(func(c *Config) { c.Collection.Documents, c.Collection.Words = 1_000_000, 1_000_000 }), "words in all"},
		{with(func(c *Config) { c.Collection.Near = 1.2 }), "Near 1.2: want a probability"},
		{with(func(c *Config) { c.Collection.Gold = math.NaN() }), "Gold NaN"},
		{with(func(c *Config) { c.Rates.Read = -0.1 }), "Read -0.1"},
		{with(func(c *Config) { c.Rates.Stop = 2 }), "Stop 2"},
		{with(func(c *Config) { c.Questions = 0 }), "questions 0"},
		{with(func(c *Config) { c.Questions = 501 }), "501 questions about 500 documents"},
		{with(func(c *Config) { c.Retrieved = nil }), "no number of documents"},
		{with(func(c *Config) { c.Retrieved = []int{5, 0} }), "documents retrieved 0: want 1 to 500"},
		{with(func(c *Config) { c.Retrieved = []int{501} }), "documents retrieved 501"},
		{with(func(c *Config) { c.Window = 149 }), "window of 149 tokens: want 150 or more, the question and one document"},
		{with(func(c *Config) { c.Window = 2099 }), "want 2100 or more, the instructions"},
		{with(func(c *Config) { c.Page = 0 }), "page of documents 0"},
		{with(func(c *Config) { c.Page = math.MaxInt }), "page of documents 9223372036854775807"},
		{with(func(c *Config) { c.Steps = 0 }), "steps 0"},
		{with(func(c *Config) { c.Sizes.Call = -1 }), "Call of tokens -1"},
		{noSeed, "no seed"},
		{noQuestion, "questions 0"},
	} {
		if c.err == nil || !errors.Is(c.err, ErrConfig) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v: want %q", c.err, c.want)
		}
	}
}

// The experiment of one figure.
func BenchmarkRun20Seeds(b *testing.B) {
	for b.Loop() {
		run(b, DefaultConfig(), 20)
	}
}
