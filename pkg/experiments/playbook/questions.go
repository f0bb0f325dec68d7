package playbook

import "memlab/pkg/playbook/toy"

// The questions are what ACE's paper says of its method, as learners to compare
// with Curve. Each list is one curve: one thing changes along it.

// Brevity is the curve of an optimizer that takes brevity for a merit and writes
// advice that is the same everywhere (§5.1): how often a lesson is made short.
func Brevity() []Learner {
	return vary(DefaultLearner(), []float64{0, 0.25, 0.5, 0.75, 1}, "brevity %g",
		func(l *Learner, b float64) { l.Brevity = b })
}

// Collapse compares a sheet that is rewritten as a whole, with rewriters that keep longer
// and longer sheets faithfully, beside the playbook and no memory (§5.1).
func Collapse() []Learner {
	nothing := DefaultLearner()
	nothing.Name, nothing.Memory = "no memory", Nothing
	sheets := vary(DefaultLearner(), []int{250, 500, 1000, 2000, 1 << 20}, "sheet, faithful to %d tokens",
		func(l *Learner, comfort int) { l.Memory, l.World.Comfort = Cheatsheet, comfort })
	sheets[len(sheets)-1].Name = "sheet, always faithful"
	return append([]Learner{nothing, DefaultLearner()}, sheets...)
}

// Truncation is the curve of rewrites that break off more and more often, with sheets refused
// that have no end, and accepted (§5.1).
func Truncation() []Learner {
	var out []Learner
	for _, accept := range []bool{false, true} {
		base := DefaultLearner()
		base.Memory, base.World.Comfort, base.AcceptTruncated = Cheatsheet, 1<<20, accept
		name := "%g broken off, refused"
		if accept {
			name = "%g broken off, accepted"
		}
		out = append(out, vary(base, []float64{0, 0.02, 0.05, 0.1}, name, func(l *Learner, p float64) { l.World.Interrupt = p })...)
	}
	return out
}

// Reflection is the curve of no reflector, one round of reflection and several (§5.3).
func Reflection() []Learner {
	return vary(DefaultLearner(), []int{0, 1, 2, 3, 5}, "%d rounds of reflection", func(l *Learner, rounds int) {
		l.Reflector, l.Rounds = rounds > 0, rounds
	})
}

// Epochs is the curve of the same 100 tasks again and again (§5.3).
func Epochs() []Learner {
	return vary(DefaultLearner(), []int{1, 2, 3, 5}, "%d epochs of 100 tasks", func(l *Learner, n int) {
		l.Tasks, l.Epochs = 100, n
	})
}

// Ablation compares neither reflector nor several epochs, one of them, both (§5.3).
func Ablation() []Learner {
	base := DefaultLearner()
	base.Tasks = 100
	var out []Learner
	for _, c := range []struct {
		name      string
		reflector bool
		epochs    int
	}{
		{"neither", false, 1}, {"epochs alone", false, 5}, {"reflector alone", true, 1}, {"reflector and epochs", true, 5},
	} {
		l := base
		l.Name, l.Reflector, l.Epochs = c.name, c.reflector, c.epochs
		out = append(out, l)
	}
	return out
}

// Pollution is the curve of feedback that is false more and more often (§5.3), from labels or
// from execution alone.
func Pollution(s toy.Signal) []Learner {
	base := DefaultLearner()
	base.Feedback.Signal = s
	return vary(base, []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7}, "false feedback %g",
		func(l *Learner, e float64) { l.Feedback.Error = e })
}

// Thresholds is the curve of deduplication after each 10 tasks, from a threshold that joins
// bullets about different things to one that joins none (§5.2).
func Thresholds() []Learner {
	base := DefaultLearner()
	base.DedupEvery = 10
	base.World.Notice = 0
	out := vary(base, []float64{0.5, 0.6, 0.7, 0.8, 0.9, 0.95}, "joined from cosine %g",
		func(l *Learner, t float64) { l.Threshold = t })
	base.Name, base.DedupEvery = "never joined", 0
	return append(out, base)
}

// Budgets is the curve of less and less room for the playbook, without and with lazy
// deduplication.
func Budgets() []Learner {
	var out []Learner
	for _, lazy := range []bool{false, true} {
		base := DefaultLearner()
		base.World.Notice, base.Budget.Headroom = 0, 0.2
		base.Lazy = lazy
		name := "room for %d tokens"
		if lazy {
			name = "room for %d tokens, joined first"
		}
		out = append(out, vary(base, []int{500, 1000, 2000, 4000}, name, func(l *Learner, room int) {
			l.Budget.Tokens = room + l.System + l.World.Task
		})...)
	}
	return out
}

// Kept compares the learner's own prompts as they may be kept and shown (§5.4).
func Kept() []Learner {
	base := DefaultLearner()
	base.World.Notice = 0
	out := make([]Learner, 7)
	for i := range out {
		out[i] = base
	}
	out[0].Name = string(Append)
	out[1].Name, out[1].Layout.Counters = string(Counters), true
	out[2].Name, out[2].Layout.Grouped = "grouped by section", true
	for i, every := range []int{1, 10, 50} {
		out[3+i].Name, out[3+i].DedupEvery = []string{"dedup after each", "dedup every 10", "dedup every 50"}[i], every
	}
	out[6].Name, out[6].Memory, out[6].World.Comfort = string(Rewrite), Cheatsheet, 1<<20
	return out
}
