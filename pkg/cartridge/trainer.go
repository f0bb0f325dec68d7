package cartridge

import (
	"context"
	"io"
	"math"

	"memlab/pkg/random"
)

// Trainer trains the slots of a cartridge by Adam. Same lesson, start and seed
// give the same bytes. The zero value of every field but Lesson, Steps, Batch and
// Rate is useful.
type Trainer struct {
	Lesson Lesson
	Engine NewEngine // nil: ByHand
	Steps  int
	Batch  int
	Rate   float64

	Schedule Schedule
	Adam     Adam
	Seed     random.Seed
	// Validation stops a training that gets no better, if it is set.
	Validation *Validation
	// CheckpointEvery is after how many steps the cartridge is kept, for a
	// training that diverges; 0: 100. Checkpoint, if set, gets a copy of each
	// and may save it; its error ends the training.
	CheckpointEvery int
	Checkpoint      func(step int, z *Cartridge) error
	// Snapshots are steps of which the Result keeps the cartridge.
	Snapshots []int
	// Progress is called after each ProgressEvery steps (0: 100) and the last.
	Progress      func(Progress)
	ProgressEvery int
}

// DefaultTrainer is the lecture's training: batches of 128, Adam at a constant .003.
func DefaultTrainer(l Lesson, steps int, seed random.Seed) Trainer {
	return Trainer{Lesson: l, Steps: steps, Batch: 128, Rate: 0.003, Seed: seed}
}

// Validation measures the loss on questions that are not trained on.
type Validation struct {
	Lesson    Lesson // what to draw them from; nil: the trainer's
	Questions int    // how many
	Every     int    // steps
	// Patience is after how many measurements without a new lowest loss the
	// training stops; 0: never.
	Patience int
}

// Progress is where a training stands.
type Progress struct {
	Step  int     `json:"step"`
	Steps int     `json:"steps"`
	Loss  float64 `json:"loss"` // mean over the steps since the last report
	Rate  float64 `json:"rate"`
	// Validation is the last measurement, nil without one.
	Validation *float64 `json:"validation_loss"`
}

// Result is what a training ends with.
type Result struct {
	// Cartridge is the last one; with validation the one of the lowest loss,
	// after a divergence the last good one.
	Cartridge *Cartridge
	// Step is the one that Cartridge is of, 0 if it is the start.
	Step int
	// Losses are those of all steps taken, each before its update.
	Losses     []float64
	Validation []Measured
	Snapshots  map[int]*Cartridge
	// Stopped is true if validation ended the training early.
	Stopped bool
}

// Measured is one measurement of the validation loss.
type Measured struct {
	Step int     `json:"step"`
	Loss float64 `json:"loss"`
}

func (t Trainer) check(start *Cartridge) error {
	if t.Lesson == nil {
		return bad("the trainer has no lesson")
	}
	if err := start.Check(); err != nil {
		return err
	}
	for _, f := range []struct {
		name      string
		got, want int
	}{
		{"steps", t.Steps, 1}, {"batch", t.Batch, 1}, {"warm-up", t.Schedule.WarmUp, 0},
		{"checkpoint every", t.CheckpointEvery, 0}, {"progress every", t.ProgressEvery, 0},
	} {
		if f.got < f.want {
			return bad("%s %d: want %d or more", f.name, f.got, f.want)
		}
	}
	if !(t.Rate > 0) || math.IsInf(t.Rate, 0) {
		return bad("rate %g: want a positive number", t.Rate)
	}
	for _, step := range t.Snapshots {
		if step < 0 || step > t.Steps {
			return bad("a snapshot of step %d of %d", step, t.Steps)
		}
	}
	if v := t.Validation; v != nil && (v.Questions < 1 || v.Every < 1 || v.Patience < 0) {
		return bad("validation by %d questions every %d steps with patience %d: want 1, 1 and 0 or more", v.Questions, v.Every, v.Patience)
	}
	return t.Adam.check()
}

// Train leaves start as it is. What it reached it returns also with an error: of a
// training that was cancelled (ctx's cause), diverged (*Diverged) or could not go
// on. Without a result the input was bad.
func (t Trainer) Train(ctx context.Context, start *Cartridge) (*Result, error) {
	t.Adam = t.Adam.orDefault()
	if err := t.check(start); err != nil {
		return nil, err
	}
	source, err := t.Lesson.Open(t.Seed)
	if err != nil {
		return nil, err
	}
	model, candidates, keyDim := t.Lesson.Shape()
	if err := start.Fits(start.Slots(), keyDim, candidates.Cols); err != nil {
		return nil, err
	}
	newEngine := t.Engine
	if newEngine == nil {
		newEngine = ByHand
	}
	setup := Setup{Model: model, Candidates: candidates, Batch: t.Batch, Slots: start.Slots(), KeyDim: keyDim}
	asking, _ := source.(Asking)
	if asking != nil {
		setup.Teacher = asking.Teacher()
	}
	engine, err := newEngine(setup)
	if err != nil {
		return nil, err
	}
	next := source.Next
	if e, ok := engine.(Stepper); ok && setup.Teacher != nil && e.Answers() {
		next = asking.Ask
	}
	if engine == nil {
		return nil, bad("the trainer's engine is nil: want one, or an error")
	}
	if c, ok := engine.(io.Closer); ok {
		defer c.Close()
	}
	r := run{
		Trainer: t, engine: engine, next: next, z: start.Clone(), g: NewGradient(start),
		staged: newStaged(engine, setup, t.Steps),
		result: &Result{Losses: make([]float64, 0, min(t.Steps, 1<<20)), Snapshots: map[int]*Cartridge{}},
		k:      newMoments(start.K), v: newMoments(start.V),
	}
	if t.Validation != nil {
		if r.validate, err = t.Validation.open(t, newEngine, setup); err != nil {
			return nil, err
		}
		defer r.validate.close()
	}
	if err = r.run(ctx); r.result.Cartridge == nil {
		r.end(len(r.result.Losses))
	}
	return r.result, err
}

func newMoments(z Matrix) moments {
	return moments{make([]float32, len(z.Data)), make([]float32, len(z.Data))}
}
