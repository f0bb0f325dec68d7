package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	"memlab/pkg/cartridge"
	"memlab/pkg/random"
)

const (
	steps = 200 // of one repeat
	dims  = 64
	seed  = random.Seed(0)
)

// size is that of a problem. Its data are a file of that name, little-endian:
// keys and values (facts x dims float32 each), the facts asked for (steps x
// batch int32), the questions (steps x batch x dims float32).
type size struct{ facts, slots, batch int }

var sizes = []size{{512, 64, 64}, {512, 64, 128}, {512, 64, 256}, {2048, 256, 128}}

func (s size) String() string { return fmt.Sprintf("N%d-p%d-b%d", s.facts, s.slots, s.batch) }

type data struct {
	corpus *cartridge.Corpus
	facts  []int32
	q      cartridge.Matrix // steps x batch rows
}

func (s size) empty() *data {
	return &data{
		corpus: &cartridge.Corpus{K: cartridge.NewMatrix(s.facts, dims), V: cartridge.NewMatrix(s.facts, dims)},
		facts:  make([]int32, steps*s.batch),
		q:      cartridge.NewMatrix(steps*s.batch, dims),
	}
}

// parts are what the file holds, in order.
func (d *data) parts() []any { return []any{d.corpus.K.Data, d.corpus.V.Data, d.facts, d.q.Data} }

// study is what the batches are drawn from.
func study(c *cartridge.Corpus, constant bool) cartridge.Study {
	return cartridge.Study{
		Model: cartridge.DefaultModel(), Corpus: c, Distance: cartridge.DefaultDistance, ConstantTargets: constant,
	}
}

func (s size) newBatch() *cartridge.Batch {
	return &cartridge.Batch{
		Facts: make([]int, s.batch), Q: cartridge.NewMatrix(s.batch, dims), Mean: cartridge.NewMatrix(s.batch, dims),
		NegEntropy: make([]float32, s.batch),
	}
}

func (s size) write(folder string) error {
	corpus, err := cartridge.NewCorpus(s.facts, dims, seed.Stream("bench", "corpus"))
	if err != nil {
		return err
	}
	source, err := study(corpus, true).Open(seed)
	if err != nil {
		return err
	}
	d, b := s.empty(), s.newBatch()
	d.corpus = corpus
	for i := range steps {
		if err := source.Next(b); err != nil {
			return err
		}
		for j, fact := range b.Facts {
			d.facts[i*s.batch+j] = int32(fact)
		}
		copy(d.q.Slice(i*s.batch, (i+1)*s.batch).Data, b.Q.Data)
	}
	var file []byte
	for _, part := range d.parts() {
		if file, err = binary.Append(file, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(folder, s.String()), file, 0o644)
}

func (s size) read(folder string) (*data, error) {
	name := filepath.Join(folder, s.String())
	file, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	d := s.empty()
	for _, part := range d.parts() {
		n, err := binary.Decode(file, binary.LittleEndian, part)
		if err != nil {
			return nil, fmt.Errorf("%s: shorter than the problem: %w", name, err)
		}
		file = file[n:]
	}
	if len(file) > 0 {
		return nil, fmt.Errorf("%s: %d bytes more than the problem has", name, len(file))
	}
	return d, nil
}
