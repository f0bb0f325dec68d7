package claims

import (
	"fmt"
	"math"
	"strings"
)

// Rule is how a computed number is held against the lecture's.
type Rule string

// The rules. Each but quoted and holds leads to a Band.
const (
	Exact   Rule = "exact"   // every seed gives the lecture's value
	Abs     Rule = "abs"     // lecture's value ± tolerance
	Parts   Rule = "parts"   // several numbers, each with its own value and tolerance
	Between Rule = "between" // both ends included
	Below   Rule = "below"
	Holds   Rule = "holds"  // an order: the margin by which it holds is positive in the mean
	Quoted  Rule = "quoted" // a paper's number
)

// Rounding is the relative difference up to which two numbers are the same, so
// that the last bits of a sum decide no verdict.
const Rounding = 1e-12

// Band is where a computed number has to lie, both ends included. An order has
// the band above 0.
type Band struct {
	Low, High float64
	Text      string // e.g. "8.8 ± 0.1"
}

// Judge is the judgement that a row asks for. With Each, and with Parts, a row
// has several computed numbers, and all of them must pass.
type Judge struct {
	Rule  Rule
	Each  bool
	Bands []Band // one for each part of Parts, one for all parts otherwise
}

const judgeWords = `want exact, abs, "between LOW HIGH" or "below LIMIT", each with or without "each" in front, or holds, "parts VALUE TOLERANCE / ...", quoted`

// ParseJudge reads one judgement: exact, abs, between 20 30, below 2, each of
// them with "each" in front where several computed numbers must pass alike;
// holds; parts 576 0 / 435 1 for several numbers in one row; quoted. Exact and
// abs take value and tolerance from the row.
func ParseJudge(text string, value, tolerance *float64) (Judge, error) {
	words := strings.Fields(text)
	var j Judge
	if len(words) > 0 && words[0] == "each" {
		j.Each, words = true, words[1:]
	}
	if len(words) == 0 {
		return j, fmt.Errorf("judged %q: %s", text, judgeWords)
	}
	j.Rule, words = Rule(words[0]), words[1:]
	var err error
	switch j.Rule {
	case Exact, Abs, Holds, Quoted:
		if len(words) > 0 {
			return j, fmt.Errorf("judged %q: %s takes no number", text, j.Rule)
		}
		err = j.fromRow(value, tolerance)
	case Between, Below:
		err = j.limits(words)
	case Parts:
		err = j.parts(strings.Join(words, " "))
	default:
		err = fmt.Errorf("unknown: %s", judgeWords)
	}
	if j.Each && (j.Rule == Holds || j.Rule == Parts || j.Rule == Quoted) {
		err = fmt.Errorf("%s already decides how many numbers there are: want it without each", j.Rule)
	}
	if err != nil {
		return j, fmt.Errorf("judged %q: %w", text, err)
	}
	if (j.Rule == Between || j.Rule == Below) && value != nil && !j.Bands[0].contains(*value) {
		return j, fmt.Errorf("judged %q: the lecture's own %g would not pass", text, *value)
	}
	return j, nil
}

func (j *Judge) fromRow(value, tolerance *float64) error {
	switch j.Rule {
	case Quoted:
		return nil
	case Holds:
		j.Bands = []Band{{Low: 0, High: math.Inf(1), Text: "above 0"}}
		return nil
	}
	if value == nil || tolerance == nil {
		return fmt.Errorf("%s needs lecture_value and tolerance", j.Rule)
	}
	if j.Rule == Exact && *tolerance != 0 {
		return fmt.Errorf("tolerance %g: exact has tolerance 0", *tolerance)
	}
	j.Bands = []Band{around(*value, *tolerance)}
	return nil
}

func (j *Judge) limits(words []string) error {
	want := map[Rule]int{Between: 2, Below: 1}[j.Rule]
	var at []float64
	for _, w := range words {
		x, err := finite(w)
		if err != nil {
			return fmt.Errorf("%q is no number", w)
		}
		at = append(at, x)
	}
	switch {
	case len(at) != want:
		return fmt.Errorf("%d numbers: %s takes %d", len(at), j.Rule, want)
	case j.Rule == Below:
		j.Bands = []Band{{Low: math.Inf(-1), High: at[0], Text: "below " + Number(at[0])}}
	case at[0] > at[1]:
		return fmt.Errorf("between %g and %g: want the smaller number first", at[0], at[1])
	default:
		j.Bands = []Band{{Low: at[0], High: at[1], Text: Number(at[0]) + " to " + Number(at[1])}}
	}
	return nil
}

func (j *Judge) parts(text string) error {
	for part := range strings.SplitSeq(text, "/") {
		words := strings.Fields(part)
		if len(words) != 2 {
			return fmt.Errorf("part %q: want a value and a tolerance", part)
		}
		value, errV := finite(words[0])
		tolerance, errT := finite(words[1])
		if errV != nil || errT != nil || tolerance < 0 {
			return fmt.Errorf("part %q: want a value and a tolerance of 0 or more", part)
		}
		j.Bands = append(j.Bands, around(value, tolerance))
	}
	return nil
}

func around(value, tolerance float64) Band {
	b := Band{Low: value - tolerance, High: value + tolerance, Text: Number(value) + " ± " + Number(tolerance)}
	if tolerance == 0 {
		b.Text = "exactly " + Number(value)
	}
	return b
}

// band is the band of part i.
func (j Judge) band(i int) Band {
	if j.Rule == Parts {
		return j.Bands[i]
	}
	return j.Bands[0]
}

// accepts reports whether n is a number of parts that the judgement can judge.
func (j Judge) accepts(n int) error {
	switch {
	case j.Rule == Quoted:
		return fmt.Errorf("a quoted row is not computed")
	case j.Rule == Parts && n != len(j.Bands):
		return fmt.Errorf("%d computed numbers: want %d, one for each part", n, len(j.Bands))
	case j.Each && n < 1:
		return fmt.Errorf("no computed number: want one or more")
	case j.Rule != Parts && !j.Each && n != 1:
		return fmt.Errorf("%d computed numbers: want one", n)
	}
	return nil
}

// passes reports whether one seed's number alone would pass.
func (j Judge) passes(part int, x float64) bool { return j.meets(part, x, x) }

// Passes reports whether the numbers of a row, one for each part, all lie in their
// bands: those of one seed, or means.
func (j Judge) Passes(seed []float64) bool {
	for i, x := range seed {
		if !j.passes(i, x) {
			return false
		}
	}
	return true
}

// settles reports whether all of an interval passes, and not only some of it.
func (j Judge) settles(part int, low, high float64) bool {
	return j.passes(part, low) && j.passes(part, high)
}

// meets reports whether an interval meets the band of a part.
func (j Judge) meets(part int, low, high float64) bool {
	switch b := j.band(part); j.Rule {
	case Below:
		return low < b.High
	case Holds:
		return high > 0
	default:
		return low <= b.High+slack(b.High) && high >= b.Low-slack(b.Low)
	}
}

func slack(x float64) float64 {
	if math.IsInf(x, 0) {
		return 0
	}
	return Rounding * math.Abs(x)
}

func (b Band) contains(x float64) bool { return b.Low <= x && x <= b.High }

// distance says how far x is from the middle of the band, in half widths: 1 is
// the edge. Bands that are open to one side count from their edge.
func (b Band) distance(x float64) float64 {
	half := (b.High - b.Low) / 2
	switch {
	case math.IsInf(b.Low, 0):
		return x - b.High
	case math.IsInf(b.High, 0):
		return b.Low - x
	case x >= b.Low-slack(b.Low) && x <= b.High+slack(b.High) && half <= slack(b.High):
		return 0
	default:
		return math.Abs(x-(b.Low+half)) / half
	}
}
