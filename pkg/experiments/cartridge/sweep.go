package cartridge

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"memlab/pkg/experiments/cartridge/stored"
)

// Sweep is a curve that is computed once and stored.
type Sweep struct {
	Name  string
	Seeds []int
	Run   func(ctx context.Context, p Parameters, seeds []int) (stored.Curve, error)
}

var (
	one   = []int{0}
	three = []int{0, 1, 2}
)

// Sweeps are the curves of datasets/cartridge_curves.json. All of them take a
// quarter of an hour on one core; where three seeds cost too much there is one. To
// compute and store them anew, all or some by name:
//
//	go test ./pkg/experiments/cartridge -run TestStoredCurves -timeout 1h -update all
func Sweeps() []Sweep {
	return []Sweep{
		sweep("slots", "slots", three, nil, func(ctx context.Context, p Parameters, seed int) ([]SlotsPoint, error) {
			return OverSlots(ctx, p, seed, []int{4, 8, 16, 32, 64, 128, 256})
		}),
		sweep("steps", "steps", three, nil, func(ctx context.Context, p Parameters, seed int) ([]StepsPoint, error) {
			return OverSteps(ctx, p, seed, p.Slots, []int{0, 100, 250, 500, 1000, 2000, 3000, 5000, 8000})
		}),
		sweep("composition", "slots", one, nil, func(ctx context.Context, p Parameters, seed int) ([]LeakPoint, error) {
			return Leaks(ctx, p, seed, []int{16, 32, 64, 128})
		}),
		sweep("joint", "steps", one, nil, func(ctx context.Context, p Parameters, seed int) ([]JointPoint, error) {
			return Jointly(ctx, p, seed, []int{0, 50, 100, 200, 400, 800, 1500, 3000})
		}),
		sweep("beta", "beta", one, []string{"gamma"}, func(ctx context.Context, p Parameters, seed int) ([]SensitivityPoint, error) {
			return Sensitivity(ctx, p, seed, []float64{5, 10, 20, 40}, []float64{p.Gamma})
		}),
		sweep("gamma", "gamma", one, []string{"beta"}, func(ctx context.Context, p Parameters, seed int) ([]SensitivityPoint, error) {
			return Sensitivity(ctx, p, seed, []float64{p.Beta}, []float64{2.5, 5, 10, 20})
		}),
		sweep("distance", "distance", one, nil, func(ctx context.Context, p Parameters, seed int) ([]DistancePoint, error) {
			return Distances(ctx, p, seed, p.Slots, []float64{0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1})
		}),
		sweep("kinds", "trained", three, nil, func(ctx context.Context, p Parameters, seed int) ([]KindsPoint, error) {
			return Kinds(ctx, p, seed, p.Slots)
		}),
		sweep("low rank", "slots", one, nil, func(ctx context.Context, p Parameters, seed int) ([]LowRankPoint, error) {
			return LowRank(ctx, p, seed, []int{8, 16, 32, 64})
		}),
		sweep("long", "steps", one, nil, func(ctx context.Context, p Parameters, seed int) ([]LongPoint, error) {
			return OverLong(ctx, p, seed, []int{0, 500, 1000, 2000, 3000, 4500, 6000})
		}),
	}
}

// LongPoint is training on a document longer than the window after some steps.
type LongPoint struct {
	Steps   int     `json:"steps"`
	Chunked float64 `json:"chunked"` // by teachers that see a window each
	ICL     float64 `json:"icl"`     // with what fits into the window
}

// OverLong looks at the training of the long document by chunks on its way.
func OverLong(ctx context.Context, p Parameters, seed int, steps []int) ([]LongPoint, error) {
	l, err := p.open(ctx, seed, "long", p.LongFacts)
	if err != nil {
		return nil, err
	}
	if len(steps) == 0 {
		return nil, bad("no steps to look at")
	}
	icl, err := l.truncated(p.Window)
	if err != nil {
		return nil, err
	}
	s := l.study()
	s.ConstantTargets, s.Chunk = false, p.Window
	shares, err := l.trainFirst(s, p.LongSlots, steps...)
	if err != nil {
		return nil, err
	}
	out := make([]LongPoint, len(steps))
	for i, n := range steps {
		out[i] = LongPoint{Steps: n, Chunked: shares[i], ICL: icl}
	}
	return out, nil
}

// sweep makes a curve of what a function finds for each seed: its JSON field x
// gives the places, the others that are not left out the lines.
func sweep[P any](name, x string, seeds []int, leftOut []string, run func(context.Context, Parameters, int) ([]P, error)) Sweep {
	return Sweep{Name: name, Seeds: seeds, Run: func(ctx context.Context, p Parameters, seeds []int) (stored.Curve, error) {
		c := stored.Curve{Name: name, X: x, Seeds: seeds}
		for _, seed := range seeds {
			points, err := run(ctx, p, seed)
			if err != nil {
				return c, err
			}
			if err := add(&c, points, leftOut); err != nil {
				return c, err
			}
		}
		return c, nil
	}}
}

// add adds one seed to a curve.
func add[P any](c *stored.Curve, points []P, leftOut []string) error {
	data, err := json.Marshal(points)
	if err != nil {
		return err
	}
	var rows []map[string]any
	if err := json.Unmarshal(data, &rows); err != nil {
		return err
	}
	if len(rows) == 0 {
		return bad("no points in %q", c.Name)
	}
	first := len(c.Lines) == 0
	if first {
		for _, name := range slices.Sorted(maps.Keys(rows[0])) {
			if name != c.X && !slices.Contains(leftOut, name) {
				c.Lines = append(c.Lines, stored.Line{Name: name})
			}
		}
	}
	for i := range c.Lines {
		var values []float64
		for _, row := range rows {
			values = append(values, row[c.Lines[i].Name].(float64))
		}
		c.Lines[i].Values = append(c.Lines[i].Values, values)
	}
	for _, row := range rows {
		switch at := row[c.X].(type) {
		case float64:
			if first {
				c.At = append(c.At, at)
			}
		case []any:
			if first {
				c.Labels = append(c.Labels, words(at))
			}
		}
	}
	return nil
}

func words(list []any) string {
	var out []string
	for _, x := range list {
		out = append(out, x.(string))
	}
	return strings.Join(out, ", ")
}
