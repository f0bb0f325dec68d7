package exercise

import (
	"fmt"
	"math"
	"sync"

	"memlab/pkg/cartridge"
	"memlab/pkg/random"
)

// attention is the toy whose logits are asked for: beta times a product.
type attention struct {
	beta, deviation float64 // of the slots that are drawn from a normal distribution
	geometry
}

// geometry is what has to be drawn anew, and not only scaled.
type geometry struct {
	dims     int
	distance float64 // of a rephrased question
}

func attentionOf(n numbers) attention {
	return attention{
		beta:      pick(n, cartridge.DefaultModel().Beta, 15, 16, 18, 24, 25, 30, 36, 40),
		deviation: pick(n, 1, 0.5, 0.75, 1.5, 2, 3),
		geometry: geometry{
			dims:     pick(n, 64, 32, 100, 128),
			distance: pick(n, cartridge.DefaultDistance, 0.2, 0.4, 0.5, 0.6),
		},
	}
}

// cosine between a key and a question in other words, as the question states it:
// the noise is that many times as long as the key, and nearly at a right angle.
func (g geometry) cosine() float64 { return 1 / math.Sqrt(1+g.distance*g.distance) }

// products are of a question, of length 1, with slots.
type products struct {
	own    float64 // mean, with its own key
	other  float64 // root mean square, with the key of another fact
	random float64 // root mean square, with a slot of standard normal numbers
}

// products are measured once for each geometry.
func (g geometry) products() (products, error) {
	found, _ := measured.LoadOrStore(g, sync.OnceValues(g.measure))
	return found.(func() (products, error))()
}

var measured sync.Map // of functions, by geometry

func (g geometry) measure() (products, error) {
	const facts, seed = 512, random.Seed(0)
	wrap := func(err error) (products, error) { return products{}, fmt.Errorf("exercise: %w", err) }
	text, err := cartridge.NewCorpus(facts, g.dims, seed.Stream("exercise", "corpus"))
	if err != nil {
		return wrap(err)
	}
	ask, err := text.Rephrased(1, g.distance, cartridge.Anyhow, seed.Stream("exercise", "ask"))
	if err != nil {
		return wrap(err)
	}
	slots, err := cartridge.RandomVectors(text, facts, false, seed.Stream("exercise", "slots"))
	if err != nil {
		return wrap(err)
	}
	var p products
	for i := range facts {
		for j := range facts {
			x := inner(ask.Q.Row(i), text.K.Row(j))
			if i == j {
				p.own += x / facts
			} else {
				p.other += x * x / (facts * (facts - 1))
			}
			y := inner(ask.Q.Row(i), slots.K.Row(j))
			p.random += y * y / (facts * facts)
		}
	}
	p.other, p.random = math.Sqrt(p.other), math.Sqrt(p.random)
	return p, nil
}

func inner(a, b []float32) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// logit is beta times a product.
func (a attention) logit(of func(products) float64) func() (float64, error) {
	return func() (float64, error) {
		p, err := a.products()
		return a.beta * of(p), err
	}
}

func own(p products) float64   { return p.own }
func other(p products) float64 { return p.other }

func logitOfToken(n numbers) Exercise {
	a := attentionOf(n)
	return Exercise{
		ID: "10.6a",
		Question: both(
			"The attention logits are %.0f q·k. A slot starts as a real token: a key of length 1 in %d dimensions. What is the logit of a question with its own key, in other words, cosine about %.2f?",
			"注意力的 logit 是 %.0f q·k。槽位用真实 token 初始化：%d 维、长度为 1 的 key。换了说法的问题（余弦约 %.2f）与它自己的 key 的 logit 是多少？",
			a.beta, a.dims, a.cosine()),
		Answer:    a.logit(own),
		Tolerance: 0.015,
		Slips: []Slip{
			{Value: one(a.beta), Hint: Text{
				EN: "that would be a question in the words of the text, cosine 1.",
				ZH: "这是用原文提问时的值，余弦为 1。"}},
			{Value: a.logit(other), Hint: both(
				"that is how large the logits with other keys are, %.0f/√%d. With its own?",
				"这是与其他 key 的 logit 的大小，%.0f/√%d。与自己的呢？", a.beta, a.dims)},
			{Value: func() (float64, error) { p, err := a.products(); return p.own, err }, Hint: both(
				"that is the cosine. Times the factor of %.0f?", "这是余弦。乘上系数 %.0f 呢？", a.beta)},
		},
		Hints: []Text{
			{EN: "both have length 1, so that the product is the cosine.", ZH: "两者长度都是 1，点积就是余弦。"},
			both("%.0f times %.2f.", "%.0f 乘 %.2f。", a.beta, a.cosine()),
		},
	}
}

func logitOfRandom(n numbers) Exercise {
	a := attentionOf(n)
	length := a.deviation * math.Sqrt(float64(a.dims))
	return Exercise{
		ID: "10.6b",
		Question: both(
			"And a slot of %d normal numbers with mean 0 and standard deviation %g: how large is the logit of a question with it, typically (its standard deviation; the mean is 0)?",
			"如果槽位是 %d 个正态随机数（均值 0、标准差 %g）：一个问题与它的 logit 一般有多大（标准差；均值为 0）？",
			a.dims, a.deviation),
		Answer:    a.logit(func(p products) float64 { return a.deviation * p.random }),
		Tolerance: 0.04,
		Slips: []Slip{
			{Value: a.logit(other), Hint: both(
				"that holds for a key of length 1. How long is a vector of %d such numbers?",
				"这适用于长度为 1 的 key。%d 个这样的数组成的向量有多长？", a.dims)},
			{Value: one(a.beta * length), Hint: both(
				"that is the factor times its length, as if the question pointed exactly its way. A random direction has a cosine of about 1/√%d.",
				"这是系数乘以它的长度，好像问题正好指向它。随机方向的余弦大约是 1/√%d。", a.dims)},
			{Value: one(length), Hint: Text{
				EN: "that is its length. The logit is the factor times length times cosine.",
				ZH: "这是它的长度。logit 是系数 × 长度 × 余弦。"}},
			{Value: one(a.deviation), Hint: Text{
				EN: "that is the product q·k. Times the factor?",
				ZH: "这是点积 q·k。乘上系数呢？"}},
		},
		Hints: []Text{
			both("length about %g × √%d, cosine with a random direction about 1/√%[2]d.",
				"长度约 %g × √%d，与随机方向的余弦约 1/√%[2]d。", a.deviation, a.dims),
			{EN: "the two roots cancel; the factor of the logits and the standard deviation are left.", ZH: "两个根号相互抵消，剩下 logit 的系数和标准差。"},
		},
	}
}
