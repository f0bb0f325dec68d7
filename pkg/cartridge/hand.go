package cartridge

import "math"

// hand is the engine with the hand-written backward pass.
type hand struct {
	setup      Setup
	softmax    bool      // of the slots' scores; LowRank has none
	c, ct      *right    // candidates, and transposed
	zkt, zvt   *right    // slots, transposed
	zv, q, dr  *right    // values, questions and d as right factors
	s, st      Matrix    // attention, batch x slots, and its transpose
	o, d       Matrix    // what is read, and the derivative by it
	logits     Matrix    // of the candidates, then their exponentials
	over       []float32 // 1 / sum of a row of logits
	a, at      Matrix    // derivative by the scores, and its transpose
	beta, gain float32
}

// ByHand makes the engine whose backward pass was derived by hand. With
// probabilities p_s of the student, attention S and B questions,
//
//	d    = Gamma/B (p_s C - t C)
//	g_zv = S^T d
//	A    = d zv^T,  A = (A - rowsum(A*S)) * S
//	g_zk = Beta A^T q
func ByHand(s Setup) (Engine, error) { return newHand(s, true) }

// LowRank makes the engine for a low-rank change of the model itself, the toy's
// LoRA: p slots without a softmax, o = q zk^T zv, are a matrix of rank p that is
// added to the path from question to answer, with as many parameters as a
// cartridge of p slots has. Its cartridge is to be read by LowRankReader.
func LowRank(s Setup) (Engine, error) { return newHand(s, false) }

func newHand(s Setup, softmax bool) (Engine, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	b, p, dv := s.Batch, s.Slots, s.Candidates.Cols
	h := &hand{
		setup: s, softmax: softmax, c: rightOf(s.Candidates), ct: rightOfTransposed(s.Candidates),
		zkt: new(right), zvt: new(right), zv: new(right), q: new(right), dr: new(right),
		s: NewMatrix(b, p), st: NewMatrix(p, b), o: NewMatrix(b, dv), d: NewMatrix(b, dv),
		logits: NewMatrix(b, s.Candidates.Rows), over: make([]float32, b), a: NewMatrix(b, p), at: NewMatrix(p, b),
		beta: float32(s.Model.Beta), gain: float32(s.Model.Gamma),
	}
	return h, nil
}

func (h *hand) Gradient(z *Cartridge, b *Batch, g *Gradient) (float64, error) {
	if err := h.setup.Fits(z, b, g); err != nil {
		return 0, err
	}
	h.read(z, b.Q)
	loss := h.compare(b)
	h.backward(z, b.Q, g)
	return loss, nil
}

// read fills s and o.
func (h *hand) read(z *Cartridge, q Matrix) {
	h.zkt.setTransposed(z.K)
	multiply(h.s, q, h.zkt)
	if h.softmax {
		softmax(h.s, h.beta)
	}
	h.zv.set(z.V)
	multiply(h.o, h.s, h.zv)
}

// compare fills d and returns the mean KL divergence.
func (h *hand) compare(b *Batch) float64 {
	n := h.setup.Batch
	multiply(h.logits, h.o, h.ct)
	var loss float64
	for i := range n {
		m, sum := expRow(h.logits.Row(i), h.gain)
		loss += float64(b.NegEntropy[i]) + float64(h.gain)*float64(m) + math.Log(float64(sum)) -
			float64(h.gain)*float64(dot(h.o.Row(i), b.Mean.Row(i)))
		h.over[i] = 1 / sum
	}
	multiply(h.d, h.logits, h.c)
	for i := range n {
		minus(h.d.Row(i), h.over[i], b.Mean.Row(i), h.gain/float32(n))
	}
	return loss / float64(n)
}

// backward fills g.
func (h *hand) backward(z *Cartridge, q Matrix, g *Gradient) {
	h.s.transposeInto(h.st)
	h.dr.set(h.d)
	multiply(g.V, h.st, h.dr)
	h.zvt.setTransposed(z.V)
	multiply(h.a, h.d, h.zvt)
	if h.softmax {
		for i := range h.a.Rows {
			a, s := h.a.Row(i), h.s.Row(i)
			throughSoftmax(a, s, dot(a, s), h.beta)
		}
	}
	h.a.transposeInto(h.at)
	h.q.set(q)
	multiply(g.K, h.at, h.q)
}

// LowRankReader reads what the LowRank engine trained beside a frozen reader,
// such as a document in the context; beside may be nil.
func LowRankReader(z *Cartridge, beside Reader) (Reader, error) {
	if err := z.Check(); err != nil {
		return nil, err
	}
	m := NewMatrix(z.K.Cols, z.V.Cols)
	product(m, z.K.Transpose(), z.V)
	return lowRank{Linear{m}, beside}, nil
}

type lowRank struct {
	change Linear
	beside Reader
}

func (r lowRank) Read(q Matrix) (Matrix, error) {
	o, err := r.change.Read(q)
	if err != nil || r.beside == nil {
		return o, err
	}
	more, err := r.beside.Read(q)
	if err != nil {
		return Matrix{}, err
	}
	if more.Rows != o.Rows || more.Cols != o.Cols {
		return Matrix{}, bad("the frozen reader returns %d x %d: want %d x %d", more.Rows, more.Cols, o.Rows, o.Cols)
	}
	for i, x := range more.Data {
		o.Data[i] += x
	}
	return o, nil
}
