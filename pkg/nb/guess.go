package nb

import (
	"fmt"
	"math"

	"memlab/pkg/chart"
)

// Guess holds a guess against the number that was computed: what is its name, got
// the guess, Open for none. A guess is close within a fifth of the number.
// A number that is none, and a guess without end, end the cell.
func Guess(what string, got, number float64) {
	if math.IsNaN(number) || math.IsInf(number, 0) || math.IsInf(got, 0) {
		fail(fmt.Errorf("nb: guess %q of %g, computed %g: want finite numbers", what, got, number))
	}
	text := fmt.Sprintf("%s: %s.", what, chart.Number(number, ""))
	switch {
	case math.IsNaN(got):
		text += " You have not guessed."
	case math.Abs(got-number) <= math.Abs(number)/5:
		text += fmt.Sprintf(" You said %s: close.", chart.Number(got, ""))
	case got > 0 && number > got:
		text += fmt.Sprintf(" You said %s: too small by a factor of %s.", chart.Number(got, ""), chart.Number(number/got, ""))
	case number > 0 && got > number:
		text += fmt.Sprintf(" You said %s: too large by a factor of %s.", chart.Number(got, ""), chart.Number(got/number, ""))
	default:
		text += fmt.Sprintf(" You said %s.", chart.Number(got, ""))
	}
	Printf("%s", text)
}
