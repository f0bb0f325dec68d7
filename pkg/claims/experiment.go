package claims

import (
	"errors"
	"fmt"
)

// Experiment computes several rows at once. A package that holds one exports a
// function that returns it; nothing registers itself.
type Experiment struct {
	Name string
	// Version is raised when the values may change, so that stored ones are
	// known to be old.
	Version int
	Yields  []Yield
	// Seeds is N: the seeds are 0 to N-1, none of them chosen.
	Seeds int
	// Deterministic experiments draw nothing: one seed, no interval.
	Deterministic bool
	// Parameters are stored beside the results, as JSON.
	Parameters any
	// Free names the parameters that were chosen to make rows come out.
	Free []string
	// Run computes every yielded row under one seed. The same seed gives the
	// same bytes.
	Run func(seed int) (Values, error)
}

// Yield is one row that an experiment computes.
type Yield struct {
	ID     string
	Parts  []string // names of the numbers, where a row has several
	Beside []string // names of numbers that are shown with the verdict and not judged
	Why    string   // said with the verdict, e.g. why the row does not hold
}

// Values are the results of one seed by the id of their row.
type Values map[string]Value

// Value is what one seed gives for one row: one number for most rows; for an
// order the margin by which it holds, negative if it does not.
type Value struct {
	Parts  []float64
	Beside []float64
}

// One is a Value of a single number.
func One(x float64) Value { return Value{Parts: []float64{x}} }

// Registry holds experiments of which no two yield the same row.
type Registry struct {
	rows        []Row
	experiments []Experiment
	by          map[string]int // the experiment that yields each id
}

// NewRegistry checks that the experiments and the rows fit each other.
func NewRegistry(rows []Row, experiments ...Experiment) (*Registry, error) {
	known := byID(rows)
	r := &Registry{rows: rows, experiments: experiments, by: map[string]int{}}
	var problems []error
	bad := func(e Experiment, format string, args ...any) {
		problems = append(problems, fmt.Errorf("claims: experiment %q: %w", e.Name, fmt.Errorf(format, args...)))
	}
	names := map[string]bool{}
	for i, e := range experiments {
		switch {
		case e.Name == "" || names[e.Name]:
			bad(e, "want a name of its own")
		case e.Version < 1:
			bad(e, "version %d: want 1 or more", e.Version)
		case e.Seeds < 1 || e.Deterministic && e.Seeds != 1:
			bad(e, "%d seeds: want 1 or more, and 1 for a deterministic one", e.Seeds)
		case e.Run == nil:
			bad(e, "Run is nil")
		}
		names[e.Name] = true
		for _, y := range e.Yields {
			row, ok := known[y.ID]
			if !ok {
				bad(e, "yields %q, which is no row", y.ID)
				continue
			}
			if err := row.Judge.accepts(max(1, len(y.Parts))); err != nil {
				bad(e, "yields %q: %w", y.ID, err)
			}
			if other, taken := r.by[y.ID]; taken {
				bad(e, "yields %q, which %q yields already", y.ID, experiments[other].Name)
				continue
			}
			r.by[y.ID] = i
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return r, nil
}

func byID(rows []Row) map[string]Row {
	m := make(map[string]Row, len(rows))
	for _, r := range rows {
		m[r.ID] = r
	}
	return m
}

// Rows are the rows that the registry was made for.
func (r *Registry) Rows() []Row { return r.rows }

// Of names the experiment that yields a row; false if none does.
func (r *Registry) Of(id string) (string, bool) {
	i, ok := r.by[id]
	if !ok {
		return "", false
	}
	return r.experiments[i].Name, true
}

// For returns a registry of the experiments that yield any of the rows.
func (r *Registry) For(rows []Row) *Registry {
	want := map[int]bool{}
	for _, row := range rows {
		if i, ok := r.by[row.ID]; ok {
			want[i] = true
		}
	}
	some := &Registry{rows: r.rows, by: map[string]int{}}
	for i, e := range r.experiments {
		if want[i] {
			for _, y := range e.Yields {
				some.by[y.ID] = len(some.experiments)
			}
			some.experiments = append(some.experiments, e)
		}
	}
	return some
}
