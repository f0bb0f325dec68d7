package cartridge

import (
	"fmt"
	"io"
	"math"
)

// GradientSource is an engine to be checked.
type GradientSource struct {
	Name string
	New  NewEngine
}

// The names of the sources that every check compares.
const (
	LiteralLoops       = "literal loops"
	CentralDifferences = "central differences"
	HandWritten        = "hand-written"
)

const (
	// DifferenceStep is that of the central differences.
	DifferenceStep = 1e-5
	// ToleranceFloat64 is for sources that compute in float64. Central differences
	// are off by 4e-9 of the largest derivative at most in our problems.
	ToleranceFloat64 = 1e-7
	// ToleranceFloat32 is for pairs of which one is an engine in float32; the
	// hand-written one is off by 2e-6 at most.
	ToleranceFloat32 = 1e-5
)

// GradientCheck is by how much the sources differ.
type GradientCheck struct {
	Parameters int     `json:"parameters"` // all of them are compared
	Largest    float64 `json:"largest_derivative"`
	Pairs      []Pair  `json:"pairs"`
}

// Pair is the largest difference between two sources over all parameters, as a
// share of the largest derivative by a key, or by a value; and the difference
// between the losses.
type Pair struct {
	A         string  `json:"a"`
	B         string  `json:"b"`
	Keys      float64 `json:"keys"`
	Values    float64 `json:"values"`
	Loss      float64 `json:"loss"`
	Tolerance float64 `json:"tolerance"`
}

// OK says that a pair agrees. A NaN does not.
func (p Pair) OK() bool {
	return p.Keys <= p.Tolerance && p.Values <= p.Tolerance && p.Loss <= p.Tolerance
}

// Err names the pairs that do not agree; nil if all do.
func (c GradientCheck) Err() error {
	for _, p := range c.Pairs {
		if !p.OK() {
			return fmt.Errorf("cartridge: the gradients of %s and %s differ by %.2g (keys) and %.2g (values) of the largest, their losses by %.2g: want at most %g",
				p.A, p.B, p.Keys, p.Values, p.Loss, p.Tolerance)
		}
	}
	return nil
}

// gradient64 is one source's result.
type gradient64 struct {
	name   string
	loss   float64
	k, v   [][]float64
	single bool // computed in float32
}

// CheckGradient computes one gradient by literal loops in float64, by central
// differences, by the hand-written engine and by any further ones, and compares
// every pair of them in every parameter. Err of the result says whether they
// agree; the error is about the problem or an engine.
func CheckGradient(p Problem, more ...GradientSource) (GradientCheck, error) {
	l, z, batch, err := p.pose()
	if err != nil {
		return GradientCheck{}, err
	}
	sources := make([]gradient64, 0, len(more)+3)
	loss := l.loss()
	k, v := l.gradient()
	sources = append(sources, gradient64{LiteralLoops, loss, k, v, false})
	k, v = l.differences(DifferenceStep)
	sources = append(sources, gradient64{CentralDifferences, loss, k, v, false})
	setup := Setup{Model: p.Model, Candidates: l.candidates(), Batch: p.Batch, Slots: p.Slots, KeyDim: p.Dims}
	for _, s := range append([]GradientSource{{HandWritten, ByHand}}, more...) {
		g, err := s.gradient(setup, z, batch)
		if err != nil {
			return GradientCheck{}, fmt.Errorf("%s: %w", s.Name, err)
		}
		sources = append(sources, g)
	}
	c := GradientCheck{Parameters: 2 * p.Slots * p.Dims}
	topK, topV := largest(sources[0].k), largest(sources[0].v)
	c.Largest = max(topK, topV)
	if topK == 0 { // with one slot its key does not matter
		topK = c.Largest
	}
	for i, a := range sources {
		for _, b := range sources[i+1:] {
			tolerance := ToleranceFloat64
			if a.single || b.single {
				tolerance = ToleranceFloat32
			}
			c.Pairs = append(c.Pairs, Pair{
				A: a.name, B: b.name, Keys: apart(a.k, b.k) / topK, Values: apart(a.v, b.v) / topV,
				Loss: math.Abs(a.loss - b.loss), Tolerance: tolerance,
			})
		}
	}
	return c, nil
}

func (s GradientSource) gradient(setup Setup, z *Cartridge, b *Batch) (gradient64, error) {
	if s.New == nil {
		return gradient64{}, bad("the source has no engine")
	}
	engine, err := s.New(setup)
	if err != nil {
		return gradient64{}, err
	}
	if c, ok := engine.(io.Closer); ok {
		defer c.Close()
	}
	g := NewGradient(z)
	for i := range g.K.Data { // what an engine does not write is seen
		g.K.Data[i], g.V.Data[i%len(g.V.Data)] = float32(math.NaN()), float32(math.NaN())
	}
	loss, err := engine.Gradient(z, b, g)
	return gradient64{s.Name, loss, doubles(g.K), doubles(g.V), true}, err
}

func largest(m [][]float64) float64 {
	top := 0.0
	for _, row := range m {
		for _, x := range row {
			top = math.Max(top, math.Abs(x))
		}
	}
	return top
}

// apart is the largest difference; NaN if there is one.
func apart(a, b [][]float64) float64 {
	top := 0.0
	for i := range a {
		for j, x := range a[i] {
			top = math.Max(top, math.Abs(x-b[i][j])) // Max keeps a NaN
		}
	}
	return top
}
