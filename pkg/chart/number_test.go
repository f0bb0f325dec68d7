package chart

import (
	"strings"
	"testing"
)

func TestNumber(t *testing.T) {
	tests := []struct {
		v    float64
		unit string
		want string
	}{
		{16.8e9, "B", "16.8 GB"},
		{131072, "B", "131 kB"},
		{999.6, "B", "1 kB"},
		{12, "B", "12 B"},
		{3.35e12, "B/s", "3.35 TB/s"},
		{0.0072, "s", "7.2 ms"},
		{4e-7, "s", "400 ns"},
		{8.8, "s", "8.8 s"},
		{1234, "s", "1,234 s"},
		{128000, "tokens", "128k tokens"},
		{1500, "", "1.5k"},
		{999, "", "999"},
		{0.125, "", "0.125"},
		{43.21, "%", "43.2%"},
		{107, "×", "107×"},
		{-3.5, "%", "−3.5%"},
		{1024, "GiB", "1,024 GiB"},
		{0, "s", "0 s"},
		{1e-7, "", "1e−07"},
	}
	for _, test := range tests {
		if got := Number(test.v, test.unit); got != test.want {
			t.Errorf("Number(%v, %q) = %q, want %q", test.v, test.unit, got, test.want)
		}
	}
}

func labels(s span) string {
	var out []string
	for _, t := range s.ticks {
		if t.Label != "" {
			out = append(out, t.Label)
		}
	}
	return strings.Join(out, " | ")
}

func TestTicks(t *testing.T) {
	tests := []struct {
		name   string
		axis   Axis
		lo, hi float64
		want   string
	}{
		{"two decades and 1, 2, 5", Axis{Log: true, Unit: "tokens"}, 1e3, 120e3, "1k | 2k | 5k | 10k | 20k | 50k | 100k"},
		{"many decades", Axis{Log: true, Unit: "B"}, 1, 1e12, "1 B | 100 B | 10 kB | 1 MB | 100 MB | 10 GB | 1 TB"},
		{"less than a decade of a log axis", Axis{Log: true}, 21, 38, "25 | 30 | 35"},
		{"bytes with one prefix", Axis{Unit: "B"}, 0, 42e9, "0 | 10 GB | 20 GB | 30 GB | 40 GB | 50 GB"},
		{"thousands", Axis{}, 0, 10700, "0 | 2k | 4k | 6k | 8k | 10k | 12k"},
		{"a share", Axis{Unit: "%"}, 0, 100, "0% | 20% | 40% | 60% | 80% | 100%"},
		{"negative values", Axis{}, -3, 12, "−5 | 0 | 5 | 10 | 15"},
		{"far from zero", Axis{}, 70, 73, "70 | 70.5 | 71 | 71.5 | 72 | 72.5 | 73"},
		{"seconds below one", Axis{Unit: "s"}, 0, 0.024, "0 | 5 ms | 10 ms | 15 ms | 20 ms | 25 ms"},
		{"nothing but zero", Axis{}, 0, 0, "−1 | −0.5 | 0 | 0.5 | 1"},
		{"ticks that the figure asks for", Axis{Unit: "tokens", Ticks: []float64{0, 64e3, 128e3}}, 0, 128e3, "0 | 64k | 128k"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := test.axis.span(extent{test.lo, test.hi}, true, 0)
			if got := labels(s); got != test.want {
				t.Errorf("ticks %s, want %s", got, test.want)
			}
			if s.min > test.lo || s.max < test.hi {
				t.Errorf("range %v to %v does not hold the data", s.min, s.max)
			}
		})
	}
}
