package rollout

import (
	"cmp"
	"math"
	"slices"
)

// Stages says which of the stages after generation may run while some answers
// are still being generated.
type Stages int

// No stage; the scoring of each answer that is done; that and the training on
// each prompt whose answers are all done, since its advantage is relative to
// their mean. Gradients are summed up, and the weights change at the end.
const (
	Apart Stages = iota
	Scoring
	Training
)

func (s Stages) String() string {
	switch s {
	case Apart:
		return "apart"
	case Scoring:
		return "scoring"
	case Training:
		return "scoring and training"
	}
	return "unknown"
}

func (s Stages) check() error {
	if s < Apart || s > Training {
		return bad("stages", int(s), "Apart, Scoring or Training")
	}
	return nil
}

// A task is work that becomes possible at a time, in replica seconds.
type task struct{ at, work float64 }

// learn does tasks on replicas as they become free, and is never idle while a
// free replica and a possible task exist. Work is a fluid: any number of
// replicas share it evenly. It returns when all is done, not before any of the
// replicas is free, and the seconds that each has worked.
func learn(free []float64, tasks []task) (end float64, worked []float64) {
	slices.SortFunc(tasks, func(a, b task) int { return cmp.Compare(a.at, b.at) })
	order := slices.Sorted(slices.Values(free))
	var now, backlog, each float64 // each: seconds worked by a replica that is free from the start
	since := make([]float64, len(order))
	i, j := 0, 0
	for i < len(order) || j < len(tasks) {
		next := math.Inf(1)
		if i < len(order) {
			next = order[i]
		}
		if j < len(tasks) {
			next = min(next, tasks[j].at)
		}
		if i > 0 {
			done := min(backlog, float64(i)*(next-now))
			backlog -= done
			each += done / float64(i)
		}
		now = next
		for ; i < len(order) && order[i] == now; i++ {
			since[i] = each
		}
		for ; j < len(tasks) && tasks[j].at == now; j++ {
			backlog += tasks[j].work
		}
	}
	rest := backlog / float64(len(order))
	end, each = now+rest, each+rest
	worked = make([]float64, len(free))
	for r, at := range free {
		k, _ := slices.BinarySearch(order, at)
		worked[r] = each - since[k]
	}
	return end, worked
}
