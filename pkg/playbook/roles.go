package playbook

import "context"

// Task is one task of a stream.
type Task struct {
	// Number counts all tasks that were tried, from 0; the same task in
	// another epoch has another one. Loop sets it.
	Number int    `json:"number"`
	Name   string `json:"name"` // the same in each epoch
	Text   string `json:"text"`
	Tokens int    `json:"tokens"`
}

// Trajectory is what the generator did.
type Trajectory struct {
	Task   Task   `json:"task"`
	Text   string `json:"text"`
	Answer string `json:"answer"`
	// Used are the bullets that it went by.
	Used   []string `json:"used,omitempty"`
	Tokens int      `json:"tokens"` // generated
}

// Feedback is what the agent gets to know of its success. It may be wrong.
type Feedback struct {
	Known   bool `json:"known"` // there is any
	Correct bool `json:"correct"`
	// Answer is the right one where a label tells it.
	Answer string `json:"answer,omitempty"`
	Tokens int    `json:"tokens"`
}

// Lesson is what a task taught.
type Lesson struct {
	Section string `json:"section"`
	Text    string `json:"text"`
}

// Mark says whether a bullet helped.
type Mark struct {
	ID      string `json:"id"`
	Helpful bool   `json:"helpful"`
	Harmful bool   `json:"harmful"`
}

// Reflection is what the reflector makes of a trajectory.
type Reflection struct {
	Task    Task     `json:"task"`
	Lessons []Lesson `json:"lessons,omitempty"`
	Marks   []Mark   `json:"marks,omitempty"`
	Tokens  int      `json:"tokens"` // generated
}

// Generator does a task with the bullets as its prompt shows them: without
// counts where the layout has none.
type Generator interface {
	Generate(ctx context.Context, t Task, bullets []Bullet) (Trajectory, error)
}

// Judge gives feedback: from labels, from execution, or none.
type Judge interface {
	Judge(ctx context.Context, t Trajectory) (Feedback, error)
}

// Reflector draws lessons from success and failure.
type Reflector interface {
	Reflect(ctx context.Context, t Trajectory, f Feedback) (Reflection, error)
}

// Curator turns lessons into a delta. It sees the counts in any layout.
type Curator interface {
	Curate(ctx context.Context, r Reflection, bullets []Bullet) (Delta, error)
}

// Rewriter is the curator of a Dynamic Cheatsheet: it writes the whole sheet
// anew, between OpenTag and CloseTag.
type Rewriter interface {
	Rewrite(ctx context.Context, lines []string, t Trajectory, f Feedback) (string, error)
}
