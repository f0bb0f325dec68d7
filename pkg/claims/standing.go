package claims

import (
	"bytes"
	"slices"
)

// freeSets collects the free parameters of experiments. Experiments that were
// stored with the same parameters run under one set, which counts once; of says
// which set each experiment runs under.
func freeSets(experiments []StoredExperiment) (sets []Free, of map[string]int) {
	of = map[string]int{}
	var parameters [][]byte // of each set
	for _, e := range experiments {
		p := compact(e.Parameters)
		i := -1
		if !bytes.Equal(p, []byte("null")) && len(p) > 0 {
			i = slices.IndexFunc(parameters, func(other []byte) bool { return bytes.Equal(other, p) })
		}
		if i < 0 {
			i = len(sets)
			sets, parameters = append(sets, Free{}), append(parameters, p)
		}
		of[e.Name] = i
		sets[i].Experiments = append(sets[i].Experiments, e.Name)
		for _, name := range e.Free {
			if !slices.Contains(sets[i].Parameters, name) {
				sets[i].Parameters = append(sets[i].Parameters, name)
			}
		}
	}
	return sets, of
}

// seen is a computed row with its numbers over all seeds.
type seen struct {
	row        Row
	stored     StoredRow
	experiment StoredExperiment
	parts      []estimate
	alone      int
}

func newSeen(row Row, s StoredRow, e StoredExperiment) *seen {
	parts, alone := estimates(row, &s)
	return &seen{row, s, e, parts, alone}
}

func (s *seen) share() float64 { return float64(s.alone) / float64(len(s.stored.Values)) }

// settled reports whether all of every interval passes. One seed of an experiment
// that draws has no interval and settles nothing.
func (s *seen) settled() bool {
	if len(s.stored.Values) == 1 && !s.experiment.Deterministic {
		return false
	}
	for i, p := range s.parts {
		if !p.passed || !s.row.Judge.settles(i, p.low, p.high) {
			return false
		}
	}
	return true
}

// tally holds counts in the order in which their names came, all of them under
// the same sets of parameters.
type tally struct {
	sets  []Free
	of    map[string]int // the set of each experiment
	order []*count
}

// count is a Standing in the making.
type count struct {
	Standing
	*tally
	used   map[int]bool // sets of parameters
	shares float64      // summed over drawn rows
	passed []bool       // the seeds that have passed every row so far
}

func (t *tally) count(name string) *count {
	return &count{Standing: Standing{Name: name}, tally: t, used: map[int]bool{}}
}

// named is the count of that name, a new one if there is none.
func (t *tally) named(name string) *count {
	if i := slices.IndexFunc(t.order, func(c *count) bool { return c.Name == name }); i >= 0 {
		return t.order[i]
	}
	t.order = append(t.order, t.count(name))
	return t.order[len(t.order)-1]
}

// standings are the counts without what only an experiment has.
func (t *tally) standings() []Standing {
	var out []Standing
	for _, c := range t.order {
		out = append(out, c.standing())
	}
	return out
}

// experiments are the counts of experiments, in the order of the results.
func (t *tally) experiments(stored []StoredExperiment) []Standing {
	var out []Standing
	for _, e := range stored {
		for _, c := range t.order {
			if c.Name == e.Name {
				s := c.standing()
				s.AllAtOnce = c.allAtOnce()
				out = append(out, s)
			}
		}
	}
	return out
}

// add counts a row; computed is nil for one that was not.
func (c *count) add(j Judged, computed *seen) {
	c.Rows++
	switch j.Verdict {
	case Reproduced:
		c.Reproduced++
	case NotReproduced:
		c.NotReproduced++
	default:
		c.NotComputed++
	}
	if computed == nil {
		return
	}
	n := len(computed.stored.Values)
	c.used[c.tally.of[computed.experiment.Name]] = true
	c.Seeds = max(c.Seeds, n)
	if computed.settled() {
		c.Settled++
	}
	if n < 2 {
		return
	}
	c.Drawn++
	c.shares += computed.share()
	if c.passed == nil {
		c.passed = slices.Repeat([]bool{true}, n)
	}
	for seed, values := range computed.stored.Values[:min(n, len(c.passed))] {
		c.passed[seed] = c.passed[seed] && computed.row.Judge.Passes(values)
	}
}

func (c *count) standing() Standing {
	s := c.Standing
	for i := range c.used {
		s.Free += len(c.sets[i].Parameters)
	}
	if c.Drawn > 0 {
		mean := c.shares / float64(c.Drawn)
		s.SingleSeed = &mean
	}
	return s
}

// allAtOnce is the share of seeds that passed every row; nil where one seed is all
// there is.
func (c *count) allAtOnce() *float64 {
	if len(c.passed) == 0 {
		return nil
	}
	n := 0
	for _, yes := range c.passed {
		if yes {
			n++
		}
	}
	share := float64(n) / float64(len(c.passed))
	return &share
}
