package rollout

import (
	"fmt"

	"memlab/pkg/random"
)

// Wait is the synchronous iteration: all answers, then all scoring, then all
// training.
func Wait(s Setup, lengths [][]int) (Outcome, error) { return Overlap(s, lengths, Apart) }

// Overlap lets replicas that have no answer left to generate score those that
// are done, and train on them, while the others go on generating. It needs room
// for the state of training beside the KV.
func Overlap(s Setup, lengths [][]int, stages Stages) (Outcome, error) {
	if err := stages.check(); err != nil {
		return Outcome{}, err
	}
	if err := s.checkBatch(lengths, s.Samples); err != nil {
		return Outcome{}, err
	}
	return s.generate(lengths, 0).outcome(stages), nil
}

// CutTail asks for more answers than it needs, lengths of s.Samples + extra for
// each prompt, trains on the first s.Samples of each prompt that are done, and
// breaks the others off. What is kept is shorter than what the model says.
func CutTail(s Setup, lengths [][]int, extra int) (Outcome, error) {
	if err := whole("extra", extra, 0); err != nil {
		return Outcome{}, err
	}
	if err := s.checkBatch(lengths, s.Samples+extra); err != nil {
		return Outcome{}, err
	}
	return s.generate(lengths, s.Samples).outcome(Apart), nil
}

// A Policy is a way to run an iteration of a setup under a seed.
type Policy struct {
	Name string
	Run  func(Setup, random.Seed) (Outcome, error)
}

// Policies are the ways of this package with example settings: two answers more
// per prompt to cut the tail, and a budget of twice the median length per
// iteration to go on next time.
func Policies() []Policy {
	drawn := func(extra int, run func(Setup, [][]int) (Outcome, error)) func(Setup, random.Seed) (Outcome, error) {
		return func(s Setup, seed random.Seed) (Outcome, error) {
			s.Samples += extra
			lengths, err := s.Draw(seed)
			if err != nil {
				return Outcome{}, err
			}
			s.Samples -= extra
			return run(s, lengths)
		}
	}
	return []Policy{
		{"Wait for all", drawn(0, Wait)},
		{"Overlap the stages", drawn(0, func(s Setup, l [][]int) (Outcome, error) { return Overlap(s, l, Training) })},
		{"Gather the tail, overlap", drawn(0, func(s Setup, l [][]int) (Outcome, error) {
			o, _, err := BestGather(s, l, Training)
			return o, err
		})},
		{"Ask for more, cut the tail", drawn(2, func(s Setup, l [][]int) (Outcome, error) { return CutTail(s, l, 2) })},
		{"Go on next time", func(s Setup, seed random.Seed) (Outcome, error) {
			return Continue(s, seed, Cut{Budget: int(2 * s.Lengths.Median), Iterations: 12})
		}},
	}
}

// ByName finds a policy of Policies; an unknown name is an error that lists them.
func ByName(name string) (Policy, error) {
	var known []string
	for _, p := range Policies() {
		if p.Name == name {
			return p, nil
		}
		known = append(known, p.Name)
	}
	return Policy{}, fmt.Errorf("rollout: policy %q: %w: want one of %q", name, ErrBadField, known)
}
