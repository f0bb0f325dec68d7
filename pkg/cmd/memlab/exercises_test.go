package main

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"memlab/pkg/exercise"
)

func classFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "class.txt")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// What the teacher reads is what the student's notebook accepts.
func TestAnswersOfAClassAreGradedRight(t *testing.T) {
	class := classFile(t, "\ufeffstudent 1\r\n\r\n20260417\n  王小 明 \n\"a, b\"\n")
	rows, err := csv.NewReader(strings.NewReader(output(t, "exercises", "--class", class, "--questions", "zh"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rows[0], " "); got != "student variant exercise answer unit tolerance question" {
		t.Errorf("header %q", got)
	}
	var names []string
	for _, row := range rows[1:] {
		if len(names) == 0 || names[len(names)-1] != row[0] {
			names = append(names, row[0])
		}
		v, err := exercise.VariantOf(row[0])
		if err != nil || strconv.FormatUint(uint64(v), 10) != row[1] {
			t.Fatalf("%q has the variant %s, want %d, %v", row[0], row[1], v, err)
		}
		e, err := v.Find(row[2])
		if err != nil {
			t.Fatal(err)
		}
		answer, err := strconv.ParseFloat(row[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		if g, err := e.Grade(answer, 0); err != nil || g.Status != exercise.Right {
			t.Errorf("%v: %v, %v", row, g, err)
		}
		if row[6] != e.Question.ZH {
			t.Errorf("question %q, want %q", row[6], e.Question.ZH)
		}
	}
	if got := strings.Join(names, "|"); got != `student 1|20260417|王小 明|"a, b"` {
		t.Errorf("students %s", got)
	}
	if want := 1 + 4*16; len(rows) != want {
		t.Errorf("%d rows, want %d: 16 answers for each student", len(rows), want)
	}
}

func TestOnlyTheExercisesThatAreAskedFor(t *testing.T) {
	class := classFile(t, "1\n2\n")
	for only, want := range map[string]string{
		"10.4": "10.4a 10.4b 10.4c", "10.4b,10.1c": "10.4b 10.1c", "10.4b,10.4": "10.4b 10.4a 10.4c", "1.1": "1.1",
	} {
		rows, err := csv.NewReader(strings.NewReader(output(t, "exercises", "--class", class, "--only", only))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, row := range rows[1:] {
			if row[0] == "1" {
				got = append(got, row[2])
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("--only %s: %v, want %s", only, got, want)
		}
	}
}

func TestAClassThatCannotBeIsNamed(t *testing.T) {
	good := classFile(t, "1\n")
	for want, args := range map[string][]string{
		"missing: --class":                                    {},
		`--class "": want the name of a file`:                 {"--class", ""},
		"--class: open":                                       {"--class", filepath.Join(t.TempDir(), "none.txt")},
		"no student in it":                                    {"--class", classFile(t, "\n  \n\u3000\n")},
		"class.txt: no student in it":                         {"--class", classFile(t, "")},
		`line 3: "STUDENT  1" has the same numbers as line 1`: {"--class", classFile(t, "student 1\nb\nSTUDENT  1\n")},
		"line 2: not UTF-8":                                   {"--class", classFile(t, "a\n\xff\xfe\n")},
		`unknown exercise "9.9"`:                              {"--class", good, "--only", "9.9"},
		"--only names no exercise":                            {"--class", good, "--only", ""},
		`--questions "de": want en or zh`:                     {"--class", good, "--questions", "de"},
		`unknown command "x"`:                                 {"x"},
		`unknown flag: --seed`:                                {"--class", good, "--seed", "1"},
	} {
		var out bytes.Buffer
		err := run(append([]string{"exercises"}, args...), &out, &out)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
		if out.Len() > 0 {
			t.Errorf("%q has written %q before it failed", args, out.String())
		}
	}
}

// By hand: the paper's break-even for 128,000 tokens lies in the band of the claim.
func TestTheLecturesNumbersAreVariantNought(t *testing.T) {
	e, err := exercise.Find("10.4a")
	if err != nil {
		t.Fatal(err)
	}
	if x, err := e.Answer(); err != nil || math.Abs(x-890) > 15 {
		t.Errorf("%v, %v, want 890 ± 15", x, err)
	}
}
