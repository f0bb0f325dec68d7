package cartridge

import (
	"fmt"
	"io"
	"math"
)

// validator measures the loss on one batch of held-out questions.
type validator struct {
	Validation
	engine   Engine
	batch    *Batch
	g        *Gradient
	lowest   float64
	best     *Cartridge
	bestStep int
	without  int // measurements since the lowest
}

// heldOut sets the seed of validation apart from that of training.
const heldOut = 0x76616c6964617465

func (v Validation) open(t Trainer, newEngine NewEngine, setup Setup) (*validator, error) {
	if v.Lesson == nil {
		v.Lesson = t.Lesson
	}
	source, err := v.Lesson.Open(t.Seed ^ heldOut)
	if err != nil {
		return nil, fmt.Errorf("validation: %w", err)
	}
	_, candidates, keyDim := v.Lesson.Shape()
	if keyDim != setup.KeyDim || candidates.Rows != setup.Candidates.Rows || candidates.Cols != setup.Candidates.Cols {
		return nil, bad("validation has keys of %d numbers and %d x %d candidates: want %d and %d x %d as in training",
			keyDim, candidates.Rows, candidates.Cols, setup.KeyDim, setup.Candidates.Rows, setup.Candidates.Cols)
	}
	setup.Batch, setup.Teacher = v.Questions, nil
	if err := setup.Check(); err != nil {
		return nil, fmt.Errorf("validation: %w", err)
	}
	batch := newBatch(v.Questions, keyDim, candidates.Cols)
	if err := source.Next(batch); err != nil {
		return nil, err
	}
	engine, err := newEngine(setup)
	if err != nil {
		return nil, err
	}
	g := &Gradient{K: NewMatrix(setup.Slots, keyDim), V: NewMatrix(setup.Slots, candidates.Cols)}
	return &validator{Validation: v, engine: engine, batch: batch, g: g, lowest: math.Inf(1)}, nil
}

func (v *validator) close() {
	if c, ok := v.engine.(io.Closer); ok {
		c.Close()
	}
}

// measure says whether to stop.
func (r *run) measure(step int) (stop bool, err error) {
	v := r.validate
	if v == nil || step%v.Every != 0 && step != r.Steps {
		return false, nil
	}
	loss, err := v.engine.Gradient(r.z, v.batch, v.g)
	if err != nil {
		return false, err
	}
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return false, nil // the next step says so
	}
	r.result.Validation = append(r.result.Validation, Measured{step, loss})
	if loss < v.lowest {
		v.lowest, v.best, v.bestStep, v.without = loss, r.z.Clone(), step, 0
		return false, nil
	}
	v.without++
	return v.Patience > 0 && v.without >= v.Patience, nil
}
