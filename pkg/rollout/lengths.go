package rollout

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"memlab/pkg/random"
)

// A Shape is a family of distributions of lengths.
type Shape string

// The shapes. A lognormal length has a normal logarithm; a Pareto tail is heavier:
// its logarithm is exponential, so that no cap is ever far away.
const (
	Lognormal Shape = "lognormal"
	Pareto    Shape = "pareto"
)

// Lengths is how long answers are, in tokens. An answer's length is the
// distribution's at a normal score; scores of one prompt are alike to the degree
// Prompt, since a hard question draws long answers whenever it is asked.
type Lengths struct {
	Shape  Shape   `json:"shape"`
	Median float64 `json:"median_tokens"`
	// Spread is the heaviness of the tail: the standard deviation of the
	// logarithm of a lognormal length, and 1/alpha of a Pareto one.
	Spread float64 `json:"spread"`
	// Prompt is the correlation of the scores of two answers to one prompt.
	Prompt float64 `json:"prompt"`
	// Cap is the length at which an answer is broken off.
	Cap int `json:"cap_tokens"`
}

// DefaultLengths is an example: half of the answers are longer than 2,000
// tokens, one in a thousand would be longer than 32,768 and is broken off
// there, and half of the variance of the logarithm is the question's.
func DefaultLengths() Lengths {
	return Lengths{Shape: Lognormal, Median: 2000, Spread: 0.9, Prompt: 0.5, Cap: 32_768}
}

// Check reports the first field that is impossible.
func (l Lengths) Check() error {
	switch {
	case l.Shape != Lognormal && l.Shape != Pareto:
		return bad("shape", strconv.Quote(string(l.Shape)), `"lognormal" or "pareto"`)
	case !(l.Median >= 1 && l.Median <= maxCount):
		return bad("median_tokens", l.Median, fmt.Sprintf("tokens from 1 to %d", maxCount))
	case !(l.Spread >= 0 && l.Spread <= 10):
		return bad("spread", l.Spread, "a number from 0 (all alike) to 10")
	}
	if err := share("prompt", l.Prompt); err != nil {
		return err
	}
	return whole("cap_tokens", l.Cap, 1)
}

// at is the length before rounding and cap at a normal score.
func (l Lengths) at(score float64) float64 {
	if l.Shape == Lognormal {
		return l.Median * math.Exp(l.Spread*score)
	}
	// The survival function at the median is 1/2, so Median x (2 S)^(-1/alpha).
	return l.Median * math.Pow(2*standard.Survival(score), -l.Spread)
}

// score is the inverse of at.
func (l Lengths) score(tokens float64) float64 {
	ratio := math.Log(tokens / l.Median)
	switch {
	case l.Spread == 0 && ratio < 0:
		return math.Inf(-1)
	case l.Spread == 0:
		return math.Inf(1)
	case l.Shape == Lognormal:
		return ratio / l.Spread
	}
	survival := math.Exp(-ratio/l.Spread) / 2
	if survival >= 1 {
		return math.Inf(-1) // below the shortest that a Pareto length can be
	}
	return -standard.Quantile(survival)
}

var standard = distuv.Normal{Mu: 0, Sigma: 1}

// Draw returns the lengths of a batch in tokens, prompt by prompt. More samples
// leave the first ones of each prompt, and more prompts the prompts before
// them, as they were.
func (l Lengths) Draw(seed random.Seed, prompts, samples int) ([][]int, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	if err := whole("prompts", prompts, 1); err != nil {
		return nil, err
	}
	if err := whole("samples", samples, 1); err != nil {
		return nil, err
	}
	if samples > maxCount/prompts {
		return nil, bad("prompts x samples", fmt.Sprintf("%d x %d", prompts, samples), fmt.Sprintf("at most %d answers", maxCount))
	}
	common, own := math.Sqrt(l.Prompt), math.Sqrt(1-l.Prompt)
	out, all := make([][]int, prompts), make([]int, prompts*samples)
	for p := range out {
		r := seed.Stream("rollout", "lengths", strconv.Itoa(p))
		hard := common * r.NormFloat64()
		out[p], all = all[:samples:samples], all[samples:]
		for i := range out[p] {
			tokens := math.Ceil(l.at(hard + own*r.NormFloat64()))
			out[p][i] = int(max(1, min(tokens, float64(l.Cap))))
		}
	}
	return out, nil
}

// Longer is the share of answers that are longer than a number of tokens.
func (l Lengths) Longer(tokens int) (float64, error) {
	if err := l.Check(); err != nil {
		return 0, err
	}
	switch {
	case tokens >= l.Cap:
		return 0, nil
	case tokens < 1:
		return 1, nil
	}
	return standard.Survival(l.score(float64(tokens))), nil
}

// Mean is the mean length in tokens: the sum of the shares of answers that are
// longer than 0, 1, 2, ... tokens.
func (l Lengths) Mean() (float64, error) {
	return l.expectation(func(score float64) float64 { return standard.Survival(score) })
}

// Longest is the expected length of the longest answer of a batch, in tokens:
// the sum over k of 1 - P(no answer is longer than k). With correlated answers
// P is, for each prompt, the integral over its own score z of
// Phi((s - sqrt(r) z) / sqrt(1-r))^samples, to the power of prompts; s is the
// score of k tokens and r the correlation. Source: order statistics of
// exchangeable normal variables; the integral by Gauss-Legendre quadrature.
func (l Lengths) Longest(prompts, samples int) (float64, error) {
	if err := whole("prompts", prompts, 1); err != nil {
		return 0, err
	}
	if err := whole("samples", samples, 1); err != nil {
		return 0, err
	}
	common, own, n := math.Sqrt(l.Prompt), math.Sqrt(1-l.Prompt), float64(samples)
	return l.expectation(func(s float64) float64 {
		none := math.Pow(standard.CDF(s), n) // answers of no prompt in common
		switch {
		case l.Prompt == 1:
			none = standard.CDF(s)
		case l.Prompt > 0 && !math.IsInf(s, 0):
			none = quad.Fixed(func(z float64) float64 {
				return standard.Prob(z) * math.Pow(standard.CDF((s-common*z)/own), n)
			}, -9, 9, 120, nil, 0)
		}
		return -math.Expm1(float64(prompts) * math.Log(none))
	})
}

// expectation sums the chance that some length exceeds k over k below the cap.
// A chance changes slowly beyond some hundred tokens: there the sum is taken
// over blocks, each by Simpson's rule.
func (l Lengths) expectation(exceeds func(score float64) float64) (float64, error) {
	if err := l.Check(); err != nil {
		return 0, err
	}
	at := func(k int) float64 { return exceeds(l.score(float64(k))) }
	sum := 1.0 // every length exceeds 0
	k := 1
	for ; k < min(l.Cap, 1<<8); k++ {
		sum += at(k)
	}
	for k < l.Cap {
		block := min(max(1, k>>6), l.Cap-k)
		if block < 3 || l.Spread < 0.02 {
			sum += at(k)
			k++
			continue
		}
		// The sum over k, k+1, ... is the integral from k-1/2 on, closely.
		a, b := float64(k)-0.5, float64(k+block)-0.5
		f := func(x float64) float64 { return exceeds(l.score(x)) }
		sum += (b - a) / 6 * (f(a) + 4*f((a+b)/2) + f(b))
		k += block
	}
	return sum, nil
}
