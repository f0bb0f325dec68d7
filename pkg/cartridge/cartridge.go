package cartridge

import (
	"math/rand/v2"
	"slices"
)

// Cartridge is p trained slots, each a key and a value that stand in for tokens
// of the document's KV cache.
type Cartridge struct {
	K, V Matrix
	// Frozen is how many leading slots training leaves as they are: one, if
	// the first token is an attention sink.
	Frozen int
}

// Check says what is wrong with a cartridge.
func (z *Cartridge) Check() error {
	if z == nil {
		return bad("the cartridge is nil")
	}
	if err := z.K.check("slots' keys", 0); err != nil {
		return err
	}
	if err := z.V.check("slots' values", 0); err != nil {
		return err
	}
	switch {
	case z.K.Rows != z.V.Rows:
		return bad("%d keys and %d values of slots: want as many of both", z.K.Rows, z.V.Rows)
	case z.Frozen < 0 || z.Frozen > z.K.Rows:
		return bad("%d frozen slots of %d: want 0 to %d", z.Frozen, z.K.Rows, z.K.Rows)
	}
	return nil
}

// Slots is p.
func (z *Cartridge) Slots() int { return z.K.Rows }

// Clone is a copy with storage of its own.
func (z *Cartridge) Clone() *Cartridge {
	return &Cartridge{K: z.K.Clone(), V: z.V.Clone(), Frozen: z.Frozen}
}

// Freeze is a copy of which training leaves the first n slots as they are.
func (z *Cartridge) Freeze(n int) (*Cartridge, error) {
	if z == nil {
		return nil, z.Check()
	}
	out := z.Clone()
	out.Frozen = n
	return out, out.Check()
}

// FirstTokens starts with the first p facts of the document.
func FirstTokens(c *Corpus, p int) (*Cartridge, error) {
	if err := checkSlots(c, p); err != nil {
		return nil, err
	}
	return &Cartridge{K: c.K.Slice(0, p).Clone(), V: c.V.Slice(0, p).Clone()}, nil
}

// RandomTokens starts with p different facts of the document, in its order.
func RandomTokens(c *Corpus, p int, rng *rand.Rand) (*Cartridge, error) {
	if err := checkSlots(c, p); err != nil {
		return nil, err
	}
	chosen := rng.Perm(c.Facts())[:p]
	slices.Sort(chosen)
	z := &Cartridge{K: NewMatrix(p, c.K.Cols), V: NewMatrix(p, c.V.Cols)}
	for i, fact := range chosen {
		copy(z.K.Row(i), c.K.Row(fact))
		copy(z.V.Row(i), c.V.Row(fact))
	}
	return z, nil
}

// RandomVectors starts with p vectors of standard normal numbers, which are about
// sqrt(d) long, 8 in 64 dimensions; or, if unitLength is set, with the same
// vectors divided by their lengths.
func RandomVectors(c *Corpus, p int, unitLength bool, rng *rand.Rand) (*Cartridge, error) {
	if err := checkSlots(c, p); err != nil {
		return nil, err
	}
	z := &Cartridge{K: NewMatrix(p, c.K.Cols), V: NewMatrix(p, c.V.Cols)}
	for _, m := range []Matrix{z.K, z.V} {
		normal(m.Data, rng)
		if unitLength {
			for i := range p {
				unit(m.Row(i))
			}
		}
	}
	return z, nil
}

func checkSlots(c *Corpus, p int) error {
	if err := c.Check(); err != nil {
		return err
	}
	if p < 1 || p > c.Facts() {
		return bad("p = %d slots for %d facts: want 1 to %d", p, c.Facts(), c.Facts())
	}
	return nil
}

// Concat puts cartridges that were trained apart one after the other. Frozen
// slots count as such only as far as they lead.
func Concat(parts ...*Cartridge) (*Cartridge, error) {
	keys, values := make([]Matrix, len(parts)), make([]Matrix, len(parts))
	frozen, leading := 0, true
	for i, z := range parts {
		if err := z.Check(); err != nil {
			return nil, err
		}
		keys[i], values[i] = z.K, z.V
		if leading {
			frozen += z.Frozen
			leading = z.Frozen == z.Slots()
		}
	}
	k, err := Stack(keys...)
	if err != nil {
		return nil, err
	}
	v, err := Stack(values...)
	if err != nil {
		return nil, err
	}
	return &Cartridge{K: k, V: v, Frozen: frozen}, nil
}
