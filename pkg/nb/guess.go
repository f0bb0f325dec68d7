package nb

import (
	"fmt"
	"math"

	"memlab/pkg/chart"
)

// Guess holds a guess against the number that was computed: what is its name, got
// the guess, Open for none. A guess is close within a fifth of the number.
func Guess(what string, got, number float64) {
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
