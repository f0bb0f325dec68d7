package cartridge

import "memlab/pkg/random"

// Problem is what gradients are compared on: a document, a cartridge that has
// left its start, and one batch of questions with the teacher's answers.
type Problem struct {
	Model     Model
	Facts     int
	Dims      int
	Slots     int
	Batch     int
	Chunk     int // facts that a teacher sees; 0: all
	Objective Objective
	Seed      random.Seed
}

// SmallProblem takes some milliseconds, of which the central differences are
// nearly all.
func SmallProblem() Problem {
	return Problem{Model: DefaultModel(), Facts: 48, Dims: 16, Slots: 8, Batch: 12, Chunk: 24}
}

// pose draws the problem, once in float64 and once for engines.
func (p Problem) pose() (*literal, *Cartridge, *Batch, error) {
	if p.Batch < 1 {
		return nil, nil, nil, bad("batch %d: want 1 or more", p.Batch)
	}
	c, err := NewCorpus(p.Facts, p.Dims, p.Seed.Stream("gradient", "corpus"))
	if err != nil {
		return nil, nil, nil, err
	}
	z, err := FirstTokens(c, p.Slots)
	if err != nil {
		return nil, nil, nil, err
	}
	rng := p.Seed.Stream("gradient", "slots")
	for _, m := range []Matrix{z.K, z.V} {
		for i := range m.Data {
			m.Data[i] += float32(0.1 * rng.NormFloat64())
		}
	}
	study := Study{Model: p.Model, Corpus: c, Chunk: p.Chunk, Distance: DefaultDistance, Objective: p.Objective}
	source, err := study.Open(p.Seed)
	if err != nil {
		return nil, nil, nil, err
	}
	b := newBatch(p.Batch, p.Dims, p.Dims)
	if err := source.Next(b); err != nil {
		return nil, nil, nil, err
	}
	l := &literal{
		beta: p.Model.Beta, gamma: p.Model.Gamma, q: doubles(b.Q), c: doubles(c.V),
		t: make([][]float64, p.Batch), zk: doubles(z.K), zv: doubles(z.V),
	}
	chunk := p.Chunk
	if chunk == 0 {
		chunk = p.Facts
	}
	for i, fact := range b.Facts {
		if p.Objective == Distill {
			from := fact / chunk * chunk
			l.teach(i, c, from, min(from+chunk, p.Facts))
			continue
		}
		l.t[i] = make([]float64, p.Facts)
		l.t[i][fact] = 1
	}
	return l, z, b, nil
}

func (l *literal) candidates() Matrix {
	m := NewMatrix(len(l.c), len(l.c[0]))
	for i, row := range l.c {
		for j, x := range row {
			m.Row(i)[j] = float32(x)
		}
	}
	return m
}
