package rollout

import (
	"fmt"

	"memlab/pkg/costmodel"
	"memlab/pkg/random"
)

// Setup is one iteration of training: what is asked, and of which replicas.
// One replica holds one copy of the model; a replica second is a GPU second
// where it is one GPU.
type Setup struct {
	Prompts  int `json:"prompts"`
	Samples  int `json:"samples"` // answers to each prompt
	Replicas int `json:"replicas"`
	// Slots is the largest batch of one replica; answers beyond it wait.
	Slots int `json:"slots"`
	// Room is the tokens of KV that fit beside the weights of one replica. A
	// run that holds more is carried through, with a warning.
	Room         int `json:"room_tokens"`
	PromptTokens int `json:"prompt_tokens"`
	// SharedPrefix: the answers of a prompt find its KV in the prefix cache, so
	// that it is prefilled once. They go to the same replica either way.
	SharedPrefix bool    `json:"shared_prefix"`
	Lengths      Lengths `json:"lengths"`
	Speed        Speed   `json:"speed"`

	// Score and Train are replica seconds for one token of an answer: to judge
	// it, and to learn from it.
	Score float64 `json:"score_seconds_per_token"`
	Train float64 `json:"train_seconds_per_token"`
	// Move is what sending one token's KV to another replica takes, in seconds.
	Move float64 `json:"move_seconds_per_token"`
}

// The numbers of DefaultSetup that neither the lecture nor a paper gives.
const (
	// achieved is the share of peak FLOP/s in scoring and training. It stretches
	// both, and with them what overlapping can hide.
	achieved = 0.40
	// linkBytes is what two replicas exchange per second: 400 Gbit/s.
	linkBytes = 50e9
	// scoreFLOP and trainFLOP are FLOP per parameter and token: one forward pass
	// of a reference model as large as this one, and a forward and a backward
	// pass. Source of the 2 and the 6: Kaplan et al. 2020, section 2.1.
	scoreFLOP, trainFLOP = 2, 6
)

// DefaultSetup is 64 questions with 8 answers each on 8 replicas of an engine:
// an example, not anybody's cluster.
func DefaultSetup(e *costmodel.Engine) (Setup, error) {
	speed, err := SpeedOf(e)
	if err != nil {
		return Setup{}, err
	}
	m := e.Model()
	rate := e.GPU().BF16 * achieved * float64(e.Params().TensorParallel)
	perToken := func(flop float64) float64 { return flop * float64(m.ActiveParameters) / rate }
	return Setup{
		Prompts: 64, Samples: 8, Replicas: 8, Slots: 256, Room: e.RoomTokens(),
		PromptTokens: 500, SharedPrefix: true,
		Lengths: DefaultLengths(),
		Speed:   speed, Score: perToken(scoreFLOP), Train: perToken(trainFLOP),
		Move: float64(m.KVBytesPerToken(0)) / linkBytes,
	}, nil
}

// Check reports the first field that is impossible.
func (s Setup) Check() error {
	for _, f := range []struct {
		name  string
		value int
		least int
	}{
		{"prompts", s.Prompts, 1}, {"samples", s.Samples, 1}, {"replicas", s.Replicas, 1}, {"slots", s.Slots, 1},
		{"room_tokens", s.Room, 0}, {"prompt_tokens", s.PromptTokens, 0},
	} {
		if err := whole(f.name, f.value, f.least); err != nil {
			return err
		}
	}
	if s.Replicas > maxReplicas {
		return bad("replicas", s.Replicas, fmt.Sprintf("%d or fewer", maxReplicas))
	}
	for _, f := range []struct {
		name  string
		value float64
	}{{"score_seconds_per_token", s.Score}, {"train_seconds_per_token", s.Train}, {"move_seconds_per_token", s.Move}} {
		if err := amount(f.name, f.value); err != nil {
			return err
		}
	}
	if err := s.Speed.Check(); err != nil {
		return err
	}
	return s.Lengths.Check()
}

// Draw returns the lengths of one batch; see Lengths.Draw.
func (s Setup) Draw(seed random.Seed) ([][]int, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s.Lengths.Draw(seed, s.Prompts, s.Samples)
}

// checkBatch holds lengths against the setup.
func (s Setup) checkBatch(lengths [][]int, samples int) error {
	if err := s.Check(); err != nil {
		return err
	}
	if len(lengths) != s.Prompts {
		return bad("lengths", fmt.Sprintf("of %d prompts", len(lengths)), fmt.Sprintf("those of the %d prompts of the setup", s.Prompts))
	}
	total := 0
	for p, answers := range lengths {
		if len(answers) != samples {
			return bad(fmt.Sprintf("lengths of prompt %d", p), fmt.Sprintf("for %d answers", len(answers)), fmt.Sprintf("%d", samples))
		}
		for i, n := range answers {
			if n < 1 || n > s.Lengths.Cap {
				return bad(fmt.Sprintf("length of answer %d to prompt %d", i, p), n, fmt.Sprintf("tokens from 1 to the cap of %d", s.Lengths.Cap))
			}
			total += n
		}
	}
	// Beyond, a sum of contexts could leave what a float64 counts exactly.
	if total > 1<<40 {
		return bad("lengths", fmt.Sprintf("of %d tokens in all", total), "at most 2^40")
	}
	return nil
}

// jobs deals a batch to the replicas, prompt by prompt.
func (s Setup) jobs(lengths [][]int) [][]job {
	out := make([][]job, s.Replicas)
	for p, answers := range lengths {
		r := p % s.Replicas
		for i, n := range answers {
			j := job{id: i, group: p, have: s.PromptTokens, left: n}
			if i == 0 || !s.SharedPrefix {
				j.prefill = s.Speed.Prefill(s.PromptTokens)
			}
			out[r] = append(out[r], j)
		}
	}
	return out
}
