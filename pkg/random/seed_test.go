package random

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
)

func first(n int, s Seed, names ...string) []uint64 {
	r := s.Stream(names...)
	out := make([]uint64, n)
	for i := range out {
		out[i] = r.Uint64()
	}
	return out
}

// The first values are fixed: stored results depend on them. By hand, for the
// first line: SHA-256 of eight zero bytes begins af5570f5a1810b7a
// f78caf4bc70a660f, which read as little-endian numbers seed the PCG.
func TestStreamsStartWithTheirGoldenValues(t *testing.T) {
	for _, c := range []struct {
		seed  Seed
		names []string
		want  []uint64
	}{
		{0, nil, []uint64{0x774eeec809f0eb48, 0x5ceecb0d09df55e0}},
		{0, []string{"session"}, []uint64{0xaa1d8711a2c75e80, 0xee181f62f21b1410}},
		{1, []string{"session"}, []uint64{0x82921f676b6cd1dd, 0xbeb7d82b1b599324}},
		{math.MaxUint64, []string{"mem0", "extract"}, []uint64{0x16212865ae2f1b3a, 0x629bf6aa9587671c}},
	} {
		if got := first(2, c.seed, c.names...); !slices.Equal(got, c.want) {
			t.Errorf("seed %d, %q: %#x, want %#x", c.seed, c.names, got, c.want)
		}
	}
}

func TestStateIsTheHashOfSeedAndNames(t *testing.T) {
	want := rand.NewPCG(0x7a0b81a1f57055af, 0x0f660ac74baf8cf7)
	if got := first(1, 0)[0]; got != want.Uint64() {
		t.Errorf("%#x does not come from the SHA-256 of eight zero bytes", got)
	}
}

func TestSameNamesGiveTheSameStream(t *testing.T) {
	if !slices.Equal(first(1000, 7, "a", "b"), first(1000, 7, "a", "b")) {
		t.Error("two streams of one name differ")
	}
}

func TestDrawingFromOneStreamShiftsNoOther(t *testing.T) {
	want := first(100, 7, "b")
	a, b := Seed(7).Stream("a"), Seed(7).Stream("b")
	for i := range want {
		for range i % 5 {
			a.NormFloat64()
		}
		if got := b.Uint64(); got != want[i] {
			t.Fatalf("draw %d: %#x, want %#x", i, got, want[i])
		}
	}
}

func TestOtherSeedsAndNamesGiveOtherStreams(t *testing.T) {
	seen := map[uint64]string{}
	for _, s := range []Seed{0, 1, 2, 1 << 32, 1 << 63} {
		for _, names := range [][]string{nil, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"b", "a"}, {"a"}, {"a", ""}, {"a\x00b"}} {
			key := first(1, s, names...)[0]
			if other, taken := seen[key]; taken {
				t.Errorf("seed %d %q starts like %s", s, names, other)
			}
			seen[key] = "another"
		}
	}
}

// Neighbouring seeds and names are as uncorrelated as 10,000 draws can show:
// under independence |r| exceeds 5/sqrt(n) less than once in a million times.
func TestStreamsAreUncorrelated(t *testing.T) {
	const n = 10_000
	uniform := func(s Seed, names ...string) []float64 {
		r := s.Stream(names...)
		out := make([]float64, n)
		for i := range out {
			out[i] = r.Float64()
		}
		return out
	}
	streams := [][]float64{
		uniform(0, "a"), uniform(1, "a"), uniform(2, "a"), uniform(0, "b"), uniform(0, "a", "1"), uniform(0, "a", "2"),
	}
	for i, x := range streams {
		if mean := stat.Mean(x, nil); math.Abs(mean-0.5) > 5/math.Sqrt(12*n) {
			t.Errorf("stream %d: mean %g", i, mean)
		}
		for j := range i {
			if r := stat.Correlation(x, streams[j], nil); math.Abs(r) > 5/math.Sqrt(n) {
				t.Errorf("streams %d and %d correlate by %g", j, i, r)
			}
		}
	}
}

func BenchmarkStream(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Seed(1).Stream("session", "sizes")
	}
}
