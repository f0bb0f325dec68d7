package cartridge

import "math"

// Adam is the optimizer, with bias correction and without weight decay. The zero
// value stands for .9, .999 and 1e-8.
type Adam struct {
	Beta1   float64 `json:"beta1"`
	Beta2   float64 `json:"beta2"`
	Epsilon float64 `json:"epsilon"`
}

func (a Adam) orDefault() Adam {
	if a == (Adam{}) {
		return Adam{0.9, 0.999, 1e-8}
	}
	return a
}

func (a Adam) check() error {
	if !(a.Beta1 >= 0 && a.Beta1 < 1 && a.Beta2 >= 0 && a.Beta2 < 1 && a.Epsilon > 0 && !math.IsInf(a.Epsilon, 0)) {
		return bad("Adam with betas %g and %g, epsilon %g: want betas from 0 to below 1 and a positive epsilon", a.Beta1, a.Beta2, a.Epsilon)
	}
	return nil
}

// moments are Adam's running means for one matrix.
type moments struct {
	m, v []float32
}

// update takes step number t on all rows from the first that is not frozen.
func (a Adam) update(z, g Matrix, frozen int, s moments, t int, rate float64) {
	u := a.at(t, rate)
	step := adamStep{
		beta1: float32(a.Beta1), beta2: float32(a.Beta2), new1: float32(1 - a.Beta1), new2: float32(1 - a.Beta2),
		by: u.Rate, over: u.Over, epsilon: float32(a.Epsilon),
	}
	from := frozen * z.Cols
	zs, gs, ms, vs := z.Data[from:], g.Data[from:], s.m[from:], s.v[from:]
	if vector {
		n := step.vector(zs, gs, ms, vs)
		zs, gs, ms, vs = zs[n:], gs[n:], ms[n:], vs[n:]
	}
	step.plain(zs, gs, ms, vs)
}

// adamStep is one step's factors.
type adamStep struct {
	beta1, beta2, new1, new2 float32
	by, over                 float32 // rate and second moment, with bias correction
	epsilon                  float32
}

func (s adamStep) plain(z, g, m, v []float32) {
	g, m, v = g[:len(z)], m[:len(z)], v[:len(z)]
	for i, x := range g {
		m[i] = float32(s.beta1*m[i]) + float32(s.new1*x)
		v[i] = float32(s.beta2*v[i]) + float32(s.new2*float32(x*x))
		z[i] -= float32(s.by * m[i] / (float32(math.Sqrt(float64(float32(v[i]*s.over)))) + s.epsilon))
	}
}

// Schedule is how the rate changes over a training.
type Schedule struct {
	// WarmUp is over how many steps the rate rises from 0.
	WarmUp int `json:"warm_up_steps"`
	// Cosine lets the rate fall to 0 at the last step; else it stays.
	Cosine bool `json:"cosine"`
}

// rate is the share of the full rate in a step, of steps in all, counted from 1.
func (s Schedule) rate(step, steps int) float64 {
	if step <= s.WarmUp {
		return float64(step) / float64(s.WarmUp)
	}
	if !s.Cosine {
		return 1
	}
	return (1 + math.Cos(math.Pi*float64(step-s.WarmUp)/float64(max(1, steps-s.WarmUp)))) / 2
}
