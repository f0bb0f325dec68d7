package exercise

import (
	"fmt"
	"sync"

	"memlab/pkg/claims"
	"memlab/pkg/experiments/sincethen"
)

// sleepBill prices a sleep for the exercises.
func sleepBill(s sincethen.Sleep, of func(sincethen.SleepBill) float64) func() (float64, error) {
	return func() (float64, error) {
		e, err := lectureEngine()
		if err != nil {
			return 0, fmt.Errorf("exercise: %w", err)
		}
		b, err := s.Bill(e)
		if err != nil {
			return 0, fmt.Errorf("exercise: %w", err)
		}
		return of(b), nil
	}
}

func sleepBreakEven(n numbers) Exercise {
	s := sincethen.DefaultSleep()
	s.Less = pick(n, 2.0, 1.5, 2.5, 3)
	s.Price = 1 / pick(n, 10.0, 4, 5, 8)
	return Exercise{
		ID: "7.1",
		Question: Text{
			EN: fmt.Sprintf("Questions are hard to foresee: after the night only %.3g times less is thought. But an idle GPU second costs 1/%.3g. After how many questions has the night paid back?", s.Less, 1/s.Price),
			ZH: fmt.Sprintf("问题很难预料：想过一夜之后，每问只少想到 1/%.3g；但闲时的 GPU·秒只要 1/%.3g 的价。问多少个问题，这一夜才回本？", s.Less, 1/s.Price),
		},
		Answer:    sleepBill(s, func(b sincethen.SleepBill) float64 { return b.Questions }),
		Tolerance: 0.02,
		Slips: []Slip{
			{Value: sleepBill(s, func(b sincethen.SleepBill) float64 { return b.Night / b.Awake }), Hint: Text{
				EN: "that divides by what a question costs without the night. After it, a question still costs something.",
				ZH: "你除的是没有这一夜时一问的花费。想过之后，一问仍然要花钱。"}},
			{Value: sleepBill(s, func(b sincethen.SleepBill) float64 { return b.Questions / b.Spec.Price }), Hint: Text{
				EN: "the night is to be paid at its own price.", ZH: "夜里的 GPU·秒要按夜里的价算。"}},
		},
		Hints: []Text{
			{EN: "a bill has three numbers: Night, Awake and After.", ZH: "账单上有三个数：Night、Awake、After。"},
			{EN: "what does one question save?", ZH: "一个问题省下多少？"},
			{EN: "night / (awake - after). Set Less and Price of the sleep, and take its Bill.", ZH: "夜 ÷（没想过的一问 − 想过的一问）。改 sleep 的 Less 和 Price，再取它的 Bill。"},
		},
	}
}

func stateInTokens(n numbers) Exercise {
	query := pick(n, 64, 24, 40, 48)
	kv := pick(n, 8, 4, 2)
	size := pick(n, 128, 64, 256)
	answer := func(x float64) func() (float64, error) { return func() (float64, error) { return x, nil } }
	tokens := float64(query) * float64(size) / float64(2*kv)
	return Exercise{
		ID: "7.2",
		Question: Text{
			EN: fmt.Sprintf("A layer of another model has %d query heads and %d KV heads of %d numbers. Linear attention would keep a %d × %d matrix for each query head. The KV cache of how many tokens is as large as that?", query, kv, size, size, size),
			ZH: fmt.Sprintf("另一个模型的一层有 %d 个查询头、%d 个 KV 头，每头 %d 维。换成线性注意力，每个查询头留一个 %d × %d 的矩阵。它和多少个 token 的 KV cache 一样大？", query, kv, size, size, size),
		},
		Unit:      "tokens",
		Answer:    answer(tokens),
		Tolerance: 0.005,
		Slips: []Slip{
			{Value: answer(2 * tokens), Hint: Text{EN: "a token leaves a key and a value.", ZH: "一个 token 留下一个键和一个值。"}},
			{Value: answer(float64(size) / 2), Hint: Text{EN: "the matrices belong to query heads, the cache to KV heads, and there are fewer of these.", ZH: "矩阵是每个查询头一个，缓存是每个 KV 头一份，后者更少。"}},
		},
		Hints: []Text{
			{EN: "count numbers, not bytes: both are stored alike.", ZH: "数“数”就行，不用数字节：两边的格式一样。"},
			{EN: "state: query heads x dimension x dimension.", ZH: "状态：查询头数 × 维数 × 维数。"},
			{EN: "one token: 2 x KV heads x dimension. Divide.", ZH: "一个 token：2 × KV 头数 × 维数。相除。"},
		},
	}
}

// missedByOneSeed is how many rows one seed misses on the mean: the sum over rows of the
// share of seeds that miss it. The stored results are read once.
var missedByOneSeed = sync.OnceValues(func() (float64, error) {
	board, err := claims.StoredScoreboard()
	if err != nil {
		return 0, fmt.Errorf("exercise: %w", err)
	}
	missed := 0.0
	for _, a := range board.Alone {
		missed += 1 - a.Share
	}
	return missed, nil
})

func rowsMissed(numbers) Exercise {
	return Exercise{
		ID: "8.1",
		Question: Text{
			EN: "Somebody computes every row with one seed only. How many rows do they miss on the mean, of those over several seeds?",
			ZH: "有人每一行都只用一个种子来算。在多种子的那些行里，他平均有多少行过不了？",
		},
		Answer:    missedByOneSeed,
		Tolerance: 0.03,
		Hints: []Text{
			{EN: "a row that 90% of seeds pass is missed by one in ten.", ZH: "90% 的种子能过的一行，十个种子里有一个过不了。"},
			{EN: "the mean number of misses is the sum of the rows' shares of misses, whether the rows hang together or not.", ZH: "不管各行之间有没有关联，平均漏掉的行数都等于各行漏掉比例之和。"},
			{EN: "board.Alone lists the rows: add up 1 - Share. Or: drawn rows x (1 - mean share).", ZH: "board.Alone 列出了各行：把 1 − Share 加起来。或者：行数 ×（1 − 平均比例）。"},
		},
	}
}
