package deepmemory_test

import (
	"math"
	"strings"
	"testing"

	"memlab/pkg/deepmemory"
)

func TestClosedFormsEndWhateverTheirInput(t *testing.T) {
	bounded, err := deepmemory.Survival([]int{3, 4}, 0, 7, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	if free, err := deepmemory.Survival([]int{3, 4}, 0, math.MaxInt, 0.5); err != nil || free != bounded {
		t.Errorf("a capacity without end: %g, %v: want %g", free, err, bounded)
	}
	for want, facts := range map[string][]int{"session 1 has 1000000 facts": {1, 1_000_000}, "session 0 of none": nil} {
		if _, err := deepmemory.Survival(facts, 0, 10, 0.5); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v: want %q", facts, err, want)
		}
	}
	for _, tc := range []struct{ stop, want float64 }{{0.25, 5}, {0, 1 + math.MaxInt}, {1, 2}} {
		r := deepmemory.Rates{Read: 1, Stop: tc.stop}
		if got := r.PagingCalls(-1, math.MaxInt); math.Abs(got-tc.want) > 1e-12*tc.want {
			t.Errorf("stop %g: %g calls: want %g", tc.stop, got, tc.want)
		}
	}
}
