package claims

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
)

// Run runs every experiment under seeds 0 to seeds-1, or with 0 under its own
// number of seeds. Deterministic experiments always run once.
func (r *Registry) Run(seeds int) (Results, error) {
	var out Results
	if seeds < 0 {
		return out, fmt.Errorf("claims: %d seeds: want 1 or more, or 0 for each experiment's own number", seeds)
	}
	verdicts := byID(r.rows)
	for _, e := range r.experiments {
		n := cmp.Or(seeds, e.Seeds)
		if e.Deterministic {
			n = 1
		}
		run, computed, err := e.run(n)
		if err != nil {
			return out, fmt.Errorf("claims: experiment %q: %w", e.Name, err)
		}
		for i, c := range computed {
			computed[i].Verdict = judge(verdicts[c.ID], &c, e.Deterministic).Verdict
		}
		out.Experiments = append(out.Experiments, run)
		out.Rows = append(out.Rows, computed...)
	}
	return out, nil
}

// head is how the experiment is run with n seeds.
func (e Experiment) head(n int) (StoredExperiment, error) {
	parameters, err := json.Marshal(e.Parameters)
	if err != nil {
		return StoredExperiment{}, fmt.Errorf("parameters: %w", err)
	}
	return StoredExperiment{
		Name: e.Name, Version: e.Version, Seeds: n, Deterministic: e.Deterministic,
		Processor: runtime.GOARCH, Free: e.Free, Parameters: parameters,
	}, nil
}

func (e Experiment) run(n int) (StoredExperiment, []StoredRow, error) {
	head, err := e.head(n)
	if err != nil {
		return head, nil, err
	}
	rows := make([]StoredRow, len(e.Yields))
	for i, y := range e.Yields {
		rows[i] = StoredRow{ID: y.ID, Experiment: e.Name, Parts: y.Parts, Beside: y.Beside, Why: y.Why}
	}
	for seed := range n {
		values, err := e.Run(seed)
		if err != nil {
			return head, nil, fmt.Errorf("seed %d: %w", seed, err)
		}
		if err := e.check(values); err != nil {
			return head, nil, fmt.Errorf("seed %d: %w", seed, err)
		}
		for i, y := range e.Yields {
			v := values[y.ID]
			rows[i].Values = append(rows[i].Values, v.Parts)
			if len(y.Beside) > 0 {
				rows[i].BesideValues = append(rows[i].BesideValues, v.Beside)
			}
		}
	}
	return head, rows, nil
}

// check holds what a seed gave against what the experiment said it yields.
func (e Experiment) check(values Values) error {
	for _, y := range e.Yields {
		v, ok := values[y.ID]
		if !ok {
			return fmt.Errorf("%q was not computed", y.ID)
		}
		if len(v.Parts) != max(1, len(y.Parts)) || len(v.Beside) != len(y.Beside) {
			return fmt.Errorf("%q has %d numbers and %d beside: want %d and %d",
				y.ID, len(v.Parts), len(v.Beside), max(1, len(y.Parts)), len(y.Beside))
		}
		for _, x := range slices.Concat(v.Parts, v.Beside) {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("%q is %g: want a finite number", y.ID, x)
			}
		}
	}
	if len(values) != len(e.Yields) {
		for id := range values {
			if !slices.ContainsFunc(e.Yields, func(y Yield) bool { return y.ID == id }) {
				return fmt.Errorf("%q was computed but is not among the yielded rows", id)
			}
		}
	}
	return nil
}
