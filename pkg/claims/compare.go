package claims

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// How far a number that is computed again may be from the stored one, as a
// share of it. Processors of one family round alike; others may fuse a
// multiplication with an addition.
const (
	SameProcessor  = 0    // bit for bit
	OtherProcessor = 1e-6 // six digits
)

// Difference is something that a new run did not find as it is stored.
type Difference struct {
	ID   string `json:"id"` // of the row, or the name of the experiment
	Text string `json:"text"`
}

// Error makes a Difference usable as an error.
func (d Difference) Error() string { return d.ID + ": " + d.Text }

// Compare holds a new run against the stored results, for the experiments and
// the seeds of the new run: what was computed, how, and whether each row is
// judged as it was when it was stored.
func Compare(rows []Row, stored, fresh Results) []Difference {
	c := comparison{known: byID(rows), stored: stored}
	for _, e := range fresh.Experiments {
		old, ok := stored.experiment(e.Name)
		if !ok {
			c.add(e.Name, "no results of this experiment are stored")
			continue
		}
		c.experiment(old, e)
		tolerance := tolerance(old.Processor, e.Processor)
		for _, s := range fresh.Rows {
			if s.Experiment == e.Name {
				c.row(s, e.Deterministic, tolerance)
			}
		}
		for _, s := range stored.Rows {
			if _, still := fresh.row(s.ID); s.Experiment == e.Name && !still {
				c.add(s.ID, "stored, but %s does not compute it any more", e.Name)
			}
		}
	}
	return c.found
}

// Stale lists the experiments whose stored results are of another version or
// other parameters, without running anything.
func (r *Registry) Stale(stored Results) []Difference {
	c := comparison{stored: stored}
	for _, e := range r.experiments {
		old, ok := stored.experiment(e.Name)
		if !ok {
			continue
		}
		now, err := e.head(old.Seeds)
		if err != nil {
			c.add(e.Name, "%v", err)
			continue
		}
		c.experiment(old, now)
	}
	return c.found
}

func tolerance(stored, here string) float64 {
	if stored == here {
		return SameProcessor
	}
	return OtherProcessor
}

type comparison struct {
	known  map[string]Row
	stored Results
	found  []Difference
}

func (c *comparison) add(id, format string, args ...any) {
	c.found = append(c.found, Difference{ID: id, Text: fmt.Sprintf(format, args...)})
}

func (c *comparison) experiment(old, e StoredExperiment) {
	if old.Version != e.Version {
		c.add(e.Name, "stored by version %d, now at version %d", old.Version, e.Version)
	}
	if e.Seeds > old.Seeds {
		c.add(e.Name, "%d seeds are stored, fewer than %d", old.Seeds, e.Seeds)
	}
	if !bytes.Equal(compact(old.Parameters), compact(e.Parameters)) || !slices.Equal(old.Free, e.Free) {
		c.add(e.Name, "stored with other parameters")
	}
}

func compact(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

func (c *comparison) row(s StoredRow, deterministic bool, tolerance float64) {
	old, ok := c.stored.row(s.ID)
	if !ok {
		c.add(s.ID, "computed by %s, but not stored", s.Experiment)
		return
	}
	if !slices.Equal(old.Parts, s.Parts) || !slices.Equal(old.Beside, s.Beside) || old.Why != s.Why {
		c.add(s.ID, "stored with other names of its numbers or other words")
		return
	}
	c.values(s.ID, "", old.Values, s.Values, tolerance)
	c.values(s.ID, "beside it, ", old.BesideValues, s.BesideValues, tolerance)
	if v := judge(c.known[s.ID], &old, deterministic).Verdict; v != old.Verdict {
		c.add(s.ID, "stored as %s, but by claims.csv it is %s", old.Verdict, v)
	}
}

// values reports the first number that differs and how many do.
func (c *comparison) values(id, where string, old, fresh [][]float64, tolerance float64) {
	differ, text := 0, ""
	for seed := range min(len(old), len(fresh)) {
		for i, x := range fresh[seed] {
			if was := old[seed][i]; !same(was, x, tolerance) {
				differ++
				if text == "" {
					text = fmt.Sprintf("%sseed %d: stored %v, computed %v", where, seed, was, x)
				}
			}
		}
	}
	if differ > 1 {
		text += fmt.Sprintf(" (and %d more)", differ-1)
	}
	if differ > 0 {
		c.add(id, "%s", text)
	}
}

func same(a, b, tolerance float64) bool {
	if tolerance == SameProcessor {
		return math.Float64bits(a) == math.Float64bits(b)
	}
	return math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b))
}
