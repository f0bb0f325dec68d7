package claims

import (
	"fmt"
	"strings"
)

// reason says in words how the numbers stand to their bands, and what else there
// is to know about the row.
func reason(row Row, parts []estimate, shown int, s *StoredRow, deterministic bool) string {
	clauses := []string{}
	if len(parts) == 1 {
		clauses = append(clauses, oneNumber(row, parts[0], len(s.Values), deterministic)...)
	} else {
		clauses = append(clauses, severalNumbers(row, parts, shown))
	}
	switch n := len(s.Values); {
	case deterministic:
		clauses = append(clauses, "deterministic: one seed, interval of zero width")
	case n == 1:
		clauses = append(clauses, "one seed: no interval")
	case len(parts) > 1:
		clauses = append(clauses, fmt.Sprintf("means over %d seeds", n))
	}
	for _, more := range []string{row.Note, s.Why, beside(s)} {
		if more != "" {
			clauses = append(clauses, more)
		}
	}
	return strings.Join(clauses, "; ")
}

func oneNumber(row Row, p estimate, n int, deterministic bool) []string {
	what, band := quantity(p.mean, row.Unit), row.Judge.band(0)
	drawn := n > 1 && !deterministic
	if drawn {
		what = fmt.Sprintf("mean %s, 95%% interval %s to %s over %d seeds,", what, Number(p.low), Number(p.high), n)
	}
	var clauses []string
	switch j := row.Judge; {
	case j.Rule == Holds:
		clauses = append(clauses, fmt.Sprintf("the order %s: margin %s", choose(p.passed, "holds", "does not hold"), strings.TrimSuffix(what, ",")))
		if drawn && p.low <= 0 && p.high > 0 {
			clauses = append(clauses, "the seeds do not settle it")
		}
		return clauses
	case j.Rule == Exact:
		return append(clauses, what+choose(p.passed, " is ", " is not ")+band.Text)
	case j.Rule == Below:
		clauses = append(clauses, what+choose(p.passed, " is ", " is not ")+band.Text)
	case drawn:
		clauses = append(clauses, what+choose(p.passed, " meets ", " misses ")+band.Text)
	default:
		clauses = append(clauses, what+choose(p.passed, " lies in ", " lies outside ")+band.Text)
	}
	if drawn && p.passed && !row.Judge.passes(0, p.mean) {
		clauses = append(clauses, "the mean alone would miss it")
	}
	if drawn && p.high-p.low > band.High-band.Low {
		clauses = append(clauses, "the interval is wider than the band, more seeds may decide otherwise")
	}
	return clauses
}

func severalNumbers(row Row, parts []estimate, shown int) string {
	var list []string
	failed := 0
	for i, p := range parts {
		item := strings.TrimSpace(p.name + " " + quantity(p.mean, row.Unit))
		if row.Judge.Rule == Parts {
			item += " (" + choose(p.passed, "", "misses ") + row.Judge.band(i).Text + ")"
		}
		list = append(list, item)
		if !p.passed {
			failed++
		}
	}
	where := "their bands"
	if row.Judge.Rule != Parts {
		where = row.Judge.band(0).Text
	}
	how := fmt.Sprintf("all %d meet %s", len(parts), where)
	if failed > 0 {
		how = fmt.Sprintf("%d of %d miss %s", failed, len(parts), where)
	}
	if name := parts[shown].name; name != "" {
		how += fmt.Sprintf(" (value: %s, %s)", name, choose(failed > 0, "the worst", "nearest to failing"))
	}
	return strings.Join(list, ", ") + ": " + how
}

// beside lists the numbers that are shown and not judged.
func beside(s *StoredRow) string {
	var list []string
	for i, name := range s.Beside {
		values := make([]float64, len(s.BesideValues))
		for seed := range values {
			values[seed] = s.BesideValues[seed][i]
		}
		mean, _, _ := Interval(values)
		list = append(list, name+" "+Number(mean))
	}
	if list == nil {
		return ""
	}
	return "beside it: " + strings.Join(list, ", ")
}

func choose(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}
