package choice_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"memlab/pkg/costmodel"
	"memlab/pkg/experiments/choice"
	"memlab/pkg/experiments/world"
)

func TestOnlyWhatFitsIsChosen(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	fits, not := choice.Way{Name: "fits", Write: 9, First: 1, Each: 1}, choice.Way{Name: "too large", First: inf, Each: inf}
	if w, err := choice.Cheapest([]choice.Way{not, fits}, 5, 0); err != nil || w.Name != "fits" {
		t.Error(w, err)
	}
	for name, ways := range map[string][]choice.Way{"fits": {not}, "NaN": {{Name: "odd", Write: nan}, fits}} {
		if _, err := choice.Cheapest(ways, 5, 0); !errors.Is(err, choice.ErrChoice) || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: %v", ways, err)
		}
	}
	if _, err := choice.Cheapest([]choice.Way{fits}, inf, 0); !errors.Is(err, choice.ErrChoice) {
		t.Error(err)
	}
	if n := choice.From(not, not); !math.IsInf(n, 1) {
		t.Errorf("what does not fit pays back after %g", n)
	}
	if n := choice.From(not, fits); n != 1 {
		t.Errorf("against what does not fit: %g", n)
	}
}

func TestImpossibleSizesAreRefusedBeforeAnythingIsPlayed(t *testing.T) {
	m, err := costmodel.ModelByName("llama-3-8b")
	if err != nil {
		t.Fatal(err)
	}
	g, err := costmodel.GPUByName("h100")
	if err != nil {
		t.Fatal(err)
	}
	e, err := costmodel.NewEngine(m, g, costmodel.DefaultParams())
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*choice.Sizes){
		"a document of 900000000 tokens": func(s *choice.Sizes) { s.Document = 900_000_000 },
		"queries 0":                      func(s *choice.Sizes) { s.Queries = 0 },
		"questions 0":                    func(s *choice.Sizes) { s.Questions = 0 },
		"seeds -1":                       func(s *choice.Sizes) { s.Seeds = -1 },
		"long -1":                        func(s *choice.Sizes) { s.Long = -1 },
		"least_accuracy NaN":             func(s *choice.Sizes) { s.Least = math.NaN() },
	} {
		s := choice.DefaultSizes()
		change(&s)
		if _, err := choice.Decide(context.Background(), world.DefaultParameters(), e, s); !errors.Is(err, choice.ErrChoice) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
