package exercise

import (
	"fmt"
	"math"
	"sync"

	"memlab/pkg/experiments/session"
)

// evicting is a session whose window loses a share at each eviction.
type evicting struct {
	share  float64
	window int
}

func evictingOf(n numbers) evicting {
	return evicting{
		share:  pick(n, 0.10, 0.08, 0.12, 0.15, 0.20, 0.25, 0.30),
		window: pick(n, 8_000, 7_000, 9_000, 10_000, 12_000),
	}
}

func (v evicting) parameters() session.Parameters {
	p := session.DefaultParameters()
	p.Window = v.window
	return p
}

// prefill is the thousands of tokens that evictions cause, as the mean over a few
// sessions. They are played once.
func (v evicting) prefill() (float64, error) {
	found, _ := played.LoadOrStore(v, sync.OnceValues(func() (float64, error) {
		const seeds = 10
		p := v.parameters()
		set := p.Setting()
		set.Evict = v.share
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
	}))
	return found.(func() (float64, error))()
}

var played sync.Map // of functions, by evicting

func evictionPrefill(n numbers) Exercise {
	v := evictingOf(n)
	p := v.parameters()
	half := evicting{0.50, v.window}
	var evictions float64
	if e, err := p.Estimate(v.share); err == nil {
		evictions = e.Evictions // if not, Answer says why
	}
	percent := math.Round(100 * v.share)
	return Exercise{
		ID: "10.3",
		Question: both(
			"When one eviction removes %.0f%% of a window of %s tokens, how many thousand tokens of a session of %d turns are prefilled because of evictions alone? (an estimate within 15%% will do)",
			"窗口 %[2]s token，每次移出其中的 %.0[1]f%%，一次 %[3]d 轮的会话里，单单因为移出而重算的 prefill 有多少千 token？（误差 15%% 以内即可）",
			percent, count(v.window), p.Turns),
		Unit:      "thousand tokens",
		Answer:    v.prefill,
		Tolerance: 0.15,
		Slips: []Slip{
			{Value: half.prefill, Hint: both(
				"that is for 50%%. At %.0f%% there are more evictions, and each leaves more behind.",
				"这是 50%% 的数。%.0f%% 时移出得更频繁，每次留下的也更多。", percent)},
			{Value: one(evictions * v.share * float64(v.window) / 1e3), Hint: Text{
				EN: "that is what leaves. What stays behind the changed summary has to be computed again.",
				ZH: "这是移走的部分。要重算的是留下来、排在被改写的摘要之后的部分。"}},
			{Value: one(evictions * float64(v.window) / 1e3), Hint: Text{
				EN: "that is the whole window each time. Some of it has left, and some stands before the change.",
				ZH: "这是每次都重算整个窗口。其中一部分已经移走，还有一部分排在改动之前。"}},
		},
		Hints: []Text{
			both("evictions, about %.0f of them here, times what has to be computed again after one.",
				"移出次数（这里约 %.0f 次）乘以每次移出后要重算的长度。", evictions),
			both("an eviction changes the summary, so what stands before it survives: the instructions (%s tokens) and the working context (about 700).",
				"移出会改写摘要，所以摘要之前的保得住：系统指令（%s token）和工作上下文（约 700）。", count(p.System)),
			both("a nearly full window of %s, minus what stands before the summary, minus the %.0f%% that have just left.",
				"将满的 %s 窗口，减去摘要之前的，再减去刚移走的那 %.0f%%。", count(v.window), percent),
		},
	}
}
