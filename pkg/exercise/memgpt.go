package exercise

import (
	"fmt"
	"sync"

	"memlab/pkg/experiments/session"
)

// evictPrefill returns the thousands of tokens that evictions of a share of
// the window cause, as the mean over a few sessions. They are played once.
func evictPrefill(share float64) func() (float64, error) {
	return sync.OnceValues(func() (float64, error) {
		const seeds = 10
		p := session.DefaultParameters()
		set := p.Setting()
		set.Evict = share
		var sum float64
		for seed := range seeds {
			s, err := session.Run(p, seed, set)
			if err != nil {
				return 0, fmt.Errorf("session %d: %w", seed, err)
			}
			f, err := s.Figures(false)
			if err != nil {
				return 0, fmt.Errorf("session %d: %w", seed, err)
			}
			sum += float64(f.EvictPrefill)
		}
		return sum / seeds / 1e3, nil
	})
}

var evictionsAtTenPercent = Exercise{
	ID: "10.3",
	Question: Text{
		EN: "When one eviction removes 10% of the window, how many thousand tokens of a session are prefilled because of evictions alone? (an estimate within 15% will do)",
		ZH: "每次移出窗口的 10% 时，一次会话里单单因为移出而重算的 prefill 有多少千 token？（误差 15% 以内即可）",
	},
	Unit:      "thousand tokens",
	Answer:    evictPrefill(0.10),
	Tolerance: 0.15,
	Slips: []Slip{{Value: evictPrefill(0.50), Hint: Text{
		EN: "that is for 50%. At 10% there are more evictions, and each leaves more behind.",
		ZH: "这是 50% 的数。10% 时移出得更频繁，每次留下的也更多。"}}},
	Hints: []Text{
		{EN: "evictions times what has to be computed again after one of them. The table has the first factor.", ZH: "移出次数乘以每次移出后要重算的长度。前一个因子在表里。"},
		{EN: "an eviction changes the summary, so what stands before it survives: the instructions (1,000 tokens) and the working context (about 700).", ZH: "移出会改写摘要，所以摘要之前的保得住：系统指令（1,000 token）和工作上下文（约 700）。"},
		{EN: "a nearly full window of 8,000, minus what stands before the summary, minus the tenth that has left.", ZH: "将满的 8,000 窗口，减去摘要之前的，再减去刚移走的那十分之一。"},
	},
}
