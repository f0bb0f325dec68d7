package world

import (
	"errors"
	"math"
	"testing"
)

func TestWhatIsBeyondAllSenseIsRefused(t *testing.T) {
	full, err := ParseSetting("full", few())
	if err != nil {
		t.Fatal(err)
	}
	for _, seeds := range []int{math.MaxInt, MaxSeeds + 1, 0, -1, math.MinInt} {
		if _, err := Play(t.Context(), few(), seeds, []Setting{full}, nil); !errors.Is(err, ErrParameter) {
			t.Errorf("%d seeds: %v", seeds, err)
		}
	}
	p := few()
	p.Conversations = math.MaxInt
	if _, err := NewGroup(p, 0, "en"); !errors.Is(err, ErrParameter) {
		t.Errorf("%v", err)
	}
}

func TestASettingWithoutASystemIsRefused(t *testing.T) {
	if _, err := Play(t.Context(), few(), 1, []Setting{{Name: "mine"}}, nil); !errors.Is(err, ErrParameter) {
		t.Errorf("%v", err)
	}
}

func TestTheAccuracyAndWhatIsLostAddUp(t *testing.T) {
	settings, err := ParseSettings(few(), Names()...)
	if err != nil {
		t.Fatal(err)
	}
	found, err := Compare(t.Context(), few(), 2, settings, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range found {
		sum := c.Accuracy.Mean
		for _, share := range c.Lost {
			sum += share.Mean
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("%s: %g", c.Setting, sum)
		}
	}
}
