package exercise

import (
	"math"
	"testing"

	"memlab/pkg/random"
)

// Whole contexts are counted without a tolerance, so no server may be so near to a
// whole number that the weights as the question rounds them give another count.
func TestRoundedWeightsGiveTheSameCount(t *testing.T) {
	seen := map[server]bool{}
	draw := numbers{random.Seed(0).Stream("test")}
	for range 20_000 {
		s := serverOf(draw)
		if seen[s] {
			continue
		}
		seen[s] = true
		e, err := s.engine()
		if err != nil {
			t.Fatal(err)
		}
		stated := math.Round(weights(e)/1e8) * 1e8
		got := math.Floor((s.memory(e, s.usable) - stated) / perToken(e) / float64(s.context))
		if want := math.Floor(float64(e.RoomTokens()) / float64(s.context)); got != want || want < 1 {
			t.Errorf("%+v: %v contexts with the weights of the question, %v with the exact ones", s, got, want)
		}
	}
	if want := 4 * 5 * 8 * 4; len(seen) != want {
		t.Errorf("%d servers drawn, want all %d", len(seen), want)
	}
}
