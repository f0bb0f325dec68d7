package stored_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"testing"

	"memlab/pkg/experiments/cartridge/stored"
)

// How good are 64 slots, as stored?
func Example() {
	c, err := stored.Read()
	if err != nil {
		log.Fatal(err)
	}
	slots, err := c.Find("slots")
	if err != nil {
		log.Fatal(err)
	}
	study, err := slots.Line("self_study")
	if err != nil {
		log.Fatal(err)
	}
	mean, _, _ := study.Mean()
	for i, p := range slots.At {
		if p == 64 {
			fmt.Printf("%.2f over %d seeds\n", mean[i], len(slots.Seeds))
		}
	}
	// Output: 0.93 over 3 seeds
}

func TestMeansHaveIntervals(t *testing.T) {
	mean, low, high := stored.Line{Values: [][]float64{{0.1, 1}, {0.2, 1}, {0.3, 1}}}.Mean()
	// Student's t with 2 degrees of freedom is 4.303; .1/sqrt(3) times that is .248.
	if math.Abs(mean[0]-0.2) > 1e-12 || math.Abs(low[0]+0.0484) > 1e-3 || math.Abs(high[0]-0.4484) > 1e-3 || low[1] != 1 || high[1] != 1 {
		t.Errorf("%v, %v to %v", mean, low, high)
	}
	if mean, low, high := (stored.Line{Values: [][]float64{{0.7}}}).Mean(); mean[0] != 0.7 || low[0] != 0.7 || high[0] != 0.7 {
		t.Errorf("one seed: %v, %v to %v", mean, low, high)
	}
}

func TestBrokenFilesAreNamed(t *testing.T) {
	for what, file := range map[string]string{
		"no JSON":              `{`,
		"an unknown field":     `{"curve": []}`,
		"no points":            `{"curves": [{"name": "a", "seeds": [0], "lines": [{"name": "b", "values": [[]]}]}]}`,
		"points of both kinds": `{"curves": [{"name": "a", "at": [1], "labels": ["x"], "seeds": [0], "lines": [{"name": "b", "values": [[1]]}]}]}`,
		"no lines":             `{"curves": [{"name": "a", "at": [1], "seeds": [0], "lines": []}]}`,
		"a seed missing":       `{"curves": [{"name": "a", "at": [1], "seeds": [0, 1], "lines": [{"name": "b", "values": [[1]]}]}]}`,
		"a point missing":      `{"curves": [{"name": "a", "at": [1, 2], "seeds": [0], "lines": [{"name": "b", "values": [[1]]}]}]}`,
	} {
		if _, err := stored.Parse([]byte(file)); !errors.Is(err, stored.ErrFile) {
			t.Errorf("%s: %v", what, err)
		}
	}
	c, err := stored.Parse([]byte(`{"curves": [{"name": "a", "at": [1], "seeds": [0], "lines": [{"name": "b", "values": [[1]]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Find("z"); !errors.Is(err, stored.ErrFile) {
		t.Error(err)
	}
	if _, err := c.Curves[0].Line("z"); !errors.Is(err, stored.ErrFile) {
		t.Error(err)
	}
}
