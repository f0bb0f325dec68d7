package exercise_test

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"memlab/pkg/exercise"
)

func ExampleExercise_Grade() {
	e, _ := exercise.Find("1.1")
	for _, answer := range []float64{math.NaN(), 335.5, 41.9} {
		g, _ := e.Grade(answer, 0)
		fmt.Println(g.Status.Mark(), g.Text.EN)
	}
	// Output:
	// ○ Hint: count layers first, then KV heads: it has 80 and 8.
	// ✗ not yet: that counts all 64 query heads. Only the 8 KV heads are stored: the others share them.
	// ✓ right
}

// The answers, worked out by hand.
func TestAnswers(t *testing.T) {
	for id, want := range map[string]float64{
		"0.1": 8_000 * 32 * 8 * 128 * 2 * 2 / 1e9,
		"1.1": 128_000 * 80 * 8 * 128 * 2 * 2 / 1e9,
		"1.2": math.Floor((72e9 - 8.03e9*2) / (50_250 * 131_072)),
	} {
		e, err := exercise.Find(id)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Answer()
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
	}
}

// The lecture works exercise 3 out by hand: 89 evictions of 5,400 tokens.
func TestTheLecturesEstimateOfEvictionsIsAccepted(t *testing.T) {
	e, err := exercise.Find("10.3")
	if err != nil {
		t.Fatal(err)
	}
	for _, estimate := range []float64{481, 89 * 5.4} {
		if g, err := e.Grade(estimate, 0); err != nil || g.Status != exercise.Right {
			t.Errorf("%v: %v, %v", estimate, g, err)
		}
	}
}

// What holds for every exercise, whatever it asks.
func TestEveryExercise(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range exercise.All() {
		t.Run(e.ID, func(t *testing.T) {
			if seen[e.ID] {
				t.Error("the name is taken twice")
			}
			seen[e.ID] = true
			answer, err := e.Answer()
			if err != nil {
				t.Fatal(err)
			}
			grade := func(got float64, attempts int) exercise.Grade {
				t.Helper()
				g, err := e.Grade(got, attempts)
				if err != nil {
					t.Fatal(err)
				}
				return g
			}
			if g := grade(answer, 0); g.Status != exercise.Right {
				t.Errorf("its own answer is %v", g)
			}
			if g := grade(math.NaN(), 0); g.Status != exercise.Open || !strings.Contains(g.Text.EN, e.Hints[0].EN) {
				t.Errorf("no answer is %v, want it open, with the first hint", g)
			}
			for _, wrong := range []float64{0, -answer, math.Inf(1), 1.5 * answer} {
				for attempts := range len(e.Hints) + 2 {
					g := grade(wrong, attempts)
					if g.Status != exercise.Wrong {
						t.Errorf("%v is %v", wrong, g)
					}
					if revealed(g.Text.EN, answer) || revealed(g.Text.ZH, answer) {
						t.Errorf("the hint %q gives the answer away", g.Text.EN)
					}
				}
			}
			for i, s := range e.Slips {
				v, err := s.Value()
				if err != nil {
					t.Fatal(err)
				}
				if g := grade(v, 0); g.Status != exercise.Wrong || !strings.Contains(g.Text.EN, s.Hint.EN) {
					t.Errorf("slip %d (%v) is answered with %q", i, v, g.Text.EN)
				}
			}
			texts := []exercise.Text{e.Question}
			texts = append(texts, e.Hints...)
			for _, s := range e.Slips {
				texts = append(texts, s.Hint)
			}
			for _, text := range texts {
				if text.EN == "" || strings.IndexFunc(text.ZH, func(r rune) bool { return unicode.Is(unicode.Han, r) }) < 0 {
					t.Errorf("not in both languages: %q / %q", text.EN, text.ZH)
				}
			}
		})
	}
}

// revealed says whether one of the text's numbers is the answer to three digits.
func revealed(text string, answer float64) bool {
	return slices.ContainsFunc(numbersIn(text), func(x float64) bool { return math.Abs(x-answer) <= 5e-4*math.Abs(answer) })
}

var written = regexp.MustCompile(`[0-9][0-9,]*(?:\.[0-9]+)?`)

// numbersIn are the numbers that a text states, in its order.
func numbersIn(text string) []float64 {
	var out []float64
	for _, s := range written.FindAllString(text, -1) {
		x, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
		if err != nil {
			panic(err) // the expression is wrong
		}
		out = append(out, x)
	}
	return out
}

func TestHintsGoOnWithEachNewAnswer(t *testing.T) {
	e, _ := exercise.Find("1.1")
	open, _ := e.Grade(math.NaN(), 0)
	first, _ := e.Grade(1, 0)
	second, _ := e.Grade(1, 1)
	last, _ := e.Grade(1, 99)
	for i, g := range []exercise.Grade{open, first, second} {
		if !strings.Contains(g.Text.EN, e.Hints[i].EN) {
			t.Errorf("answer %d: %q, want the hint %q", i, g.Text.EN, e.Hints[i].EN)
		}
	}
	if last.Text != second.Text {
		t.Errorf("the last hint does not stay: %q", last.Text.EN)
	}
}

func TestARightNumberInTheWrongUnitIsToldSo(t *testing.T) {
	e, _ := exercise.Find("1.1")
	want, _ := e.Answer()
	for _, factor := range []float64{1e9, 1e6, 1e3, 1e-3} {
		g, _ := e.Grade(factor*want, 0)
		if g.Status != exercise.Wrong || !strings.Contains(g.Text.EN, "wanted in GB") {
			t.Errorf("%v times the answer: %q", factor, g.Text.EN)
		}
	}
}

// 1/4 of whole numbers is 0 in Go. Whoever falls for it hears so, and loses no hint.
func TestAQuotientOfWholeNumbersIsToldSo(t *testing.T) {
	for _, v := range append(students(t, 20), 0) {
		for _, e := range v.All() {
			g, err := e.Grade(0, 0)
			if err != nil || g.Status != exercise.Wrong || !g.Slip || !strings.Contains(g.Text.EN, "drops the remainder") || !strings.Contains(g.Text.ZH, "余数") {
				t.Errorf("%s of variant %d: 0 is answered with %q, %v", e.ID, v, g.Text.EN, err)
			}
		}
	}
}

// Two ways to go wrong in exercise 3, with the evictions of the hint: counting what
// leaves, and counting the whole window.
func TestWhatAnEvictionDoesNotComputeAgain(t *testing.T) {
	e, err := exercise.Find("10.3")
	if err != nil {
		t.Fatal(err)
	}
	for got, want := range map[float64]string{94 * 0.8: "what leaves", 94 * 8: "whole window"} {
		if g, err := e.Grade(got, 0); err != nil || !g.Slip || !strings.Contains(g.Text.EN, want) {
			t.Errorf("%v: %q, %v", got, g.Text.EN, err)
		}
	}
}

func TestUnknownExerciseListsTheKnown(t *testing.T) {
	_, err := exercise.Find("9.9")
	if !errors.Is(err, exercise.ErrUnknown) || !strings.Contains(err.Error(), "1.1") {
		t.Errorf("got %v", err)
	}
}

func TestAnExerciseThatCannotBeGradedIsAnError(t *testing.T) {
	whole, err := exercise.Find("1.1")
	if err != nil {
		t.Fatal(err)
	}
	number := func(v float64) func() (float64, error) { return func() (float64, error) { return v, nil } }
	for want, change := range map[string]func(*exercise.Exercise){
		"no Answer":           func(e *exercise.Exercise) { e.Answer = nil },
		"no Hints":            func(e *exercise.Exercise) { e.Hints = nil },
		"slip 0 has no Value": func(e *exercise.Exercise) { e.Slips = []exercise.Slip{{}} },
		"Tolerance NaN":       func(e *exercise.Exercise) { e.Tolerance = math.NaN() },
		"Tolerance -0.1":      func(e *exercise.Exercise) { e.Tolerance = -0.1 },
		"Tolerance 1":         func(e *exercise.Exercise) { e.Tolerance = 1 },
		"its answer is NaN":   func(e *exercise.Exercise) { e.Answer = number(math.NaN()) },
		"its answer is +Inf":  func(e *exercise.Exercise) { e.Answer = number(math.Inf(1)) },
	} {
		e := whole
		change(&e)
		for _, got := range []float64{1, math.NaN()} {
			if _, err := e.Grade(got, 0); !errors.Is(err, exercise.ErrExercise) || !strings.Contains(err.Error(), `exercise "1.1"`) || !strings.Contains(err.Error(), want) {
				t.Errorf("%v answered: %v, want %q", got, err, want)
			}
		}
	}
	if _, err := whole.Grade(1, -1); !errors.Is(err, exercise.ErrAttempts) || !strings.Contains(err.Error(), "-1: want 0 or more") {
		t.Errorf("-1 attempts: %v", err)
	}
	last, err := whole.Grade(1, len(whole.Hints))
	if err != nil {
		t.Fatal(err)
	}
	if g, err := whole.Grade(1, math.MaxInt); err != nil || g != last {
		t.Errorf("after very many attempts: %v, %v, want the last hint", g, err)
	}
}
