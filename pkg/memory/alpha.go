package memory

import (
	"errors"
	"fmt"
	"math"

	"memlab/pkg/dialogue"
)

// Alpha is a reader that overlooks things in the middle of long material. Each
// statement, independently for each question, is overlooked with probability
//
//	alpha x L/(L + half) x 4u(1-u)
//
// where L is the length of the messages read and u, 0 to 1, the place of the
// statement among them. It stands for what is called lost in the middle (Liu et
// al., TACL 2024); alpha is an assumption of the lecture, not a measurement.
type Alpha struct {
	Strict
	Alpha float64
	// Half is the length in tokens at which half of the effect is there.
	// Calibrated: the two accuracies of full context at alpha .5 and 1 pin it.
	Half float64
}

// DefaultHalf is the calibrated half length of Alpha, in tokens.
const DefaultHalf = 31_000

// ErrRate is the kind of every error about a rate that is no probability, or a
// parameter that cannot be.
var ErrRate = errors.New("bad parameter")

// NewAlpha checks the parameters.
func NewAlpha(s Strict, alpha, half float64) (Alpha, error) {
	if err := checkRate("alpha", alpha); err != nil {
		return Alpha{}, err
	}
	if !(half > 0) || math.IsInf(half, 0) {
		return Alpha{}, fmt.Errorf("memory: %w: half length %g: want a positive number of tokens", ErrRate, half)
	}
	if alpha > 0 && s.Stream == nil {
		return Alpha{}, fmt.Errorf("memory: %w: alpha %g without a stream of random numbers", ErrRate, alpha)
	}
	return Alpha{s, alpha, half}, nil
}

func checkRate(name string, p float64) error {
	if !(p >= 0 && p <= 1) {
		return fmt.Errorf("memory: %w: %s %g: want a probability, 0 to 1", ErrRate, name, p)
	}
	return nil
}

// Answer implements Reader.
func (r Alpha) Answer(q *dialogue.Question, m *Material) Answer {
	if r.Alpha == 0 {
		return r.Strict.Answer(q, m)
	}
	total := 0
	for _, msg := range m.Messages {
		total += msg.Tokens
	}
	length := float64(total)
	draws := r.Stream("reader", "alpha", q.ID)
	position, last := 0.0, 0
	return r.answer(q, seenIn(m, func(i int) bool {
		for ; last < i; last++ {
			position += float64(m.Messages[last].Tokens)
		}
		u := (position + float64(m.Messages[i].Tokens)/2) / length
		return draws.Float64() < r.Alpha*length/(length+r.Half)*4*u*(1-u)
	}))
}
