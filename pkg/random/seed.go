package random

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Seed is what a whole run is drawn from. Every value is a seed, 0 included.
type Seed uint64

// Stream returns the generator of one purpose, at its beginning. The same names
// under the same seed give the same numbers; other names, another order, or
// names cut elsewhere ("ab" or "a", "b") give independent ones. The generator
// is not safe for concurrent use.
func (s Seed) Stream(names ...string) *rand.Rand {
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, 64), uint64(s))
	for _, name := range names {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(name)))
		b = append(b, name...)
	}
	h := sha256.Sum256(b)
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(h[:8]), binary.LittleEndian.Uint64(h[8:16])))
}
