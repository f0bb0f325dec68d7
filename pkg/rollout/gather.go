package rollout

import (
	"cmp"
	"math"
	"slices"
)

// Gathering says when the tail moves, and where to.
type Gathering struct {
	// Left is the share of answers that are not done when it moves.
	Left float64 `json:"left"`
	// Onto is the number of replicas that go on generating.
	Onto int `json:"onto"`
}

// Gather moves the last answers onto few replicas, so that the others are free
// for scoring and training (stages) earlier. The replicas with most left to do
// stay; each answer moves, with its KV, at the end of the step in which the
// others have become few enough, to the one with the fewest answers, and joins
// it as soon as its KV has arrived. A replica sends its answers one by one.
func Gather(s Setup, lengths [][]int, stages Stages, g Gathering) (Outcome, error) {
	if err := stages.check(); err != nil {
		return Outcome{}, err
	}
	if err := s.checkBatch(lengths, s.Samples); err != nil {
		return Outcome{}, err
	}
	if err := share("left", g.Left); err != nil {
		return Outcome{}, err
	}
	if g.Onto < 1 || g.Onto > s.Replicas {
		return Outcome{}, bad("onto", g.Onto, "replicas from 1 to all of them")
	}
	return s.gather(s.generate(lengths, 0), stages, g), nil
}

// BestGather is the Gather, or the Overlap, that ends the iteration first, and
// the setting that does so (Onto: all replicas where nothing moves). It knows
// the lengths beforehand, so that it bounds what any rule can reach.
func BestGather(s Setup, lengths [][]int, stages Stages) (Outcome, Gathering, error) {
	best, err := Overlap(s, lengths, stages)
	if err != nil {
		return Outcome{}, Gathering{}, err
	}
	setting := Gathering{Onto: s.Replicas}
	plain := s.generate(lengths, 0)
	for onto := 1; onto < s.Replicas; onto *= 2 {
		for _, left := range []float64{0.02, 0.05, 0.1, 0.2, 0.3} {
			g := Gathering{Left: left, Onto: onto}
			if o := s.gather(plain, stages, g); o.Iteration < best.Iteration {
				best, setting = o, g
			}
		}
	}
	return best, setting, nil
}

// gather is plain generation up to the move, and what comes after it.
func (s Setup) gather(plain iteration, stages Stages, g Gathering) Outcome {
	var done []float64
	for _, c := range plain.courses {
		done = append(done, c.done...)
	}
	slices.Sort(done)
	kept := len(done) - int(g.Left*float64(len(done)))
	when := 0.0
	if kept > 0 {
		when = done[kept-1]
	}
	left := make([]int, s.Replicas) // answers of each replica that are not done by then
	for r, c := range plain.courses {
		for _, t := range c.done {
			if t > when {
				left[r]++
			}
		}
	}
	order := make([]int, s.Replicas)
	for r := range order {
		order[r] = r
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(left[b], left[a]) })
	stay := order[:g.Onto]

	it := plain
	it.jobs, it.courses, it.free = slices.Clone(plain.jobs), slices.Clone(plain.courses), slices.Clone(plain.free)
	moved := 0
	for _, r := range order[g.Onto:] {
		if left[r] == 0 {
			continue
		}
		before := run(s.Speed, s.Slots, plain.jobs[r], 0, when)
		it.courses[r], it.free[r] = before, before.end
		at := before.end
		for k, j := range plain.jobs[r] {
			n := before.generated[k]
			if n == j.left {
				continue
			}
			j.prefill = 0
			if n > 0 {
				moved += j.have + n
				at += float64(j.have+n) * s.Move
			} else {
				j.prefill = s.Speed.Prefill(j.have) // it never started: there is no KV to send
			}
			j.at, j.have, j.left = at, j.have+n, j.left-n
			to := slices.MinFunc(stay, func(a, b int) int { return cmp.Compare(left[a], left[b]) })
			left[to]++
			it.jobs[to] = append(slices.Clone(it.jobs[to]), j)
		}
	}
	for _, r := range stay {
		slices.SortStableFunc(it.jobs[r], func(a, b job) int { return cmp.Compare(a.at, b.at) })
		it.courses[r] = run(s.Speed, s.Slots, it.jobs[r], 0, math.Inf(1))
		it.free[r] = it.courses[r].end
	}
	o := it.outcome(stages)
	o.Moved = moved
	return o
}
