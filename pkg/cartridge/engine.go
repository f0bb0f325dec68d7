package cartridge

import "errors"

// Batch is what one step learns from: questions, and what the teacher answers.
// The student's logits are linear in what it reads, so that the cross entropy
// needs of the teacher's distribution t over the candidates no more than its mean
// value t C; with t's entropy it gives the KL divergence:
//
//	KL(t || student) = sum t log t + log sum exp(logits) - Gamma o (t C)^T.
type Batch struct {
	Facts []int
	Q     Matrix
	Mean  Matrix
	// NegEntropy is sum t log t, 0 for a teacher that is certain.
	NegEntropy []float32
}

func newBatch(n, keyDim, valueDim int) *Batch {
	return &Batch{
		Facts: make([]int, n), Q: NewMatrix(n, keyDim), Mean: NewMatrix(n, valueDim), NegEntropy: make([]float32, n),
	}
}

// Setup is what an engine is made for.
type Setup struct {
	Model      Model
	Candidates Matrix
	Batch      int // questions in a batch
	Slots      int
	KeyDim     int
	// Teacher is whose answers the batches come with, if an engine may find them
	// itself (see Stepper); else nil.
	Teacher *Teacher
}

// Engine computes gradients. Gradient returns the mean KL divergence of a batch
// and writes its derivative by every number of z into g. An engine need not be
// safe for concurrent use; if it holds resources it is an io.Closer.
type Engine interface {
	Gradient(z *Cartridge, b *Batch, g *Gradient) (loss float64, err error)
}

// NewEngine makes an engine.
type NewEngine func(Setup) (Engine, error)

// Gradient is the derivative of a loss by keys and values.
type Gradient struct {
	K, V Matrix
}

// NewGradient is one of zeros for z.
func NewGradient(z *Cartridge) *Gradient {
	return &Gradient{K: NewMatrix(z.K.Rows, z.K.Cols), V: NewMatrix(z.V.Rows, z.V.Cols)}
}

// Check says what is wrong with a setup.
func (s Setup) Check() error {
	if err := s.Model.check(); err != nil {
		return err
	}
	if s.Batch < 1 || s.Slots < 1 || s.KeyDim < 1 {
		return bad("batches of %d, %d slots, keys of %d numbers: want 1 or more of all", s.Batch, s.Slots, s.KeyDim)
	}
	if err := s.Candidates.check("candidates", 0); err != nil {
		return err
	}
	widest := max(s.KeyDim, s.Candidates.Cols)
	err := errors.Join(
		checkSize("a batch", s.Batch, max(widest, s.Candidates.Rows)), checkSize("slots", s.Slots, widest),
		checkSize("a batch's attention to slots", s.Batch, s.Slots),
	)
	if err == nil && s.Teacher != nil {
		err = s.Teacher.check(s)
	}
	return err
}

// Fits says whether a cartridge and a batch have the setup's shapes.
func (s Setup) Fits(z *Cartridge, b *Batch, g *Gradient) error {
	if z == nil || b == nil || g == nil {
		return bad("nil is cartridge: %v, batch: %v, gradient: %v: want none of them nil", z == nil, b == nil, g == nil)
	}
	d := s.Candidates.Cols
	for _, m := range []struct {
		what       string
		got        Matrix
		rows, cols int
	}{
		{"slots' keys", z.K, s.Slots, s.KeyDim},
		{"slots' values", z.V, s.Slots, d},
		{"questions", b.Q, s.Batch, s.KeyDim},
		{"teacher's means", b.Mean, s.Batch, d},
		{"gradient by keys", g.K, s.Slots, s.KeyDim},
		{"gradient by values", g.V, s.Slots, d},
	} {
		if m.got.Rows != m.rows || m.got.Cols != m.cols || len(m.got.Data) != m.rows*m.cols {
			return bad("%s: %d x %d: want %d x %d, for which the engine was made", m.what, m.got.Rows, m.got.Cols, m.rows, m.cols)
		}
	}
	if len(b.NegEntropy) != s.Batch {
		return bad("%d entropies: want %d", len(b.NegEntropy), s.Batch)
	}
	return nil
}
