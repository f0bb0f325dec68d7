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
	b1, b2, eps := float32(a.Beta1), float32(a.Beta2), float32(a.Epsilon)
	new1, new2 := float32(1-a.Beta1), float32(1-a.Beta2)
	by := float32(rate / (1 - math.Pow(a.Beta1, float64(t))))
	over := float32(1 / (1 - math.Pow(a.Beta2, float64(t))))
	from := frozen * z.Cols
	zs, gs, ms, vs := z.Data[from:], g.Data[from:], s.m[from:], s.v[from:]
	gs, ms, vs = gs[:len(zs)], ms[:len(zs)], vs[:len(zs)]
	for i, x := range gs {
		ms[i] = float32(b1*ms[i]) + float32(new1*x)
		vs[i] = float32(b2*vs[i]) + float32(new2*float32(x*x))
		zs[i] -= float32(by * ms[i] / (float32(math.Sqrt(float64(float32(vs[i]*over)))) + eps))
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
