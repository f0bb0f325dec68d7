package cartridge

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"memlab/pkg/experiments/cartridge/stored"
)

var update = flag.String("update", "", "compute these curves (names and commas, or all) and store them")

const curvesFile = "../../../datasets/cartridge_curves.json"

// One cheap point of the stored curves comes out again: p = 4 of seed 0.
func TestStoredCurves(t *testing.T) {
	if *update != "" {
		store(t, strings.Split(*update, ","))
		return
	}
	got := ok(stored.Read())
	var names []string
	for _, s := range Sweeps() {
		names = append(names, s.Name)
		if c := ok(got.Find(s.Name)); !slices.Equal(c.Seeds, s.Seeds) {
			t.Errorf("%s: seeds %d are stored, want %d", s.Name, c.Seeds, s.Seeds)
		}
	}
	if len(got.Curves) != len(names) {
		t.Errorf("%d curves are stored, want %q", len(got.Curves), names)
	}
	var p Parameters
	if err := json.Unmarshal(got.Parameters, &p); err != nil {
		t.Fatal(err)
	}
	if a, b := ok(json.Marshal(p)), ok(json.Marshal(DefaultParameters())); !bytes.Equal(a, b) {
		t.Errorf("stored under %s, now %s", a, b)
	}
	c := ok(got.Find("slots"))
	again := stored.Curve{Name: c.Name, X: c.X}
	if err := add(&again, ok(OverSlots(context.Background(), p, c.Seeds[0], []int{int(c.At[0])})), nil); err != nil {
		t.Fatal(err)
	}
	for _, l := range again.Lines {
		// Processors round differently, and a training magnifies it.
		if want, got := ok(c.Line(l.Name)).Values[0][0], l.Values[0][0]; math.Abs(got-want) > 0.01 {
			t.Errorf("%s at p = %g: %.4f, stored is %.4f", l.Name, c.At[0], got, want)
		}
	}
}

func store(t *testing.T, wanted []string) {
	var file stored.Curves
	if err := json.Unmarshal(ok(os.ReadFile(curvesFile)), &file); err != nil {
		t.Fatal(err)
	}
	p := DefaultParameters()
	file.Parameters = ok(json.Marshal(p))
	var kept []stored.Curve
	for _, s := range Sweeps() {
		c, err := file.Find(s.Name)
		if err != nil && wanted[0] != "all" && !slices.Contains(wanted, s.Name) {
			continue // one by one, the file fills up
		}
		if wanted[0] == "all" || slices.Contains(wanted, s.Name) {
			start := time.Now()
			c, err = s.Run(t.Context(), p, s.Seeds)
			t.Logf("%s: %.0f s", s.Name, time.Since(start).Seconds())
		}
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		kept = append(kept, round(c))
	}
	file.Curves = kept
	if err := os.WriteFile(curvesFile, append(ok(json.MarshalIndent(file, "", "\t")), '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// round keeps the digits that a share of some thousand questions has.
func round(c stored.Curve) stored.Curve {
	for _, l := range c.Lines {
		for _, seed := range l.Values {
			for i, x := range seed {
				seed[i] = math.Round(1e5*x) / 1e5
			}
		}
	}
	return c
}

// Sweeps of small documents have the shape that the file wants.
func TestSweepsFillEveryLine(t *testing.T) {
	p := tiny()
	points := ok(OverLong(t.Context(), p, 0, []int{0, 80}))
	if points[0].Chunked >= points[1].Chunked || points[0].ICL != 0.25 {
		t.Errorf("training does not help: %+v", points)
	}
	kinds := sweep("kinds", "trained", three, nil, func(ctx context.Context, p Parameters, seed int) ([]KindsPoint, error) {
		return Kinds(ctx, p, seed, p.Slots)
	})
	file := stored.Curves{Parameters: ok(json.Marshal(p)), Curves: []stored.Curve{ok(kinds.Run(t.Context(), p, kinds.Seeds))}}
	read := ok(stored.Parse(ok(json.Marshal(file))))
	c := ok(read.Find("kinds"))
	if len(c.Seeds) != 3 || len(c.Labels) != 7 || len(c.Lines) != 3 || !strings.Contains(c.Labels[5], ", ") {
		t.Errorf("%+v", c)
	}
	if _, err := OverLong(t.Context(), p, 0, nil); err == nil {
		t.Error("no steps: want an error")
	}
}
