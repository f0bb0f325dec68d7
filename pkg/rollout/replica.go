package rollout

import (
	"container/heap"
	"math"
	"sort"
)

// A job is one answer, or what is left of it, as a replica gets it.
type job struct {
	id      int     // its number among the answers to its prompt
	group   int     // its prompt, by which answers of it are counted
	at      float64 // seconds at which it arrives
	have    int     // tokens of context that come with it: prompt and answer so far
	left    int     // tokens to generate
	prefill float64 // seconds that it keeps the replica from decoding
}

// A course is what a replica did with its jobs.
type course struct {
	done      []float64 // per job: seconds at which its last token came, NaN if it did not
	generated []int     // per job: tokens
	end       float64   // seconds at which it ran dry, or was stopped
	busy      float64   // seconds of prefill and decode until then
	peak      int       // tokens of context held at once
}

// run moves a replica from event to event: a job arrives, a job is done. Jobs
// are sorted by arrival and wait in that order while slots are taken. They join
// at the end of a step, as in continuous batching. Where keep is above 0, only
// so many answers of each group are wanted, and the others are broken off at
// the end of the step in which these are done. The replica stops at the first
// end of a step that is not before until.
func run(s Speed, slots int, jobs []job, keep int, until float64) course {
	r := replica{Speed: s, jobs: jobs, keep: keep, course: course{
		done: make([]float64, len(jobs)), generated: make([]int, len(jobs)),
	}}
	for i := range r.done {
		r.done[i] = math.NaN()
	}
	r.finish = make([]int, len(jobs))
	if keep > 0 {
		r.kept = map[int]int{}
	}
	for r.clock < until {
		r.admit(slots)
		if r.clock >= until {
			break
		}
		if len(r.active) == 0 {
			if r.next == len(jobs) {
				break
			}
			r.clock = jobs[r.next].at // nothing to do until then
			continue
		}
		n := r.finish[r.active[0]] - r.now
		limit := until
		if r.next < len(jobs) && len(r.active) < slots {
			limit = min(limit, jobs[r.next].at)
		}
		r.advance(r.until(n, limit))
		r.collect()
	}
	for _, j := range r.active {
		r.generated[j] = r.jobs[j].left - (r.finish[j] - r.now)
	}
	return r.course
}

type replica struct {
	Speed
	course
	jobs   []job
	next   int         // the first job that is not admitted yet
	active []int       // jobs being decoded, a heap by finish
	finish []int       // per job: the step after which it is done
	kept   map[int]int // per group: answers done, nil where all are wanted
	keep   int
	now    int // steps so far
	held   int // tokens of context of the active jobs
	clock  float64
}

// The heap of active jobs: the first to finish on top, ties by arrival.
func (r *replica) Len() int { return len(r.active) }
func (r *replica) Less(i, j int) bool {
	a, b := r.active[i], r.active[j]
	return r.finish[a] < r.finish[b] || r.finish[a] == r.finish[b] && a < b
}
func (r *replica) Swap(i, j int) { r.active[i], r.active[j] = r.active[j], r.active[i] }

// Push and Pop would box an int for every sample; the heap is kept with
// heap.Fix and heap.Init alone.
func (r *replica) Push(any) {}
func (r *replica) Pop() any { return nil }

func (r *replica) admit(slots int) {
	for len(r.active) < slots && r.next < len(r.jobs) && r.jobs[r.next].at <= r.clock {
		j := r.jobs[r.next]
		r.next++
		if r.enough(j.group) {
			continue // enough answers of its prompt came while it waited
		}
		r.clock += j.prefill
		r.busy += j.prefill
		r.end = r.clock
		r.held += j.have
		r.finish[r.next-1] = r.now + j.left
		r.active = append(r.active, r.next-1)
		heap.Fix(r, len(r.active)-1)
	}
	r.peak = max(r.peak, r.held)
}

func (r *replica) enough(group int) bool { return r.keep > 0 && r.kept[group] >= r.keep }

// until is how many of n steps end until one of them ends at limit or later.
func (r *replica) until(n int, limit float64) int {
	if math.IsInf(limit, 1) || r.clock+r.steps(len(r.active), r.held, n) <= limit {
		return n
	}
	return 1 + sort.Search(n-1, func(m int) bool { return r.clock+r.steps(len(r.active), r.held, m+1) >= limit })
}

func (r *replica) advance(n int) {
	took := r.steps(len(r.active), r.held, n)
	r.clock += took
	r.busy += took
	r.end = r.clock
	r.now += n
	r.held += n * len(r.active)
	r.peak = max(r.peak, r.held)
}

// collect takes out what is done after this step, and then what is no longer
// wanted.
func (r *replica) collect() {
	full := false
	for len(r.active) > 0 && r.finish[r.active[0]] == r.now {
		j := r.active[0]
		last := len(r.active) - 1
		r.active[0] = r.active[last]
		r.active = r.active[:last]
		if last > 0 {
			heap.Fix(r, 0)
		}
		r.generated[j] = r.jobs[j].left
		r.held -= r.jobs[j].have + r.jobs[j].left
		if r.enough(r.jobs[j].group) {
			continue // one too many in the same step
		}
		r.done[j] = r.clock
		if r.keep > 0 {
			r.kept[r.jobs[j].group]++
			full = full || r.enough(r.jobs[j].group)
		}
	}
	if !full {
		return
	}
	wanted := r.active[:0]
	for _, j := range r.active {
		if !r.enough(r.jobs[j].group) {
			wanted = append(wanted, j)
			continue
		}
		r.generated[j] = r.jobs[j].left - (r.finish[j] - r.now)
		r.held -= r.jobs[j].have + r.generated[j]
	}
	r.active = wanted
	heap.Init(r)
}
