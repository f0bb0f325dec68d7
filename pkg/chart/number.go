package chart

import (
	"math"
	"strconv"
	"strings"
)

// How a unit meets large and small numbers.
type scaling int

const (
	suffixed scaling = iota // counts: 120k, the unit stands elsewhere
	prefixed                // SI prefixes before the unit: 16 GB
	divided                 // only downwards: 7 ms, but 1,200 s
	signed                  // a sign right after the number: 20%
	unscaled                // powers of two and the like: 1,024
)

var scalings = map[string]scaling{
	"B": prefixed, "B/s": prefixed, "FLOP": prefixed, "FLOP/s": prefixed, "W": prefixed, "Hz": prefixed,
	"s": divided,
	"%": signed, "×": signed,
	"KiB": unscaled, "MiB": unscaled, "GiB": unscaled, "TiB": unscaled, "min": unscaled, "h": unscaled,
}

// atTick says whether a unit is written at each tick rather than in the label
// of the axis.
func atTick(unit string) bool {
	s := scalings[unit]
	return s == prefixed || s == divided || s == signed
}

var prefixes = []struct {
	exp  int
	sign string
}{{-9, "n"}, {-6, "µ"}, {-3, "m"}, {0, ""}, {3, "k"}, {6, "M"}, {9, "G"}, {12, "T"}, {15, "P"}, {18, "E"}}

// prefix returns the power of ten, and its sign, that leaves v between 1 and
// 1000 as far as the unit allows.
func prefix(v float64, unit string) (exp int, sign string) {
	lowest, highest := 0, 18
	switch scalings[unit] {
	case signed, unscaled:
		return 0, ""
	case divided:
		lowest, highest = -9, 0
	case suffixed:
		highest = 12
	}
	for _, p := range prefixes {
		// 999.6 is written 1000, so it takes the next prefix already.
		if p.exp == lowest || p.exp > lowest && p.exp <= highest && math.Abs(v) >= 0.9995*math.Pow10(p.exp) {
			exp, sign = p.exp, p.sign
		}
	}
	if v == 0 {
		return 0, ""
	}
	return exp, sign
}

// Number writes a value with three significant digits, or all before the point, and its unit: 16.8 GB,
// 7.2 ms, 128k tokens, 43%. Prefixes are powers of ten; a unit of powers of
// two (KiB, GiB) takes none. A sum of money, a year or an exact count is not
// for it.
func Number(v float64, unit string) string {
	exp, sign := prefix(v, unit)
	return withUnit(significant(v/math.Pow10(exp), 3), sign, unit)
}

func withUnit(digits, sign, unit string) string {
	switch scalings[unit] {
	case signed:
		return digits + unit
	case prefixed, divided:
		return digits + " " + sign + unit
	}
	if unit == "" {
		return digits + sign
	}
	return digits + sign + " " + unit
}

// significant writes v with n significant digits, thousands parted by commas,
// no trailing zeros, and a true minus sign.
func significant(v float64, n int) string {
	if v == 0 {
		return "0"
	}
	abs := math.Abs(v)
	if abs < 1e-4 || abs >= 1e15 {
		return minus(strconv.FormatFloat(v, 'g', n, 64))
	}
	decimals := max(0, n-1-int(math.Floor(math.Log10(abs))))
	return grouped(strconv.FormatFloat(v, 'f', decimals, 64))
}

func grouped(s string) string {
	whole, frac, point := strings.Cut(s, ".")
	digits := strings.TrimPrefix(whole, "-")
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if strings.HasPrefix(whole, "-") {
		digits = "-" + digits
	}
	if frac = strings.TrimRight(frac, "0"); point && frac != "" {
		digits += "." + frac
	}
	return minus(digits)
}

func minus(s string) string { return strings.ReplaceAll(s, "-", "−") }
