package cartridge

import (
	"errors"
	"math"
	"testing"

	"memlab/pkg/random"
)

// Two facts by hand: Beta 2, q = k_0, scores 2 and 0, attention
// e^2/(e^2+1) = .8808 on fact 0.
func TestReadByHand(t *testing.T) {
	c := &Corpus{K: Matrix{2, 2, []float32{1, 0, 0, 1}}, V: Matrix{2, 1, []float32{1, -1}}}
	m := Model{Beta: 2, Gamma: 1}
	s := ok(m.Attention(c.K.Slice(0, 1), c.K))
	if math.Abs(float64(s.Row(0)[0])-0.880797) > 1e-6 {
		t.Errorf("attention %v", s.Row(0))
	}
	r := ok(m.Truncated(c, 2))
	o := ok(r.Read(c.K.Slice(0, 1)))
	if math.Abs(float64(o.Row(0)[0])-0.761594) > 1e-6 {
		t.Errorf("read %v, want tanh 1", o.Row(0))
	}
}

func TestInContextLearningIsPerfectAndTruncationKnowsWhatItHolds(t *testing.T) {
	c := corpus(t, 256, 64)
	for _, p := range []int{8, 64, 256} {
		r := ok(DefaultModel().Truncated(c, p))
		if got, want := accuracy(t, c, r), float64(p)/256; math.Abs(got-want) > 0.005 {
			t.Errorf("p = %d: %.4f, want %.4f", p, got, want)
		}
	}
}

func TestScoreRejectsWhatDoesNotFit(t *testing.T) {
	c := corpus(t, 8, 4)
	r := ok(DefaultModel().Truncated(c, 8))
	ask := c.Original()
	for name, do := range map[string]func() error{
		"no questions": func() error { _, err := Score(r, Questions{}, c.V); return err },
		"unknown fact": func() error { _, err := Score(r, ask, c.V.Slice(0, 4)); return err },
		"other width":  func() error { _, err := Score(r, ask, corpus(t, 8, 5).V); return err },
		"key width":    func() error { _, err := Score(r, corpus(t, 8, 5).Original(), c.V); return err },
		"beta":         func() error { _, err := (Model{Beta: -1, Gamma: 1}).Truncated(c, 2); return err },
		"gamma":        func() error { _, err := (Model{Beta: 1, Gamma: math.NaN()}).With(nil); return err },
		"p above N":    func() error { _, err := DefaultModel().Truncated(c, 9); return err },
		"p = 0":        func() error { _, err := DefaultModel().Truncated(c, 0); return err },
		"attention":    func() error { _, err := DefaultModel().Attention(ask.Q, corpus(t, 8, 5).K); return err },
	} {
		if err := do(); !errors.Is(err, ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Orthogonal keys are what linear memory is perfect on, however it is made.
func TestLinearMemoryIsExactOnOrthogonalKeys(t *testing.T) {
	c := corpus(t, 8, 8)
	clear(c.K.Data)
	for i := range 8 {
		c.K.Row(i)[i] = 1
	}
	sum := ok(LinearSum(c))
	squares := ok(LinearLeastSquares(c))
	delta := ok(LinearDelta(c, 1, 1))
	for name, l := range map[string]Linear{"sum": sum, "least squares": squares, "delta rule": delta} {
		for i, x := range l.M.Data {
			if math.Abs(float64(x-c.V.Data[i])) > 1e-6 {
				t.Errorf("%s: number %d is %g, want %g", name, i, x, c.V.Data[i])
			}
		}
		if l.Tokens() != 4 {
			t.Errorf("8 x 8 equals %g tokens", l.Tokens())
		}
	}
}

// The delta rule's first pass from 0 at a small rate is the sum times the rate;
// many passes lead to least squares.
func TestDeltaRuleLeadsFromTheSumToLeastSquares(t *testing.T) {
	c := corpus(t, 40, 16)
	error2 := func(l Linear) (e float64) {
		o := ok(l.Read(c.K))
		for i, x := range o.Data {
			e += math.Pow(float64(x-c.V.Data[i]), 2)
		}
		return e
	}
	sum := ok(LinearSum(c))
	first := ok(LinearDelta(c, 1e-4, 1))
	for i, x := range first.M.Data {
		if math.Abs(float64(x)*1e4-float64(sum.M.Data[i])) > 0.01 {
			t.Errorf("number %d: %g, want %g", i, x*1e4, sum.M.Data[i])
		}
	}
	squares := ok(LinearLeastSquares(c))
	many := ok(LinearDelta(c, 0.01, 2000))
	few := ok(LinearDelta(c, 0.01, 20))
	if a, b, l := error2(few), error2(many), error2(squares); !(l <= b && b < a && b < 1.01*l) {
		t.Errorf("squared error: 20 passes %g, 2000 %g, least squares %g", a, b, l)
	}
}

func TestBadLinearMemoriesAreErrors(t *testing.T) {
	c := corpus(t, 8, 4)
	same := corpus(t, 8, 4)
	for i := range 8 {
		copy(same.K.Row(i), same.K.Row(0))
	}
	for name, do := range map[string]func() error{
		"too few facts": func() error { _, err := LinearLeastSquares(corpus(t, 3, 4)); return err },
		"rate":          func() error { _, err := LinearDelta(c, 0, 1); return err },
		"passes":        func() error { _, err := LinearDelta(c, 1, 0); return err },
		"divergence":    func() error { _, err := LinearDelta(c, 100, 500); return err },
		"width":         func() error { _, err := Linear{NewMatrix(3, 3)}.Read(c.K); return err },
	} {
		if err := do(); !errors.Is(err, ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := LinearLeastSquares(same); err == nil {
		t.Error("least squares over one key: no error")
	}
}

func TestLinearMemoryIsFarFromInContextLearning(t *testing.T) {
	c := ok(NewCorpus(512, 64, random.Seed(0).Stream("corpus")))
	sum := ok(LinearSum(c))
	squares := ok(LinearLeastSquares(c))
	if a, b := accuracy(t, c, sum), accuracy(t, c, squares); !(0.2 < a && a < b && b < 0.45) {
		t.Errorf("sum %.3f, least squares %.3f", a, b)
	}
}
