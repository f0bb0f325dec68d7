package main

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"memlab/pkg/cartridge/gomlx"
)

var tiny = size{facts: 32, slots: 8, batch: 4}

func written(t *testing.T) (folder string, d *data) {
	t.Helper()
	folder = t.TempDir()
	if err := tiny.write(folder); err != nil {
		t.Fatal(err)
	}
	d, err := tiny.read(folder)
	if err != nil {
		t.Fatal(err)
	}
	return folder, d
}

// What peers read is what the exact teacher is asked and what is replayed.
func TestAllLessonsAskTheQuestionsOfTheFile(t *testing.T) {
	_, d := written(t)
	for _, constant := range []bool{false, true} {
		lesson, err := tiny.lesson(d, constant)
		if err != nil {
			t.Fatal(err)
		}
		source, err := lesson.Open(seed)
		if err != nil {
			t.Fatal(err)
		}
		b := tiny.newBatch()
		for i := range steps {
			if err := source.Next(b); err != nil {
				t.Fatal(err)
			}
			for j, fact := range b.Facts {
				if at := i*tiny.batch + j; fact != int(d.facts[at]) || !reflect.DeepEqual(b.Q.Row(j), d.q.Row(at)) {
					t.Fatalf("constant %t: question %d of batch %d is another one than in the file", constant, j, i)
				}
			}
		}
	}
}

func TestEnginesComputeTheSame(t *testing.T) {
	folder, _ := written(t)
	losses := map[bool]float64{}
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			for _, constant := range []bool{false, true} {
				work, err := tiny.bench(folder, constant, e).New()
				if err != nil {
					t.Fatal(err)
				}
				for range 2 { // the second with the same engine, from the same start
					ops, check, err := work()
					if errors.Is(err, gomlx.ErrNoXLA) || errors.Is(err, gomlx.ErrNoPlugin) {
						t.Skip(err)
					}
					if err != nil {
						t.Fatal(err)
					}
					loss := check.(float64)
					if want, ok := losses[constant]; ok && math.Abs(loss-want) > 1e-5*want {
						t.Errorf("constant %t: the loss is %g: want %g", constant, loss, want)
					}
					if losses[constant] = loss; ops != steps {
						t.Errorf("%d steps: want %d", ops, steps)
					}
				}
			}
		})
	}
	if off := math.Abs(losses[true]/losses[false] - 1); off == 0 || off > 1e-3 {
		t.Errorf("the exact teacher ends at a loss of %g, constant targets at %g: want nearly the same", losses[false], losses[true])
	}
}

func TestAFileOfAnotherSizeIsNamed(t *testing.T) {
	folder, _ := written(t)
	name := filepath.Join(folder, tiny.String())
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for want, file := range map[string][]byte{"shorter": whole[:len(whole)-4], "4 bytes more": append(whole, 0, 0, 0, 0)} {
		if err := os.WriteFile(name, file, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := tiny.read(folder); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("a file of %d bytes: %v: want an error with %q and its name", len(file), err, want)
		}
	}
}

func TestWrongArgumentsAreNamed(t *testing.T) {
	for want, args := range map[string][]string{"[]": nil, `["abacus"]`: {"abacus"}, `["hand" "gomlx"]`: {"hand", "gomlx"}} {
		if err := run(args, t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v: want an error with %s", args, err, want)
		}
	}
	if err := run([]string{"hand"}, ""); err == nil || !strings.Contains(err.Error(), "MEMLAB_BENCH_DATA is empty") {
		t.Errorf("without a folder: %v", err)
	}
}
