package cartridge

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

const format = "memlab cartridge 1"

// file is a cartridge as JSON: the format's name, p, the lengths of a key and of
// a value, how many leading slots are frozen, and the numbers of all keys and of
// all values, slot by slot. A float32 comes back as the same float32.
type file struct {
	Format string    `json:"format"`
	Slots  int       `json:"slots"`
	KeyDim int       `json:"key_dim"`
	Dim    int       `json:"value_dim"`
	Frozen int       `json:"frozen"`
	Keys   []float32 `json:"keys"`
	Values []float32 `json:"values"`
}

// Save writes a cartridge as one line of JSON with the fields format ("memlab
// cartridge 1"), slots, key_dim, value_dim, frozen, keys and values; the last two
// are all numbers in a row, slot by slot.
func (z *Cartridge) Save(w io.Writer) error {
	if err := z.Check(); err != nil {
		return err
	}
	err := json.NewEncoder(w).Encode(file{format, z.Slots(), z.K.Cols, z.V.Cols, z.Frozen, z.K.Data, z.V.Data})
	if err != nil {
		return fmt.Errorf("cartridge: save: %w", err)
	}
	return nil
}

// Load reads what Save wrote. Name says in errors where it came from.
func Load(name string, r io.Reader) (*Cartridge, error) {
	var f file
	d := json.NewDecoder(r)
	switch err := d.Decode(&f); {
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("cartridge: load %s: %w: it is empty: want what Save wrote", name, ErrInput)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("cartridge: load %s: %w: it breaks off: want all that Save wrote", name, ErrInput)
	case err != nil:
		return nil, fmt.Errorf("cartridge: load %s: %w: %w", name, ErrInput, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("cartridge: load %s: %w: something follows the cartridge: want one and no more", name, ErrInput)
	}
	if f.Format != format {
		return nil, fmt.Errorf("cartridge: load %s: %w: format %q: want %q", name, ErrInput, f.Format, format)
	}
	z := &Cartridge{
		K: Matrix{f.Slots, f.KeyDim, f.Keys}, V: Matrix{f.Slots, f.Dim, f.Values}, Frozen: f.Frozen,
	}
	if err := z.Check(); err != nil {
		return nil, fmt.Errorf("load %s: %w", name, err)
	}
	return z, nil
}

// Fits says whether a cartridge has the shape that is wanted, such as that of a
// checkpoint to go on with.
func (z *Cartridge) Fits(p, keyDim, valueDim int) error {
	if err := z.Check(); err != nil {
		return err
	}
	if z.Slots() != p || z.K.Cols != keyDim || z.V.Cols != valueDim {
		return bad("a cartridge of %d slots, keys of %d and values of %d numbers: want %d, %d and %d",
			z.Slots(), z.K.Cols, z.V.Cols, p, keyDim, valueDim)
	}
	return nil
}
