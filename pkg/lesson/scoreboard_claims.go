package lesson

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"memlab/pkg/claims"
	"memlab/pkg/table"
)

// claimTable lists judged rows in columns narrow enough for a notebook: the unit stands
// with the number, the 95% interval as ± (which no line breaks), seeds as those that
// pass out of all, and ✓ for a row that is reproduced.
func claimTable(rows []claims.Judged) (table.Table, error) {
	t := table.New("", "Quantity", "Lecture", "Here", "Seeds that pass", "Basis", "Verdict")
	for _, j := range rows {
		verdict := string(j.Verdict)
		if j.Verdict == claims.Reproduced {
			verdict = "✓"
		}
		if err := t.Add(j.Quantity, lectureSays(j), computedHere(j), seedsThatPass(j), j.Basis, verdict); err != nil {
			return t, err
		}
	}
	return t, nil
}

// lectureSays is the lecture's number with its tolerance, as it prints it; only the
// zeros of large numbers are grouped.
func lectureSays(j claims.Judged) string {
	switch j.Judge.Rule {
	case claims.Abs:
		return grouped(j.Lecture) + "\u00a0±\u00a0" + grouped(claims.Number(*j.Tolerance))
	case claims.Holds:
		return "holds"
	case claims.Below, claims.Between:
		return j.Judge.Bands[0].Text
	}
	return grouped(j.Lecture)
}

// computedHere is the mean with its interval and unit.
func computedHere(j claims.Judged) string {
	switch {
	case j.Value == nil:
		return ""
	case j.Judge.Rule == claims.Holds && *j.Value == 1:
		return "holds"
	case j.Judge.Rule == claims.Holds:
		return "does not hold"
	case j.Low == nil || *j.Low == *j.High:
		return withUnit(grouped(claims.Number(*j.Value)), j.Unit)
	}
	return withUnit(toItsDigits(*j.Value, (*j.High-*j.Low)/2), j.Unit)
}

// withUnit leaves out what is no unit: a share or a cosine is a number alone.
func withUnit(number, unit string) string {
	switch unit {
	case "share", "count", "order", "cos", "logit":
		return number
	case "x":
		return number + "\u00a0×"
	case "B", "GB", "s", "ms", "GPU s": // no words, which translate with a space
		return number + "\u00a0" + unit
	}
	return number + " " + unit
}

// seedsThatPass counts the seeds that would have passed alone, of all that ran; a dash
// stands for an experiment that draws nothing.
func seedsThatPass(j claims.Judged) string {
	switch {
	case j.Seeds == nil || j.SingleSeedShare == nil:
		return ""
	case *j.Seeds == 1 && j.Low != nil:
		return "–"
	}
	return fmt.Sprintf("%.0f\u00a0/\u00a0%d", *j.SingleSeedShare*float64(*j.Seeds), *j.Seeds)
}

// toItsDigits writes a mean and half its interval to the digits that the interval lets
// one see: one digit of it, two if the first is 1. An interval that four digits of the
// mean hide is left out.
func toItsDigits(mean, half float64) string {
	if !(half > 1e-4*math.Abs(mean)) || math.IsInf(half, 0) || math.IsNaN(mean) {
		return grouped(claims.Number(mean))
	}
	digit := int(math.Floor(math.Log10(half))) // place of the first digit
	if half/math.Pow10(digit) < 1.95 {
		digit--
	}
	if digit >= 0 {
		unit := math.Pow10(digit)
		mean, half = math.Round(mean/unit)*unit, math.Round(half/unit)*unit
	}
	decimals := max(0, -digit)
	return grouped(strconv.FormatFloat(mean, 'f', decimals, 64)) + "\u00a0±\u00a0" + grouped(strconv.FormatFloat(half, 'f', decimals, 64))
}

// grouped separates the thousands of a whole number from 10,000 on, also of one that is
// written with an exponent; any other text stays as it is.
func grouped(text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Contains(text, ".") && !strings.Contains(text, "e") || x != math.Trunc(x) || math.Abs(x) < 10_000 || math.Abs(x) > 1e15 {
		return text
	}
	return thousands(int(x))
}
