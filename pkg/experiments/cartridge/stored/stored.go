// Package stored reads the curves that package experiments/cartridge has computed,
// without linking what computed them. It is for lessons and notebooks, whose cells
// would otherwise wait a quarter of an hour. Its main type is Curves, every point of
// which keeps the value of each seed; Line.Mean makes means and intervals of them.
// Reading costs a millisecond. The file is datasets/cartridge_curves.json; its seeds
// and parameters stand in it, and how to write it anew in experiments/cartridge.Sweeps.
package stored

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"memlab/datasets"
	"memlab/pkg/claims"
)

// ErrFile is the kind of every error about the file and what it lacks.
var ErrFile = errors.New("bad file of curves")

// Curves are all that is stored.
type Curves struct {
	// Parameters are those of the experiments, experiments/cartridge.Parameters.
	Parameters json.RawMessage `json:"parameters"`
	Curves     []Curve         `json:"curves"`
}

// Curve is one sweep.
type Curve struct {
	Name string `json:"name"`
	// X says what At are, numbers in rising order, or what Labels are.
	X      string    `json:"x"`
	At     []float64 `json:"at,omitempty"`
	Labels []string  `json:"labels,omitempty"`
	Seeds  []int     `json:"seeds"`
	Lines  []Line    `json:"lines"`
}

// Line is one quantity of a sweep.
type Line struct {
	Name   string      `json:"name"`
	Values [][]float64 `json:"values"` // for each seed, one at each point
}

// Points is at how many places the sweep stopped.
func (c Curve) Points() int { return max(len(c.At), len(c.Labels)) }

// Mean is the mean over seeds at each point with its 95% interval; that of one
// seed is the value itself.
func (l Line) Mean() (mean, low, high []float64) {
	for i := range l.Values[0] {
		var at []float64
		for _, seed := range l.Values {
			at = append(at, seed[i])
		}
		m, from, to := claims.Interval(at)
		mean, low, high = append(mean, m), append(low, from), append(high, to)
	}
	return mean, low, high
}

// Line finds a line by its name.
func (c Curve) Line(name string) (Line, error) {
	for _, l := range c.Lines {
		if l.Name == name {
			return l, nil
		}
	}
	return Line{}, fmt.Errorf("stored: %w: curve %q has no line %q", ErrFile, c.Name, name)
}

// Find finds a curve by its name.
func (c *Curves) Find(name string) (Curve, error) {
	for _, x := range c.Curves {
		if x.Name == name {
			return x, nil
		}
	}
	return Curve{}, fmt.Errorf("stored: %w: no curve %q", ErrFile, name)
}

// Read is the file that is embedded.
var Read = sync.OnceValues(func() (*Curves, error) { return Parse(datasets.CartridgeCurves) })

// Parse reads a file of curves and checks that every line has a value for every
// seed and point.
func Parse(data []byte) (*Curves, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	c := new(Curves)
	if err := d.Decode(c); err != nil {
		return nil, fmt.Errorf("stored: %w: %w", ErrFile, err)
	}
	for _, x := range c.Curves {
		if err := x.check(); err != nil {
			return nil, fmt.Errorf("stored: %w: curve %q: %w", ErrFile, x.Name, err)
		}
	}
	return c, nil
}

func (c Curve) check() error {
	switch {
	case c.Points() == 0 || len(c.At) > 0 && len(c.Labels) > 0:
		return errors.New("want points by number or by label")
	case len(c.Seeds) == 0 || len(c.Lines) == 0:
		return errors.New("want seeds and lines")
	}
	for _, l := range c.Lines {
		if len(l.Values) != len(c.Seeds) {
			return fmt.Errorf("line %q has %d seeds: want %d", l.Name, len(l.Values), len(c.Seeds))
		}
		for _, seed := range l.Values {
			if len(seed) != c.Points() {
				return fmt.Errorf("line %q has %d points: want %d", l.Name, len(seed), c.Points())
			}
		}
	}
	return nil
}
