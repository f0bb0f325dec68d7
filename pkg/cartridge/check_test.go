package cartridge

import (
	"math"
	"testing"

	seeds "memlab/pkg/random"
)

// problems differ in what could hide a mistake: square batches, one question,
// hard labels, a teacher that sees all.
func problems() map[string]Problem {
	small := SmallProblem()
	square, hard, whole, one, memorize := small, small, small, small, small
	square.Batch, square.Dims, square.Slots = 16, 16, 16
	hard.Objective = HardLabels
	memorize.Objective = Memorize
	whole.Chunk, whole.Seed = 0, 7
	one.Batch, one.Slots = 1, 3
	return map[string]Problem{
		"small": small, "batch, slots and dimensions alike": square, "hard labels": hard,
		"memorize": memorize, "a teacher that sees all": whole, "one question": one,
	}
}

func TestGradientsAgreeInEveryParameter(t *testing.T) {
	for name, p := range problems() {
		c, err := CheckGradient(p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := c.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.Parameters != 2*p.Slots*p.Dims || len(c.Pairs) != 3 || c.Largest < 1e-3 {
			t.Errorf("%s: %+v", name, c)
		}
		t.Logf("%s: %+v", name, c.Pairs)
	}
}

// mutant is the backward pass in float64 with one mistake.
type mutant struct {
	setup   Setup
	mistake string
}

func (m mutant) Gradient(z *Cartridge, b *Batch, g *Gradient) (float64, error) {
	beta, gamma, n := m.setup.Model.Beta, m.setup.Model.Gamma, float64(m.setup.Batch)
	l := literal{beta: beta, gamma: gamma, q: doubles(b.Q), c: doubles(m.setup.Candidates), zk: doubles(z.K), zv: doubles(z.V)}
	clear(g.K.Data)
	clear(g.V.Data)
	var s, d, a [][]float64
	var loss float64
	for i := range l.q {
		si, oi := l.attend(i)
		di := make([]float64, len(oi))
		p := l.answer(oi)
		logit0 := 0.0
		for x := range oi {
			for j := range p {
				di[x] += gamma / n * p[j] * l.c[j][x]
			}
			di[x] -= gamma / n * float64(b.Mean.Row(i)[x])
			logit0 += gamma * oi[x] * l.c[0][x]
			loss -= gamma * oi[x] * float64(b.Mean.Row(i)[x]) / n
		}
		loss += (float64(b.NegEntropy[i]) + logit0 - math.Log(p[0])) / n
		s, d = append(s, si), append(d, di)
	}
	for i := range l.q {
		ai, mean := make([]float64, len(s[i])), 0.0
		for j := range ai {
			for x := range d[i] {
				ai[j] += d[i][x] * l.zv[j][x]
			}
			mean += ai[j] * s[i][j]
		}
		if m.mistake == "no row sum" {
			mean = 0
		}
		for j := range ai {
			ai[j] = (ai[j] - mean) * s[i][j]
		}
		a = append(a, ai)
	}
	if m.mistake == "no beta" {
		beta = 1
	}
	if m.mistake == "no 1/B" {
		beta *= n
	}
	swap := m.mistake
	for i := range l.q {
		for j := range l.zk {
			sv, ak := s[i][j], a[i][j]
			if swap == "S for its transpose" {
				sv = s[j][i]
			}
			if swap == "A for its transpose" {
				ak = a[j][i]
			}
			for x := range d[i] {
				g.V.Row(j)[x] += float32(sv * d[i][x])
			}
			for x := range l.q[i] {
				g.K.Row(j)[x] += float32(beta * ak * l.q[i][x])
			}
		}
	}
	if m.mistake == "a slot is forgotten" {
		clear(g.V.Row(g.V.Rows - 1))
	}
	return loss, nil
}

func TestWrongGradientsAreFound(t *testing.T) {
	square := problems()["batch, slots and dimensions alike"]
	check := func(mistake string) error {
		c, err := CheckGradient(square, GradientSource{"mutant", func(s Setup) (Engine, error) { return mutant{s, mistake}, nil }})
		if err != nil {
			t.Fatal(err)
		}
		return c.Err()
	}
	if err := check("none"); err != nil {
		t.Fatalf("without a mistake: %v", err)
	}
	for _, mistake := range []string{
		"no row sum", "no beta", "no 1/B", "S for its transpose", "A for its transpose", "a slot is forgotten",
	} {
		if check(mistake) == nil {
			t.Errorf("%s: not found", mistake)
		}
	}
}

// NaN compares as neither larger nor smaller; it must not pass for agreement.
func TestNaNIsNoAgreement(t *testing.T) {
	silent := func(s Setup) (Engine, error) {
		hand, err := ByHand(s)
		return silentEngine{hand}, err
	}
	c := ok(CheckGradient(SmallProblem(), GradientSource{"silent", silent}))
	if c.Err() == nil {
		t.Error("an engine that writes nothing agrees")
	}
}

// silentEngine knows the loss only.
type silentEngine struct{ Engine }

func (e silentEngine) Gradient(z *Cartridge, b *Batch, _ *Gradient) (float64, error) {
	return e.Engine.Gradient(z, b, NewGradient(z))
}

func TestImpossibleProblemsAreErrors(t *testing.T) {
	for name, change := range map[string]func(*Problem){
		"no facts":       func(p *Problem) { p.Facts = 0 },
		"too many slots": func(p *Problem) { p.Slots = 100 },
		"no batch":       func(p *Problem) { p.Batch = 0 },
		"no beta":        func(p *Problem) { p.Model.Beta = 0 },
		"chunk":          func(p *Problem) { p.Chunk = -1 },
	} {
		p := SmallProblem()
		change(&p)
		if _, err := CheckGradient(p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestLowRankGradientIsThatOfItsLoss(t *testing.T) {
	c, err := NewCorpus(20, 8, seeds.Seed(1).Stream("corpus"))
	if err != nil {
		t.Fatal(err)
	}
	z, err := RandomVectors(c, 3, true, seeds.Seed(1).Stream("slots"))
	if err != nil {
		t.Fatal(err)
	}
	study := Study{Model: DefaultModel(), Corpus: c, Distance: DefaultDistance}
	source, err := study.Open(1)
	if err != nil {
		t.Fatal(err)
	}
	b := newBatch(5, 8, 8)
	if err := source.Next(b); err != nil {
		t.Fatal(err)
	}
	engine, err := LowRank(Setup{Model: study.Model, Candidates: c.V, Batch: 5, Slots: 3, KeyDim: 8})
	if err != nil {
		t.Fatal(err)
	}
	g, other := NewGradient(z), NewGradient(z)
	if _, err := engine.Gradient(z, b, g); err != nil {
		t.Fatal(err)
	}
	const h, tolerance = 1e-2, 3e-3 // in float32
	for _, pair := range [][2][]float32{{z.K.Data, g.K.Data}, {z.V.Data, g.V.Data}} {
		for i, at := range pair[0] {
			pair[0][i] = at + h
			up, _ := engine.Gradient(z, b, other)
			pair[0][i] = at - h
			down, _ := engine.Gradient(z, b, other)
			pair[0][i] = at
			if want := (up - down) / (2 * h); math.Abs(want-float64(pair[1][i])) > tolerance {
				t.Errorf("parameter %d: derivative %g, difference quotient %g", i, pair[1][i], want)
			}
		}
	}
}
