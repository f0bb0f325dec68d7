package exercise

import (
	"fmt"
	"math"
	"sync"

	"memlab/pkg/cartridge"
	"memlab/pkg/costmodel"
	"memlab/pkg/random"
)

// training is how the exercise's cartridge differs from the paper's.
type training struct{ cheaper, price float64 }

// payback is after how many queries a cartridge of a document of 128,000 tokens has
// paid back against in-context learning whose KV is kept, on one H100.
func payback(t training) func() (float64, error) {
	return func() (float64, error) {
		b, err := breakEvenOf(t)
		return b.Cached.Queries, err
	}
}

func breakEvenOf(t training) (costmodel.BreakEven, error) {
	m, err := costmodel.ModelByName("llama-3-8b")
	if err != nil {
		return costmodel.BreakEven{}, err
	}
	g, err := costmodel.GPUByName("h100")
	if err != nil {
		return costmodel.BreakEven{}, err
	}
	e, err := costmodel.NewEngine(m, g, costmodel.DefaultParams())
	if err != nil {
		return costmodel.BreakEven{}, err
	}
	c := costmodel.PaperCartridge(128_000)
	c.TrainingGPUSeconds /= t.cheaper
	c.TrainingPrice = t.price
	return e.BreakEven(c, e.Params().Question, e.Params().Output)
}

var usual = training{cheaper: 1, price: 1}

var cheaperTraining = Exercise{
	ID: "10.4a",
	Question: Text{
		EN: "A cartridge of a document of 128,000 tokens pays back after some 8,900 queries against a KV that is kept. After how many, if training were ten times cheaper?",
		ZH: "12.8 万 token 的文档，cartridge 对“KV 已缓存的 ICL”约 8,900 次查询回本。如果训练便宜十倍，多少次回本？",
	},
	Answer:    payback(training{10, 1}),
	Tolerance: 0.03,
	Slips: []Slip{
		{Value: payback(usual), Hint: Text{
			EN: "that is the training as the paper has it. What becomes of the quotient if its numerator is a tenth?",
			ZH: "这是论文原来的训练成本。分子变成十分之一，商会怎样？"}},
		{Value: payback(training{0.1, 1}), Hint: Text{
			EN: "cheaper training pays back earlier, not later.",
			ZH: "训练便宜了，回本更早，不是更晚。"}},
	},
	Hints: []Text{
		{EN: "break-even = cost of training / what a query saves. Which of the two has changed?", ZH: "回本点 = 训练成本 / 每次查询省下的成本。哪一个变了？"},
		{EN: "only the numerator: a tenth of 8,900.", ZH: "只有分子变了：8,900 的十分之一。"},
	},
}

var nightTraining = Exercise{
	ID: "10.4b",
	Question: Text{
		EN: "Trained at night, when a GPU second costs a third: after how many queries has it paid back (training as long as in the paper)?",
		ZH: "改在夜间训练，GPU·秒的价格只有白天的三分之一：多少次查询回本（训练时长与论文相同）？",
	},
	Answer:    payback(training{1, 1. / 3}),
	Tolerance: 0.03,
	Slips: []Slip{
		{Value: payback(training{10, 1. / 3}), Hint: Text{
			EN: "that is night and ten times cheaper at once. Here it is night alone.",
			ZH: "这是夜间和便宜十倍叠加的结果。这里只算夜间。"}},
		{Value: payback(training{1, 3}), Hint: Text{
			EN: "a third of the price, not three times it.",
			ZH: "是价格的三分之一，不是三倍。"}},
		{Value: payback(training{1, 2. / 3}), Hint: Text{
			EN: "it costs a third, it is not cheaper by a third.",
			ZH: "是只花三分之一，不是便宜三分之一。"}},
	},
	Hints: []Text{
		{EN: "count training at the price of the GPU seconds that answer queries by day.", ZH: "把训练折算成白天回答查询的 GPU·秒价格。"},
		{EN: "14,400 GPU seconds count as 4,800: a third of 8,900.", ZH: "14,400 GPU·秒只当 4,800 算：8,900 的三分之一。"},
	},
}

var weeklyTraining = Exercise{
	ID: "10.4c",
	Question: Text{
		EN: "The document changes twice a week, and each time the cartridge is trained anew, at night and ten times cheaper. How many queries a week does that need at least?",
		ZH: "文档每周更新两次，每次都要重训；训练放在夜间，并且便宜十倍。每周至少要多少次查询才划算？",
	},
	Answer: func() (float64, error) {
		n, err := payback(training{10, 1. / 3})()
		return 2 * n, err
	},
	Tolerance: 0.03,
	Slips: []Slip{
		{Value: payback(training{10, 1. / 3}), Hint: Text{
			EN: "that pays back one training. How many are there in a week?",
			ZH: "这只够一次训练回本。一周有几次？"}},
		{Value: func() (float64, error) { n, err := payback(usual)(); return 2 * n, err }, Hint: Text{
			EN: "that is two trainings at the paper's cost, by day.",
			ZH: "这是按论文成本、白天价格算的两次训练。"}},
		{Value: payback(usual), Hint: Text{
			EN: "that is one training a week at the paper's cost, the lecture's own question. Here training is cheaper and comes twice.",
			ZH: "这是每周按论文成本重训一次，即讲义原来的题目。这里训练更便宜，但每周两次。"}},
	},
	Hints: []Text{
		{EN: "each training has to be paid back before the next one.", ZH: "每次训练都要在下一次之前回本。"},
		{EN: "8,900 / 10 / 3 for one training.", ZH: "一次训练是 8,900 / 10 / 3。"},
	},
}

// logits are attention logits of the lecture's toy, beta times a product.
type logits struct {
	own    float64 // mean, of a question with its own key
	other  float64 // root mean square, with the key of another fact
	random float64 // root mean square, with a slot of standard normal numbers
}

var toyLogits = sync.OnceValues(func() (logits, error) {
	const facts, dims, seed = 512, 64, random.Seed(0)
	wrap := func(err error) (logits, error) { return logits{}, fmt.Errorf("exercise: %w", err) }
	text, err := cartridge.NewCorpus(facts, dims, seed.Stream("exercise", "corpus"))
	if err != nil {
		return wrap(err)
	}
	ask, err := text.Rephrased(1, cartridge.DefaultDistance, cartridge.Anyhow, seed.Stream("exercise", "ask"))
	if err != nil {
		return wrap(err)
	}
	slots, err := cartridge.RandomVectors(text, facts, false, seed.Stream("exercise", "slots"))
	if err != nil {
		return wrap(err)
	}
	var l logits
	beta := cartridge.DefaultModel().Beta
	for i := range facts {
		for j := range facts {
			x := beta * inner(ask.Q.Row(i), text.K.Row(j))
			if i == j {
				l.own += x / facts
			} else {
				l.other += x * x / (facts * (facts - 1))
			}
			y := beta * inner(ask.Q.Row(i), slots.K.Row(j))
			l.random += y * y / (facts * facts)
		}
	}
	l.other, l.random = math.Sqrt(l.other), math.Sqrt(l.random)
	return l, nil
})

func inner(a, b []float32) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

func logit(of func(logits) float64) func() (float64, error) {
	return func() (float64, error) {
		l, err := toyLogits()
		return of(l), err
	}
}

var logitOfToken = Exercise{
	ID: "10.6a",
	Question: Text{
		EN: "The attention logits are 20 q·k. A slot starts as a real token: a key of length 1 in 64 dimensions. What is the logit of a question with its own key, in other words, cosine about 0.96?",
		ZH: "注意力的 logit 是 20 q·k。槽位用真实 token 初始化：64 维、长度为 1 的 key。换了说法的问题（余弦约 0.96）与它自己的 key 的 logit 是多少？",
	},
	Answer:    logit(func(l logits) float64 { return l.own }),
	Tolerance: 0.02,
	Slips: []Slip{
		{Value: one(cartridge.DefaultModel().Beta), Hint: Text{
			EN: "that would be a question in the words of the text, cosine 1.",
			ZH: "这是用原文提问时的值，余弦为 1。"}},
		{Value: logit(func(l logits) float64 { return l.other }), Hint: Text{
			EN: "that is how large the logits with other keys are, 20/√64. With its own?",
			ZH: "这是与其他 key 的 logit 的大小，20/√64。与自己的呢？"}},
		{Value: logit(func(l logits) float64 { return l.own / cartridge.DefaultModel().Beta }), Hint: Text{
			EN: "that is the cosine. Times the factor of 20?",
			ZH: "这是余弦。乘上系数 20 呢？"}},
	},
	Hints: []Text{
		{EN: "both have length 1, so that the product is the cosine.", ZH: "两者长度都是 1，点积就是余弦。"},
		{EN: "20 times 0.96.", ZH: "20 乘 0.96。"},
	},
}

var logitOfRandom = Exercise{
	ID: "10.6b",
	Question: Text{
		EN: "And a slot of 64 standard normal numbers: how large is the logit of a question with it, typically (its standard deviation; the mean is 0)?",
		ZH: "如果槽位是 64 个标准正态随机数：一个问题与它的 logit 一般有多大（标准差；均值为 0）？",
	},
	Answer:    logit(func(l logits) float64 { return l.random }),
	Tolerance: 0.05,
	Slips: []Slip{
		{Value: logit(func(l logits) float64 { return l.other }), Hint: Text{
			EN: "that holds for a key of length 1. How long is a vector of 64 standard normal numbers?",
			ZH: "这适用于长度为 1 的 key。64 个标准正态数组成的向量有多长？"}},
		{Value: one(20 * 8), Hint: Text{
			EN: "that is the factor times its length, as if the question pointed exactly its way. A random direction has a cosine of about 1/√64.",
			ZH: "这是系数乘以它的长度，好像问题正好指向它。随机方向的余弦大约是 1/√64。"}},
		{Value: one(8), Hint: Text{
			EN: "that is its length. The logit is the factor times length times cosine.",
			ZH: "这是它的长度。logit 是系数 × 长度 × 余弦。"}},
		{Value: one(1), Hint: Text{
			EN: "that is the product q·k. Times the factor?",
			ZH: "这是点积 q·k。乘上系数呢？"}},
	},
	Hints: []Text{
		{EN: "length about √64, cosine with a random direction about 1/√64.", ZH: "长度约 √64，与随机方向的余弦约 1/√64。"},
		{EN: "the two roots cancel, and the factor of the logits is left.", ZH: "两个根号相互抵消，剩下的是 logit 的系数。"},
	},
}
