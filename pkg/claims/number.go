package claims

import (
	"math"
	"strconv"
	"strings"
)

// Number writes a number for people: whole numbers in full, others with four
// significant digits, an exponent only where zeros would hide the number.
func Number(x float64) string {
	size := math.Abs(x)
	switch {
	case x == math.Trunc(x) && size < 1e15:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case size < 1e-4 || size >= 1e15 || math.IsNaN(x):
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	digits := max(0, 3-int(math.Floor(math.Log10(size))))
	text := strconv.FormatFloat(x, 'f', digits, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// quantity is a number with its unit; shares, counts and the like go without.
func quantity(x float64, unit string) string {
	switch unit {
	case "share", "count", "order", "cos", "logit":
		return Number(x)
	}
	return Number(x) + " " + unit
}
