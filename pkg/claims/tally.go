package claims

import (
	"fmt"
	"slices"
	"strings"
)

// BasisTally counts the rows of one basis.
type BasisTally struct {
	Basis         Basis `json:"basis"`
	Rows          int   `json:"rows"`
	Reproduced    int   `json:"reproduced"`
	NotReproduced int   `json:"not_reproduced"`
	NotComputed   int   `json:"not_computed"`
}

// Tally is the scoreboard in numbers. Fitted rows are no predictions, so the
// bases are never added up without the parameters that were free.
type Tally struct {
	ByBasis []BasisTally `json:"by_basis"` // as Bases orders them
	Quoted  int          `json:"quoted"`
	Free    []string     `json:"free_parameters"` // of the experiments behind the rows
}

// Count counts judged rows; the free parameters are those of the experiments in
// results that computed any of them.
func Count(judged []Judged, results Results) Tally {
	t := Tally{}
	for _, b := range Bases() {
		t.ByBasis = append(t.ByBasis, BasisTally{Basis: b})
	}
	used := map[string]bool{}
	for _, j := range judged {
		if j.Verdict == IsQuoted {
			t.Quoted++
			continue
		}
		b := &t.ByBasis[slices.Index(Bases(), j.Basis)]
		b.Rows++
		switch j.Verdict {
		case Reproduced:
			b.Reproduced++
		case NotReproduced:
			b.NotReproduced++
		case NotComputed:
			b.NotComputed++
		}
		if s, ok := results.row(j.ID); ok {
			used[s.Experiment] = true
		}
	}
	for _, e := range results.Experiments {
		if used[e.Name] {
			for _, p := range e.Free {
				t.Free = append(t.Free, e.Name+"."+p)
			}
		}
	}
	return t
}

// Sum adds up the bases.
func (t Tally) Sum() BasisTally {
	var all BasisTally
	for _, b := range t.ByBasis {
		all.Rows += b.Rows
		all.Reproduced += b.Reproduced
		all.NotReproduced += b.NotReproduced
		all.NotComputed += b.NotComputed
	}
	return all
}

// String is the tally in one line.
func (t Tally) String() string {
	var bases []string
	for _, b := range t.ByBasis {
		bases = append(bases, fmt.Sprintf("%s %d of %d", b.Basis, b.Reproduced, b.Rows))
	}
	all := t.Sum()
	return fmt.Sprintf("reproduced: %s, with %d free parameters; not reproduced: %d; not computed yet: %d; quoted: %d",
		strings.Join(bases, ", "), len(t.Free), all.NotReproduced, all.NotComputed, t.Quoted)
}
