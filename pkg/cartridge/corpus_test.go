package cartridge

import (
	"errors"
	"math"
	"slices"
	"testing"

	"memlab/pkg/random"
)

func TestFactsHaveLengthOne(t *testing.T) {
	c := corpus(t, 50, 64)
	for _, m := range []Matrix{c.K, c.V} {
		for i := range m.Rows {
			if l := math.Sqrt(float64(dot(m.Row(i), m.Row(i)))); math.Abs(l-1) > 1e-6 {
				t.Errorf("row %d has length %g", i, l)
			}
		}
	}
}

func TestSameSeedSameCorpus(t *testing.T) {
	make := func(s random.Seed) *Corpus {
		return ok(NewCorpus(20, 8, s.Stream("corpus")))
	}
	if a, b := make(1), make(1); !slices.Equal(a.K.Data, b.K.Data) || !slices.Equal(a.V.Data, b.V.Data) {
		t.Error("the same seed gives another corpus")
	}
	if a, b := make(1), make(2); slices.Equal(a.K.Data, b.K.Data) {
		t.Error("another seed gives the same corpus")
	}
}

// By the algebra of unit(k + s n / sqrt(d)): the cosine is about 1/sqrt(1 + s^2)
// = .958 at s = .30, whatever the family.
func TestRephrasedQuestionsKeepTheCosine(t *testing.T) {
	c := corpus(t, 200, 64)
	for _, f := range append(Families(), Anyhow) {
		q := ok(c.Rephrased(3, DefaultDistance, f, random.Seed(1).Stream("ask")))
		sum := 0.0
		for i, fact := range q.Facts {
			sum += float64(dot(q.Q.Row(i), c.K.Row(fact)))
		}
		if mean, want := sum/600, 1/math.Sqrt(1.09); math.Abs(mean-want) > 0.004 {
			t.Errorf("%v: mean cosine %.4f, want %.4f", f, mean, want)
		}
	}
}

// Each family leaves all dimensions but its own alone, up to the common factor
// that brings the question back to length 1; together they reach all.
func TestFamiliesVaryDimensionsOfTheirOwn(t *testing.T) {
	c := corpus(t, 1, 64)
	reached := map[int]int{}
	for _, f := range Families() {
		q := ok(c.Rephrased(1, DefaultDistance, f, random.Seed(1).Stream("ask")))
		ratios := map[int]float64{}
		for j, x := range q.Q.Row(0) {
			ratios[j] = float64(x) / float64(c.K.Row(0)[j])
		}
		common := ratios[int(f)%5]
		for j, r := range ratios {
			if math.Abs(r-common) > 1e-5*math.Abs(common) {
				reached[j]++
				if j%5 != int(f)-1 {
					t.Errorf("%v varies dimension %d", f, j)
				}
			}
		}
	}
	if len(reached) != 64 {
		t.Errorf("the families vary %d of 64 dimensions", len(reached))
	}
	for j, n := range reached {
		if n != 1 {
			t.Errorf("dimension %d is varied by %d families", j, n)
		}
	}
}

func TestJoinAndPartAreInverse(t *testing.T) {
	c := corpus(t, 10, 4)
	a := ok(c.Part(0, 3))
	b := ok(c.Part(3, 10))
	both := ok(Join(a, b))
	if !slices.Equal(both.K.Data, c.K.Data) || !slices.Equal(both.V.Data, c.V.Data) {
		t.Error("the parts joined are another corpus")
	}
}

func TestBadCorporaAreErrors(t *testing.T) {
	nan, inf := corpus(t, 5, 4), corpus(t, 5, 4)
	nan.K.Row(3)[1] = float32(math.NaN())
	inf.V.Row(0)[0] = float32(math.Inf(1))
	short := corpus(t, 5, 4)
	short.V = short.V.Slice(0, 4)
	torn := corpus(t, 5, 4)
	torn.K.Data = torn.K.Data[:19]
	for name, c := range map[string]*Corpus{
		"NaN in keys": nan, "infinite value": inf, "fewer values": short, "missing numbers": torn, "nil": nil, "empty": {},
	} {
		for what, do := range map[string]func() error{
			"check":  c.Check,
			"first":  func() error { _, err := FirstTokens(c, 2); return err },
			"linear": func() error { _, err := LinearSum(c); return err },
			"ICL":    func() error { _, err := DefaultModel().Truncated(c, 2); return err },
			"join":   func() error { _, err := Join(c); return err },
			"study":  func() error { _, err := study(c).Open(1); return err },
		} {
			if err := do(); !errors.Is(err, ErrInput) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
	if err := nan.Check(); err == nil || err.Error() != "cartridge: bad input: keys: row 3, column 1 is NaN: want a finite number" {
		t.Errorf("%v", err)
	}
	c := corpus(t, 5, 4)
	for name, do := range map[string]func() error{
		"no facts":        func() error { _, err := NewCorpus(0, 4, nil); return err },
		"part":            func() error { _, err := c.Part(3, 3); return err },
		"part beyond":     func() error { _, err := c.Part(0, 6); return err },
		"no document":     func() error { _, err := Join(); return err },
		"no questions":    func() error { _, err := c.Rephrased(0, 0.3, Anyhow, nil); return err },
		"distance":        func() error { _, err := c.Rephrased(1, -1, Anyhow, nil); return err },
		"NaN distance":    func() error { _, err := c.Rephrased(1, math.NaN(), Anyhow, nil); return err },
		"no such family":  func() error { _, err := c.Rephrased(1, 0.3, 6, nil); return err },
		"family too many": func() error { _, err := c.Rephrased(1, 0.3, Creative, nil); return err },
	} {
		if err := do(); !errors.Is(err, ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
