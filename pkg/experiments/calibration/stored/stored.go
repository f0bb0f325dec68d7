// Package stored reads what package experiments/calibration has computed, without
// linking the experiments. It is for lessons, notebooks and the command line, which
// would otherwise wait some minutes. Its main types are Calibration, half of the
// fitted rows predicted from the other half, and Sensitivity, the rows that turn red
// when one parameter moves. Reading costs a millisecond. The files are
// datasets/heldout.json and datasets/sensitivity.json; seeds, ranges and budgets
// stand in them, and memlab claims --heldout --update writes them anew.
package stored

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"memlab/datasets"
)

// Where the results are kept, from the top of the module.
const (
	HeldOutFile     = "datasets/heldout.json"
	SensitivityFile = "datasets/sensitivity.json"
)

// ErrFile is the kind of every error about a file that is not as it should be.
var ErrFile = errors.New("bad file of a calibration")

// Scale says how a range is drawn from.
type Scale string

// The scales: equal steps are equally likely, or equal factors, or whole numbers.
const (
	Linear Scale = "linear"
	Log    Scale = "log"
	Whole  Scale = "whole"
)

// Range is where a free parameter may come from before anybody has looked at the
// lecture's numbers.
type Range struct {
	Name    string  `json:"name"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Scale   Scale   `json:"scale"`
	Default float64 `json:"default"` // the calibrated value, which the search does not know
	Means   string  `json:"means"`   // what the range stands for
}

// Calibration is the held-out calibration of several experiments.
type Calibration struct {
	Version   int    `json:"version"`
	Processor string `json:"processor"` // its family, as GOARCH names it
	// Seed is that of draws and search, FirstFitSeed the first that experiments
	// are fitted on; they are judged on 0 and up.
	Seed         int          `json:"seed"`
	FirstFitSeed int          `json:"first_fit_seed"`
	Experiments  []Experiment `json:"experiments"`
	NotFitted    []NotFitted  `json:"not_fitted"`
}

// NotFitted is an experiment with fitted rows that was left out.
type NotFitted struct {
	Experiment string `json:"experiment"`
	Why        string `json:"why"`
}

// Experiment is one experiment, fitted twice.
type Experiment struct {
	Name    string  `json:"name"`
	Version int     `json:"version"`
	Ranges  []Range `json:"ranges"`
	// FitSeeds is the number of seeds that the search saw, Seeds that of the
	// verdicts.
	FitSeeds int `json:"fit_seeds"`
	Seeds    int `json:"seeds"`
	// Draws are random values from the ranges, Impossible those that the
	// experiment refused; Steps is the budget of the search in evaluations.
	Draws      int     `json:"draws"`
	Impossible int     `json:"impossible_draws"`
	Steps      int     `json:"steps"`
	Splits     []Split `json:"splits"`
}

// Split is one half that was fitted and the other that was predicted.
type Split struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"` // found by the search, in the order of the ranges
	// The sum over the rows that were fitted of (mean - lecture's value)² in
	// tolerances, over the seeds of the fit: of what was found, of the best draw
	// that the search started from, and of the calibrated values.
	Loss      float64 `json:"loss"`
	DrawnLoss float64 `json:"best_draw_loss"`
	OurLoss   float64 `json:"calibrated_loss"`
	Fit       []Row   `json:"fit"`
	Held      []Row   `json:"held_out"`
}

// Row is one row under the values that were found. Of a row with several numbers
// Mean, Low and High are those of the one nearest to its edge, of an order they are
// its margin.
type Row struct {
	ID       string   `json:"id"`
	Lecture  string   `json:"lecture"`
	Mean     float64  `json:"mean"`
	Low      float64  `json:"low"` // 95% interval of the mean over seeds
	High     float64  `json:"high"`
	BandLow  *float64 `json:"band_low"` // nil: open
	BandHigh *float64 `json:"band_high"`
	// Hit says that the mean lies in the band, of several numbers each. That is
	// stricter than the verdict of claims, which the interval decides.
	Hit bool `json:"hit"`
	// Null is the share of random draws that hit, over the seeds of the fit.
	Null float64 `json:"null"`
}

// Hits counts hits.
func Hits(rows []Row) int {
	n := 0
	for _, r := range rows {
		if r.Hit {
			n++
		}
	}
	return n
}

// Null is how many of the rows random values of the parameters hit on average.
func Null(rows []Row) float64 {
	sum := 0.0
	for _, r := range rows {
		sum += r.Null
	}
	return sum
}

// HeldOut is datasets/heldout.json.
var HeldOut = sync.OnceValues(func() (*Calibration, error) {
	return parse[Calibration](HeldOutFile, datasets.HeldOut)
})

// Sensitivities is datasets/sensitivity.json.
var Sensitivities = sync.OnceValues(func() (*Sensitivity, error) {
	return parse[Sensitivity](SensitivityFile, datasets.Sensitivity)
})

// Marshal is the text of a file of either kind. Equal results give equal bytes.
func Marshal(x any) ([]byte, error) {
	data, err := json.MarshalIndent(x, "", "\t")
	if err != nil {
		return nil, fmt.Errorf("stored: %w", err)
	}
	return append(data, '\n'), nil
}

type checked interface{ check() error }

func parse[T any](file string, data []byte) (*T, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	x := new(T)
	if err := d.Decode(x); err != nil {
		at := d.InputOffset()
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			at = syntax.Offset
		case errors.As(err, &kind):
			at = kind.Offset
		}
		line := 1 + bytes.Count(data[:min(int(at), len(data))], []byte("\n"))
		return nil, fmt.Errorf("%s:%d: %w: %w", file, line, ErrFile, err)
	}
	if err := any(x).(checked).check(); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", file, ErrFile, err)
	}
	if err := whole(data, x); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", file, ErrFile, err)
	}
	return x, nil
}

func (c *Calibration) check() error {
	for i, e := range c.Experiments {
		if e.Name == "" {
			return fmt.Errorf("experiment %d: want a name", i)
		}
		if len(e.Ranges) == 0 || len(e.Splits) == 0 {
			return fmt.Errorf("%q: want ranges and splits", e.Name)
		}
		for _, s := range e.Splits {
			if len(s.Values) != len(e.Ranges) {
				return fmt.Errorf("%q, %s: %d values: want %d, one for each range", e.Name, s.Name, len(s.Values), len(e.Ranges))
			}
			if len(s.Fit) == 0 || len(s.Held) == 0 {
				return fmt.Errorf("%q, %s: %d rows fitted, %d held out: want some of both", e.Name, s.Name, len(s.Fit), len(s.Held))
			}
		}
	}
	return checkHead(c.Version, len(c.Experiments))
}

func checkHead(version, experiments int) error {
	if version < 1 || experiments == 0 {
		return fmt.Errorf("version %d with %d experiments: want 1 or more of both", version, experiments)
	}
	return nil
}
