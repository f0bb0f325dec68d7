package exercise

import (
	"fmt"
	"sync"

	"memlab/pkg/rollout"
)

// slowest is a batch in which one answer is longer than all others.
type slowest struct{ replicas, answers, usual, long int }

// waited is a batch that has been run.
type waited struct {
	setup   rollout.Setup
	outcome rollout.Outcome
}

var waits sync.Map // of functions, by slowest

// wait runs it once.
func (w slowest) wait() (waited, error) {
	found, _ := waits.LoadOrStore(w, sync.OnceValues(w.run))
	return found.(func() (waited, error))()
}

// run runs it on Llama-3-8B, one H100 per replica; prompts are prefilled already.
func (w slowest) run() (waited, error) {
	e, err := lectureEngine()
	if err != nil {
		return waited{}, err
	}
	s, err := rollout.DefaultSetup(e)
	if err != nil {
		return waited{}, err
	}
	s.Prompts, s.Samples, s.Replicas, s.Slots = w.replicas, w.answers, w.replicas, w.answers
	s.Speed.PrefillToken, s.Speed.PrefillPair, s.Score, s.Train = 0, 0, 0, 0
	lengths := make([][]int, w.replicas)
	for p := range lengths {
		for range w.answers {
			lengths[p] = append(lengths[p], w.usual)
		}
	}
	lengths[0][0] = w.long
	o, err := rollout.Wait(s, lengths)
	return waited{s, o}, err
}

func (w slowest) of(f func(rollout.Setup, rollout.Outcome) float64) func() (float64, error) {
	return func() (float64, error) {
		ran, err := w.wait()
		if err != nil {
			return 0, fmt.Errorf("exercise: %w", err)
		}
		return f(ran.setup, ran.outcome), nil
	}
}

func waitingForOne(n numbers) Exercise {
	w := slowest{
		replicas: pick(n, 8, 4, 6, 16), answers: pick(n, 128, 96, 112),
		usual: pick(n, 2000, 1500, 1800, 2200), long: pick(n, 16_000, 12_000, 20_000, 24_000),
	}
	idle := func(_ rollout.Setup, o rollout.Outcome) float64 { return 100 * o.IdleShare() }
	return Exercise{
		ID: "12.1", Unit: "%",
		Question: both(
			"%d replicas (Llama-3-8B, one H100 each) generate %d answers each to prompts of %d tokens. All answers have %s tokens but one, which has %s. What percentage of the GPU seconds until its last token is idle? (Count decoding only.)",
			"%d 个副本（Llama-3-8B，每个一块 H100）各生成 %d 个回答，提示词 %d token。所有回答都是 %s token，只有一个是 %s。到它的最后一个 token 为止，GPU·秒有百分之几是空闲的？（只算 decode。）",
			w.replicas, w.answers, 500, count(w.usual), count(w.long)),
		Answer:    w.of(idle),
		Tolerance: 0.01,
		Slips: []Slip{
			{Value: w.of(func(s rollout.Setup, o rollout.Outcome) float64 {
				return 100 * float64(s.Replicas-1) / float64(s.Replicas) * float64(w.long-w.usual) / float64(w.long)
			}), Hint: Text{
				EN: "that counts steps. A step with the full batch takes longer than a step with one answer: count seconds.",
				ZH: "你数的是步数。满批的一步比只有一个回答的一步慢：要按秒算。"}},
			{Value: w.of(func(_ rollout.Setup, o rollout.Outcome) float64 { return 100 * (1 - o.Half/o.Generation) }), Hint: Text{
				EN: "that is how long everybody waits. One replica is at work all the time.",
				ZH: "这是大家等待的时间占比。有一个副本一直在干活。"}},
			{Value: w.of(func(_ rollout.Setup, o rollout.Outcome) float64 { return 100 * (1 - o.IdleShare()) }), Hint: Text{
				EN: "that is the part that is busy.", ZH: "这是忙的那部分。"}},
		},
		Hints: []Text{
			{EN: "two phases: all replicas decode a full batch; then one decodes one answer and the others wait.", ZH: "分两段：先是所有副本都在 decode 满批；然后一个副本 decode 一个回答，其余的都在等。"},
			{EN: "setup.Speed.Step(batch, context) is the time of one step; the context of all answers together grows by one token per answer and step.", ZH: "setup.Speed.Step(batch, context) 是一步的时间；context 是批里所有回答的总长，每步每个回答加一。"},
			{EN: "or let rollout.Wait do it: lengths by hand, Score and Train at 0, and IdleShare of the outcome.", ZH: "或者交给 rollout.Wait：自己写长度，Score 和 Train 设为 0，取结果的 IdleShare。"},
		},
	}
}
