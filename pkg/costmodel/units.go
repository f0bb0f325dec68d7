package costmodel

import (
	"math"
	"strconv"
)

// Bytes is an amount of memory or traffic. It prints with SI prefixes: 1 GB is
// 10^9 bytes, never 2^30. It is a float64 because 4-bit weights and averages
// over layers need fractions.
type Bytes float64

// String gives three significant digits, e.g. "16.8 GB".
func (b Bytes) String() string {
	return prefixed(float64(b), "B", []prefix{{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}})
}

// Seconds is a duration. It is not a time.Duration because a step may be
// below a nanosecond's resolution and a training run may be a sum of years.
type Seconds float64

// String gives three significant digits, e.g. "8.81 s" or "6.72 ms".
func (s Seconds) String() string {
	return prefixed(float64(s), "s", []prefix{{1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}})
}

type prefix struct {
	size float64
	name string
}

// prefixed writes v with the largest prefix that leaves at least 1, after
// rounding: 999.96 MB is 1.00 GB, not "1000 MB".
func prefixed(v float64, unit string, prefixes []prefix) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'g', -1, 64) + " " + unit
	}
	p := prefixes[len(prefixes)-1]
	for _, q := range prefixes {
		if math.Abs(v) >= 0.9995*q.size {
			p = q
			break
		}
	}
	return significant(v/p.size) + " " + p.name + unit
}

// significant writes three significant digits without an exponent for numbers
// that have at most three digits before the point, and whole numbers above.
func significant(v float64) string {
	switch a := math.Abs(v); {
	case a >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 0.9995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	default:
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
}
