package rollout

import "math"

// An iteration is generation as it went, before the later stages.
type iteration struct {
	Setup
	jobs    [][]job // per replica
	courses []course
	free    []float64 // per replica: seconds at which generation is through with it
}

// outcome adds the later stages to generation.
func (it iteration) outcome(stages Stages) Outcome {
	o := Outcome{Iterations: 1}
	var done []float64
	var tasks []task
	groups, tokens := make([]float64, it.Prompts), make([]int, it.Prompts)
	for r, jobs := range it.jobs {
		c := it.courses[r]
		o.Generation = max(o.Generation, c.end)
		o.Peak = max(o.Peak, c.peak)
		for k, j := range jobs {
			o.Generated += c.generated[k]
			if math.IsNaN(c.done[k]) {
				continue
			}
			// What came before the job moved here counts as well.
			length := j.have + j.left - it.PromptTokens
			if length == it.Lengths.Cap {
				o.AtCap++
			}
			done = append(done, c.done[k])
			o.Samples++
			o.Trained += length
			groups[j.group] = max(groups[j.group], c.done[k])
			tokens[j.group] += length
			tasks = append(tasks, task{c.done[k], float64(length) * it.Score})
		}
	}
	o.Thrown = o.Generated - o.Trained
	o.quantiles(done)

	free := it.free
	if stages == Apart {
		free = make([]float64, it.Replicas)
		for r := range free {
			free[r] = o.Generation
		}
	}
	if stages == Training {
		for p, at := range groups {
			tasks = append(tasks, task{at, float64(tokens[p]) * it.Train})
		}
	}
	end, learned := learn(free, tasks)
	if stages != Training {
		rest := float64(o.Trained) * it.Train / float64(it.Replicas)
		end += rest
		for r := range learned {
			learned[r] += rest
		}
	}
	o.Iteration = end
	for r, c := range it.courses {
		many := min(nineTenths(c), c.busy)
		idle := end - c.busy - learned[r]
		if math.Abs(idle) < 1e-9*end {
			idle = 0 // the rounding of three sums, not time
		}
		o.Replicas = append(o.Replicas, Span{Many: many, Few: c.busy - many, Learn: learned[r], Waited: idle})
		o.Busy += c.busy + learned[r]
		o.Idle += idle
		o.Waiting += o.Generation - c.busy
	}
	if stages != Apart {
		o.Waiting = o.Idle // all idle time is before the last token: later, no replica is without work
	}
	o.warnRoom(it.Setup)
	return o
}

// generate runs every replica to its end.
func (s Setup) generate(lengths [][]int, keep int) iteration {
	it := iteration{Setup: s, jobs: s.jobs(lengths)}
	for _, jobs := range it.jobs {
		c := run(s.Speed, s.Slots, jobs, keep, math.Inf(1))
		it.courses = append(it.courses, c)
		it.free = append(it.free, c.end)
	}
	return it
}
