package playbook

import (
	"errors"
	"fmt"

	"memlab/pkg/costmodel"
	"memlab/pkg/playbook"
)

// Parameters describe the scripted agent. The lecture states tasks, output,
// bullet, probability and the number of counters; the lengths of system and task
// are stated in its exercise 5. Only the share of bullets that a deduplication
// removes is ours.
type Parameters struct {
	Tasks int `json:"tasks"`
	// System, Task and Output are the generator's: what it reads beside the
	// playbook, and what it writes.
	System int `json:"system_tokens"`
	Task   int `json:"task_tokens"`
	Output int `json:"output_tokens"`
	// Bullet is the length of a bullet, Add the probability that a task adds one.
	Bullet int     `json:"bullet_tokens"`
	Add    float64 `json:"p_add"`
	// Counters is how many bullets a task marks, each as likely as any other.
	Counters int `json:"counters"`
	// DedupEvery so many tasks a share of the bullets goes, which stand
	// anywhere. Chosen by us: 50 and 10%. The claim that reuse falls little
	// holds up to a share of about 20%.
	DedupEvery int     `json:"dedup_every"`
	DedupShare float64 `json:"dedup_share"`
	// Block is the cache's block. 1 counts tokens, as the lecture does; blocks
	// of 16 make the reuse .002 smaller.
	Block int `json:"block_tokens"`
	// Model and GPU give the seconds, one request at a time.
	Model string `json:"model"`
	GPU   string `json:"gpu"`
}

// DefaultParameters are the lecture's.
func DefaultParameters() Parameters {
	return Parameters{
		Tasks: 300, System: 500, Task: 300, Output: 300, Bullet: 40, Add: 0.6, Counters: 3,
		DedupEvery: 50, DedupShare: 0.1, Block: 1, Model: "llama-3-8b", GPU: "h100",
	}
}

// free names the parameters that are neither the lecture's nor measured.
var free = []string{"dedup_every", "dedup_share", "block_tokens"}

// ErrParameter is the kind of every error about an impossible parameter.
var ErrParameter = errors.New("bad parameter")

func bad(format string, args ...any) error {
	return fmt.Errorf("playbook experiment: %w: %w", ErrParameter, fmt.Errorf(format, args...))
}

func (p Parameters) check() error {
	for _, f := range []struct {
		name      string
		got, want int
	}{
		{"tasks", p.Tasks, 1}, {"system_tokens", p.System, 1}, {"task_tokens", p.Task, 1}, {"output_tokens", p.Output, 1},
		{"counters", p.Counters, 0}, {"dedup_every", p.DedupEvery, 1}, {"block_tokens", p.Block, 1},
	} {
		if f.got < f.want {
			return bad("%s %d: want %d or more", f.name, f.got, f.want)
		}
	}
	return nil
}

// script is the driver's under a variant.
func (p Parameters) script(v Variant) playbook.Script {
	s := playbook.Script{Add: p.Add, Bullet: p.Bullet, Output: p.Output, Marked: p.Counters}
	if v == Dedup {
		s.RemoveEvery, s.RemoveShare = p.DedupEvery, p.DedupShare
	}
	return s
}

// Engine is the model on the GPU.
func (p Parameters) Engine() (*costmodel.Engine, error) {
	m, err := costmodel.ModelByName(p.Model)
	if err != nil {
		return nil, err
	}
	g, err := costmodel.GPUByName(p.GPU)
	if err != nil {
		return nil, err
	}
	return costmodel.NewEngine(m, g, costmodel.DefaultParams())
}

// Estimate is what a pocket calculator says, as means over seeds.
type Estimate struct {
	// Mean and End are the playbook's tokens, as the prompts of all tasks and
	// the last one show it: bullet x p_add x (tasks - 1) / 2, and twice that.
	Mean float64 `json:"mean_playbook_tokens"`
	End  float64 `json:"end_playbook_tokens"`
	// Prompt = system + mean + task.
	Prompt float64 `json:"prompt_tokens"`
	// Append = 1 - (task + bullet x p_add) / prompt: the task and what is new
	// of the playbook are prefilled. It leaves out the first call.
	Append float64 `json:"append_reuse"`
	// FirstChange = 1/(counters + 1): the least of so many uniform places.
	FirstChange float64 `json:"first_change_share"`
	// Counters = (system + bullet x (bullets - counters) / (counters + 1)) /
	// prompt, with the mean number of bullets: the places are different ones,
	// and the hit ends where the first begins.
	Counters float64 `json:"counters_reuse"`
	// Exercise = (system + mean / (counters + 1)) / prompt, as exercise 5 asks.
	Exercise float64 `json:"exercise_reuse"`
	// Rewritten = bullet x p_add x tasks x (tasks + 1) / 2.
	Rewritten float64 `json:"rewritten_tokens"`
	// TokenRatio = (output + rewritten a task) / (output + bullet x p_add):
	// generated tokens only; a decode step costs about the same at any length.
	TokenRatio float64 `json:"token_ratio"`
}

// Estimate gives the closed forms.
func (p Parameters) Estimate() (Estimate, error) {
	if err := p.check(); err != nil {
		return Estimate{}, err
	}
	n, grows, k := float64(p.Tasks), float64(p.Bullet)*p.Add, float64(p.Counters)
	e := Estimate{Mean: grows * (n - 1) / 2, End: grows * (n - 1), FirstChange: 1 / (k + 1), Rewritten: grows * n * (n + 1) / 2}
	system, task, output := float64(p.System), float64(p.Task), float64(p.Output)
	e.Prompt = system + e.Mean + task
	e.Append = 1 - (task+grows)/e.Prompt
	e.Counters = (system + float64(p.Bullet)*(p.Add*(n-1)/2-k)/(k+1)) / e.Prompt
	e.Exercise = (system + e.Mean/(k+1)) / e.Prompt
	e.TokenRatio = (output + e.Rewritten/n) / (output + grows)
	return e, nil
}
