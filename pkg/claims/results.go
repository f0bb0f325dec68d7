package claims

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ResultsFile is where the results are kept, from the top of the module.
const ResultsFile = "datasets/claims_results.json"

// Results are what experiments computed, seed by seed.
type Results struct {
	Experiments []StoredExperiment `json:"experiments"`
	Rows        []StoredRow        `json:"rows"`
}

// StoredExperiment is how an experiment was run.
type StoredExperiment struct {
	Name          string          `json:"name"`
	Version       int             `json:"version"`
	Seeds         int             `json:"seeds"`
	Deterministic bool            `json:"deterministic"`
	Processor     string          `json:"processor"` // its family, as GOARCH names it
	Free          []string        `json:"free_parameters"`
	Parameters    json.RawMessage `json:"parameters"`
}

// StoredRow is what an experiment gave for one row.
type StoredRow struct {
	ID         string   `json:"id"`
	Experiment string   `json:"experiment"`
	Verdict    Verdict  `json:"verdict"` // when it was stored
	Parts      []string `json:"parts,omitempty"`
	Beside     []string `json:"beside,omitempty"`
	Why        string   `json:"why,omitempty"`
	// Values holds a list for each seed, with one number for each part.
	Values       [][]float64 `json:"values"`
	BesideValues [][]float64 `json:"beside_values,omitempty"`
}

func (r Results) experiment(name string) (StoredExperiment, bool) {
	i := slices.IndexFunc(r.Experiments, func(e StoredExperiment) bool { return e.Name == name })
	if i < 0 {
		return StoredExperiment{}, false
	}
	return r.Experiments[i], true
}

func (r Results) row(id string) (StoredRow, bool) {
	i := slices.IndexFunc(r.Rows, func(s StoredRow) bool { return s.ID == id })
	if i < 0 {
		return StoredRow{}, false
	}
	return r.Rows[i], true
}

// With returns the results with those of fresh's experiments in place of older
// ones of the same experiments.
func (r Results) With(fresh Results) Results {
	out := Results{Experiments: slices.Clone(fresh.Experiments), Rows: slices.Clone(fresh.Rows)}
	for _, e := range r.Experiments {
		if _, again := fresh.experiment(e.Name); again {
			continue
		}
		out.Experiments = append(out.Experiments, e)
		for _, s := range r.Rows {
			if s.Experiment == e.Name {
				out.Rows = append(out.Rows, s)
			}
		}
	}
	slices.SortStableFunc(out.Experiments, func(a, b StoredExperiment) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(out.Rows, func(a, b StoredRow) int { return strings.Compare(a.Experiment, b.Experiment) })
	return out
}

// Write writes the results as JSON, a line for each row, so that a change of a
// row is a change of a line. Equal results give equal bytes.
func (r Results) Write(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString("{\n \"experiments\": [")
	for i, e := range r.Experiments {
		if err := item(&b, i, e, " "); err != nil {
			return err
		}
	}
	b.WriteString("\n ],\n \"rows\": [")
	for i, s := range r.Rows {
		if err := item(&b, i, s, ""); err != nil {
			return err
		}
	}
	b.WriteString("\n ]\n}\n")
	_, err := w.Write(b.Bytes())
	return err
}

func item(b *bytes.Buffer, i int, v any, indent string) error {
	if i > 0 {
		b.WriteByte(',')
	}
	b.WriteString("\n  ")
	var one bytes.Buffer
	enc := json.NewEncoder(&one)
	enc.SetEscapeHTML(false)
	enc.SetIndent(strings.Repeat("  ", len(indent)), indent)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("claims: %w", err)
	}
	b.WriteString(strings.TrimSuffix(one.String(), "\n"))
	return nil
}
