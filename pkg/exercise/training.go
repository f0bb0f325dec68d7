package exercise

import (
	"fmt"

	"memlab/pkg/costmodel"
)

// training is how the exercise's cartridge differs from the paper's.
type training struct {
	document       int     // tokens
	cheaper, parts float64 // so many times cheaper, at one part in so many of the price
}

// sometimes is the training that a student looks at, and how often a week.
type sometimes struct {
	training
	weekly float64
}

func trainingOf(n numbers) sometimes {
	return sometimes{
		training{
			document: pick(n, context128k, 64_000, 72_000, 80_000, 96_000, 100_000, 112_000),
			cheaper:  pick(n, 10., 4, 5, 6, 8, 12, 15, 20),
			parts:    pick(n, 3., 4, 5, 6, 8),
		},
		pick(n, 2., 3, 4, 5, 7),
	}
}

// as is the document with another training.
func (t training) as(cheaper, parts float64) training { return training{t.document, cheaper, parts} }

// payback is after how many queries a cartridge of the document has paid back
// against in-context learning whose KV is kept, on one H100.
func (t training) payback() (float64, error) {
	e, err := lectureEngine()
	if err != nil {
		return 0, err
	}
	c := costmodel.PaperCartridge(t.document)
	c.TrainingGPUSeconds /= t.cheaper
	c.TrainingPrice = 1 / t.parts
	b, err := e.BreakEven(c, e.Params().Question, e.Params().Output)
	if err != nil {
		return 0, fmt.Errorf("exercise: %w", err)
	}
	return b.Cached.Queries, nil
}

// times is a multiple of the break-even.
func (t training) times(x float64) func() (float64, error) {
	return func() (float64, error) { n, err := t.payback(); return x * n, err }
}

// stated is the break-even as the question states it: with the paper's training.
func (t training) stated() string {
	n, err := t.as(1, 1).payback()
	if err != nil {
		return "?" // Answer says what is wrong
	}
	return count(about(n))
}

func cheaperTraining(n numbers) Exercise {
	t := trainingOf(n)
	return Exercise{
		ID: "10.4a",
		Question: both(
			"A cartridge of a document of %s tokens pays back after some %s queries against a KV that is kept. After how many, if training were %.0f times cheaper?",
			"%s token 的文档，cartridge 对“KV 已缓存的 ICL”约 %s 次查询回本。如果训练成本降到 1/%.0f，多少次回本？",
			count(t.document), t.stated(), t.cheaper),
		Answer:    t.as(t.cheaper, 1).payback,
		Tolerance: 0.03,
		Slips: []Slip{
			{Value: t.as(1, 1).payback, Hint: Text{
				EN: "that is the training as the paper has it. What becomes of the quotient if its numerator shrinks?",
				ZH: "这是论文原来的训练成本。分子变小，商会怎样？"}},
			{Value: t.as(1/t.cheaper, 1).payback, Hint: Text{
				EN: "cheaper training pays back earlier, not later.",
				ZH: "训练便宜了，回本更早，不是更晚。"}},
		},
		Hints: []Text{
			{EN: "break-even = cost of training / what a query saves. Which of the two has changed?", ZH: "回本点 = 训练成本 / 每次查询省下的成本。哪一个变了？"},
			both("only the numerator: %s / %.0f.", "只有分子变了：%s / %.0f。", t.stated(), t.cheaper),
		},
	}
}

func nightTraining(n numbers) Exercise {
	t := trainingOf(n)
	trained := costmodel.PaperCartridge(t.document).TrainingGPUSeconds
	return Exercise{
		ID: "10.4b",
		Question: both(
			"Trained at night, when a GPU second costs 1/%.0f of its price by day: after how many queries has it paid back (training as long as in the paper)?",
			"改在夜间训练，GPU·秒的价格只有白天的 1/%.0f：多少次查询回本（训练时长与论文相同）？", t.parts),
		Answer:    t.as(1, t.parts).payback,
		Tolerance: 0.03,
		Slips: []Slip{
			{Value: t.as(t.cheaper, t.parts).payback, Hint: Text{
				EN: "that is night and cheaper training at once. Here it is night alone.",
				ZH: "这是夜间和训练便宜叠加的结果。这里只算夜间。"}},
			{Value: t.as(1, 1/t.parts).payback, Hint: both(
				"1/%.0f of the price, not %.0[1]f times it.", "是价格的 1/%.0f，不是 %.0[1]f 倍。", t.parts)},
			{Value: t.as(1, t.parts/(t.parts-1)).payback, Hint: both(
				"it costs 1/%.0f, it is not cheaper by 1/%.0[1]f.", "是只花 1/%.0f，不是便宜 1/%.0[1]f。", t.parts)},
		},
		Hints: []Text{
			{EN: "count training at the price of the GPU seconds that answer queries by day.", ZH: "把训练折算成白天回答查询的 GPU·秒价格。"},
			both("%s GPU seconds count as %s: the break-even shrinks as much.", "%s GPU·秒只当 %s 算：回本点按同样的比例缩小。",
				count(trained), count(trained/t.parts)),
		},
	}
}

func weeklyTraining(n numbers) Exercise {
	t := trainingOf(n)
	best := t.as(t.cheaper, t.parts)
	return Exercise{
		ID: "10.4c",
		Question: both(
			"The document changes %.0f times a week, and each time the cartridge is trained anew, at night and cheaper, as in (a) and (b). How many queries a week does that need at least?",
			"文档每周更新 %.0f 次，每次都要重训；训练放在夜间，成本也像 (a) 那样降低。每周至少要多少次查询才划算？", t.weekly),
		Answer:    best.times(t.weekly),
		Tolerance: 0.03,
		Slips: []Slip{
			{Value: best.payback, Hint: Text{
				EN: "that pays back one training. How many are there in a week?",
				ZH: "这只够一次训练回本。一周有几次？"}},
			{Value: t.as(1, 1).times(t.weekly), Hint: Text{
				EN: "that is every training at the paper's cost, by day.",
				ZH: "这是按论文成本、白天价格算的。"}},
			{Value: t.as(1, 1).payback, Hint: Text{
				EN: "that is one training a week at the paper's cost, the lecture's own question. Here training is cheaper and comes more often.",
				ZH: "这是每周按论文成本重训一次，即讲义原来的题目。这里训练更便宜，但次数更多。"}},
		},
		Hints: []Text{
			{EN: "each training has to be paid back before the next one.", ZH: "每次训练都要在下一次之前回本。"},
			both("%s / %.0f / %.0f for one training.", "一次训练是 %s / %.0f / %.0f。", t.stated(), t.cheaper, t.parts),
		},
	}
}
