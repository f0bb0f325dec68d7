package cartridge

import (
	"errors"
	"math"
	"slices"
	"testing"

	"memlab/pkg/random"
)

// next is the first batch of a lesson.
func next(t testing.TB, l Lesson, n int, seed random.Seed) *Batch {
	t.Helper()
	_, candidates, keyDim := l.Shape()
	b := newBatch(n, keyDim, candidates.Cols)
	if err := ok(l.Open(seed)).Next(b); err != nil {
		t.Fatal(err)
	}
	return b
}

// The teacher by its definition, in float64: t over all candidates, from the
// facts of its chunk.
func TestTeacherSeesItsChunkOnly(t *testing.T) {
	c := corpus(t, 50, 16)
	for _, chunk := range []int{0, 50, 20, 7, 1, 1000} {
		s := study(c)
		s.Chunk = chunk
		b := next(t, s, 40, 3)
		l := &literal{beta: 20, gamma: 10, q: doubles(b.Q), c: doubles(c.V), t: make([][]float64, 40)}
		for i, fact := range b.Facts {
			from, to := 0, 50
			if chunk != 0 {
				from = fact / chunk * chunk
				to = min(from+chunk, 50)
			}
			l.teach(i, c, from, to)
			var negEntropy float64
			mean := make([]float64, 16)
			for j, p := range l.t[i] {
				negEntropy += p * math.Log(p)
				for x, v := range c.V.Row(j) {
					mean[x] += p * float64(v)
				}
			}
			if math.Abs(negEntropy-float64(b.NegEntropy[i])) > 1e-5 {
				t.Fatalf("chunk %d, question %d: negative entropy %g, want %g", chunk, i, b.NegEntropy[i], negEntropy)
			}
			for x, want := range mean {
				if math.Abs(want-float64(b.Mean.Row(i)[x])) > 1e-6 {
					t.Fatalf("chunk %d, question %d: mean value differs by %g", chunk, i, want-float64(b.Mean.Row(i)[x]))
				}
			}
		}
	}
}

// In the lecture's toy the teacher's attention is on the fact asked for, so that
// its answer is nearly the same for all wordings, and for all chunks.
func TestConstantTargetsAreClose(t *testing.T) {
	c := corpus(t, 512, 64)
	exact, constant := study(c), study(c)
	constant.ConstantTargets = true
	a, b := next(t, exact, 500, 3), next(t, constant, 500, 3)
	if !slices.Equal(a.Facts, b.Facts) || !slices.Equal(a.Q.Data, b.Q.Data) {
		t.Fatal("the questions differ")
	}
	worst := 0.0
	for i, x := range a.Mean.Data {
		worst = max(worst, math.Abs(float64(x-b.Mean.Data[i])))
	}
	for i, x := range a.NegEntropy {
		worst = max(worst, math.Abs(float64(x-b.NegEntropy[i])))
	}
	if worst == 0 || worst > 0.01 {
		t.Errorf("the answers differ by up to %g", worst)
	}
	attention := ok(DefaultModel().Attention(a.Q, c.K))
	for i, fact := range a.Facts {
		if x := attention.Row(i)[fact]; x < 0.999 {
			t.Errorf("question %d: the teacher's attention on its fact is %g", i, x)
		}
	}
}

// Of the probabilities .5, .3, .2 the two largest make .625 and .375.
func TestTopKKeepsTheMostProbable(t *testing.T) {
	c := &Corpus{K: Matrix{3, 1, []float32{1, 0, -1}}, V: Matrix{3, 1, []float32{
		float32(math.Log(5)), float32(math.Log(3)), float32(math.Log(2)),
	}}}
	teach := newTeacher(Model{Beta: 20, Gamma: 1}, c, 3, 2)
	mean, negEntropy := teach.judge(Matrix{1, 1, []float32{1}})
	wantMean := 0.625*math.Log(5) + 0.375*math.Log(3)
	wantEntropy := 0.625*math.Log(0.625) + 0.375*math.Log(0.375)
	if math.Abs(float64(mean.Data[0])-wantMean) > 1e-6 || math.Abs(float64(negEntropy[0])-wantEntropy) > 1e-6 {
		t.Errorf("mean %g, negative entropy %g: want %g, %g", mean.Data[0], negEntropy[0], wantMean, wantEntropy)
	}
	for k, want := range [][]float32{1: {0, 3, 0, 0}, 2: {2, 3, 0, 0}, 3: {2, 3, 2, 0}, 4: {2, 3, 2, 1}} {
		x := []float32{2, 3, 2, 1}
		if k > 0 {
			if keepLargest(x, k); !slices.Equal(x, want) {
				t.Errorf("the %d largest: %v, want %v", k, x, want)
			}
		}
	}
}

func TestObjectivesAskAndAnswerAsTheySay(t *testing.T) {
	c := corpus(t, 30, 16)
	hard, original := study(c), study(c)
	hard.Objective, original.Objective = HardLabels, Memorize
	a, b := next(t, hard, 20, 3), next(t, original, 20, 3)
	for i, fact := range a.Facts {
		if b.Facts[i] != fact || !slices.Equal(b.Q.Row(i), c.K.Row(fact)) || slices.Equal(a.Q.Row(i), c.K.Row(fact)) {
			t.Errorf("question %d is not as it should be", i)
		}
		for _, x := range []*Batch{a, b} {
			if !slices.Equal(x.Mean.Row(i), c.V.Row(fact)) || x.NegEntropy[i] != 0 {
				t.Errorf("answer %d is not the fact's value", i)
			}
		}
	}
}

func TestDataSetsAreUsedWholeAndInNewOrder(t *testing.T) {
	s := study(corpus(t, 30, 16))
	d := ok(s.Generate(300, 3))
	if d.Len() != 300 {
		t.Fatalf("%d questions", d.Len())
	}
	b := newBatch(300, 16, 16)
	source := ok(d.Open(4))
	var orders [][]float32
	for range 2 {
		if err := source.Next(b); err != nil {
			t.Fatal(err)
		}
		orders = append(orders, slices.Clone(b.NegEntropy))
	}
	if slices.Equal(orders[0], orders[1]) {
		t.Error("the order is the same twice")
	}
	for _, o := range orders {
		all := slices.Clone(d.all.NegEntropy)
		slices.Sort(all)
		if slices.Sort(o); !slices.Equal(o, all) {
			t.Error("a pass does not go through all questions once")
		}
	}
	again := ok(s.Generate(300, 3))
	if !slices.Equal(d.all.Q.Data, again.all.Q.Data) || !slices.Equal(d.all.Mean.Data, again.all.Mean.Data) {
		t.Error("the same seed gives another data set")
	}
}

func TestFamiliesAreDrawnAlike(t *testing.T) {
	s := study(corpus(t, 10, 64))
	s.Families = Families()
	b := next(t, s, 2000, 3)
	count := map[int]int{}
	for i, fact := range b.Facts {
		var moved [5]float64
		key := s.Corpus.K.Row(fact)
		along := float64(dot(b.Q.Row(i), key))
		for j, x := range b.Q.Row(i) {
			moved[j%5] += math.Pow(float64(x)-along*float64(key[j]), 2)
		}
		best := 0
		for f, x := range moved {
			if x > moved[best] {
				best = f
			}
		}
		count[best]++
	}
	for f := range 5 {
		if count[f] < 330 || count[f] > 470 {
			t.Errorf("family %d asks %d of 2000 questions", f+1, count[f])
		}
	}
}

func TestNames(t *testing.T) {
	for got, want := range map[string]string{
		Distill.String(): "distill", HardLabels.String(): "hard labels", Memorize.String(): "memorize",
		Objective(7).String(): "objective 7", Anyhow.String(): "anyhow", UseCases.String(): "use cases",
		Family(-1).String(): "family -1", Family(6).String(): "family 6",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestBadStudiesAreErrors(t *testing.T) {
	c := corpus(t, 10, 4)
	for name, change := range map[string]func(*Study){
		"chunk":     func(s *Study) { s.Chunk = -1 },
		"top k":     func(s *Study) { s.TopK = -1 },
		"objective": func(s *Study) { s.Objective = 3 },
		"distance":  func(s *Study) { s.Distance = math.Inf(1) },
		"family":    func(s *Study) { s.Families = []Family{9} },
		"4 dims":    func(s *Study) { s.Families = []Family{Creative} },
		"model":     func(s *Study) { s.Model = Model{} },
		"corpus":    func(s *Study) { s.Corpus = nil },
	} {
		s := study(c)
		change(&s)
		if _, err := s.Open(1); !errors.Is(err, ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := s.Generate(10, 1); !errors.Is(err, ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := study(c).Generate(0, 1); !errors.Is(err, ErrInput) {
		t.Errorf("no questions: %v", err)
	}
	if _, err := (&Dataset{}).Open(1); !errors.Is(err, ErrInput) {
		t.Errorf("empty data set: %v", err)
	}
}
