package cartridge

import "errors"

// Model is the frozen model: one layer of attention and a score for every
// possible answer. It answers question q from keys and values by
//
//	o = softmax(Beta q K^T) V,   logits = Gamma o C^T,
//
// where the rows of C are the candidates. It has no weights beside the two
// factors; position, heads and normalisation are left out.
type Model struct {
	Beta  float64 `json:"beta"`
	Gamma float64 `json:"gamma"`
}

// DefaultModel has the lecture's beta and the calibrated gamma.
func DefaultModel() Model { return Model{Beta: 20, Gamma: 10} }

func (m Model) check() error {
	for _, f := range []struct {
		name       string
		got, usual float64
	}{{"beta", m.Beta, DefaultModel().Beta}, {"gamma", m.Gamma, DefaultModel().Gamma}} {
		if x := float32(f.got); !(x > 0) || !finite(x) {
			return bad("%s %g: want a positive number within float32, as %g", f.name, f.got, f.usual)
		}
	}
	return nil
}

// Reader is a memory that returns one vector for each question, to be compared
// with the candidates.
type Reader interface {
	Read(q Matrix) (Matrix, error)
}

// kv reads keys and values by attention.
type kv struct {
	beta float32
	k, v Matrix
}

func (r kv) Read(q Matrix) (Matrix, error) {
	s, err := attention(r.beta, q, r.k)
	if err != nil {
		return Matrix{}, err
	}
	o := NewMatrix(q.Rows, r.v.Cols)
	product(o, s, r.v)
	return o, nil
}

func attention(beta float32, q, k Matrix) (Matrix, error) {
	if err := q.check("questions", k.Cols); err != nil {
		return Matrix{}, err
	}
	s := NewMatrix(q.Rows, k.Rows)
	multiply(s, q, rightOfTransposed(k))
	softmax(s, beta)
	return s, nil
}

// Attention is how much each question looks at each key; rows add up to 1.
func (m Model) Attention(q, k Matrix) (Matrix, error) {
	if err := m.check(); err != nil {
		return Matrix{}, err
	}
	if err := k.check("keys", 0); err != nil {
		return Matrix{}, err
	}
	return attention(float32(m.Beta), q, k)
}

// Truncated reads the first p facts, the whole document if p is N: in-context
// learning, with what fits into the window.
func (m Model) Truncated(c *Corpus, p int) (Reader, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	part, err := c.Part(0, p)
	if err != nil {
		return nil, err
	}
	return m.over(part.K, part.V)
}

// With reads a cartridge in place of the document.
func (m Model) With(z *Cartridge) (Reader, error) {
	if err := z.Check(); err != nil {
		return nil, err
	}
	return m.over(z.K, z.V)
}

func (m Model) over(k, v Matrix) (Reader, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	return kv{float32(m.Beta), k, v}, nil
}

// Score is the share of questions whose best candidate is the fact's own value,
// row fact of candidates.
func Score(r Reader, ask Questions, candidates Matrix) (float64, error) {
	if r == nil {
		return 0, bad("the reader is nil")
	}
	if len(ask.Facts) == 0 || len(ask.Facts) != ask.Q.Rows {
		return 0, bad("%d facts asked for by %d questions: want as many, and 1 or more", len(ask.Facts), ask.Q.Rows)
	}
	for i, fact := range ask.Facts {
		if fact < 0 || fact >= candidates.Rows {
			return 0, bad("question %d asks for fact %d of %d", i, fact, candidates.Rows)
		}
	}
	if err := errors.Join(ask.Q.check("questions", 0), candidates.check("candidates", 0)); err != nil {
		return 0, err
	}
	const block = 256 // bounds the memory of the logits
	ct, right := rightOfTransposed(candidates), 0
	for from := 0; from < ask.Q.Rows; from += block {
		to := min(from+block, ask.Q.Rows)
		o, err := r.Read(ask.Q.Slice(from, to))
		if err != nil {
			return 0, err
		}
		if o.Rows != to-from {
			return 0, bad("%d questions were answered by %d vectors: want as many", to-from, o.Rows)
		}
		if err := o.check("what the memory returned", candidates.Cols); err != nil {
			return 0, err
		}
		logits := NewMatrix(o.Rows, ct.cols)
		multiply(logits, o, ct)
		if err := logits.check("scores of the candidates", 0); err != nil {
			return 0, err
		}
		for i := range logits.Rows {
			if argmax(logits.Row(i)) == ask.Facts[from+i] {
				right++
			}
		}
	}
	return float64(right) / float64(ask.Q.Rows), nil
}

func argmax(x []float32) int {
	best := 0
	for i, v := range x {
		if v > x[best] {
			best = i
		}
	}
	return best
}
