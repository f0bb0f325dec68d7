package nb_test

import (
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"memlab/pkg/chart"
	"memlab/pkg/nb"
	"memlab/pkg/table"
)

func Example() {
	t := table.New("", "Context", "KV cache")
	t.Rows = [][]string{{"128k", "16.8 GB"}}
	nb.Table(t)
	nb.Check("1.1", nb.Open)
	nb.Check("1.1", 41.9)
	// Output:
	// Context  KV cache
	// -------  --------
	//    128k   16.8 GB
	// ○ 1.1 How many GB of KV cache does one context of 128,000 tokens need in Llama-3-70B? Hint: count layers first, then KV heads: it has 80 and 8.
	// ✓ 1.1 right
}

// printed returns what f prints.
func printed(t *testing.T, f func()) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = w
	f()
	os.Stdout = stdout
	w.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestTheLanguageIsThatOfTheFolder(t *testing.T) {
	for dir, want := range map[string]chart.Lang{
		"/home/a/memlab/notebooks":    chart.English,
		"/home/a/memlab/notebooks/zh": chart.Chinese,
		"/home/zhang/notebooks":       chart.English,
		"":                            chart.English,
	} {
		t.Setenv("GONB_DIR", dir)
		if got := nb.Lang(); got != want {
			t.Errorf("%q: %v, want %v", dir, got, want)
		}
	}
}

func TestPrintfSpeaksTheLanguageWhereItCan(t *testing.T) {
	t.Setenv("GONB_DIR", "/notebooks/zh")
	if got, want := printed(t, func() { nb.Printf("one token: %v", "131 kB") }), "一个 token：131 kB\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := printed(t, func() { nb.Printf("my own words: %d\n", 7) }), "my own words: 7\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestANewWrongAnswerBringsTheNextHint(t *testing.T) {
	t.Setenv("GONB_TMP_DIR", t.TempDir())
	say := func(answer float64) string { return printed(t, func() { nb.Check("1.1", answer) }) }
	first := say(1)
	if again := say(1); again != first {
		t.Errorf("the same answer brings another hint: %q, then %q", first, again)
	}
	second := say(2)
	if second == first || !strings.HasPrefix(second, "✗ 1.1 not yet") {
		t.Errorf("another wrong answer: %q after %q", second, first)
	}
	if inf := say(math.Inf(1)); !strings.HasPrefix(inf, "✗") {
		t.Errorf("an infinite answer: %q", inf)
	}
	if back := say(1); back != first {
		t.Errorf("back to the first answer: %q, want %q", back, first)
	}
	if open := say(nb.Open); !strings.HasPrefix(open, "○") {
		t.Errorf("an open exercise: %q", open)
	}
}

// A student's own numbers: Ask shows them, Check takes them, and the attempts at one
// student's numbers bring no hint to another.
func TestAskAndCheckHaveTheStudentsNumbers(t *testing.T) {
	t.Setenv("GONB_TMP_DIR", t.TempDir())
	asked := printed(t, func() { nb.Ask("10.4", "student 1") })
	for _, part := range []string{"**10.4a** A cartridge", "**10.4b** ", "**10.4c** "} {
		if !strings.Contains(asked, part) {
			t.Errorf("asked %q, want %q in it", asked, part)
		}
	}
	if same := printed(t, func() { nb.Ask("10.4", " STUDENT 1") }); same != asked {
		t.Errorf("the same student is asked %q, then %q", asked, same)
	}
	if lecture := printed(t, func() { nb.Ask("10.4", "") }); lecture == asked || !strings.Contains(lecture, "128,000 tokens") {
		t.Errorf("nobody is asked %q, want the lecture's numbers", lecture)
	}
	e := nb.Must(nb.Variant("student 1").Find("10.4a"))
	answer := nb.Must(e.Answer())
	if got := printed(t, func() { nb.Check("10.4a", answer, "student 1") }); got != "✓ 10.4a right\n" {
		t.Errorf("the student's answer: %q", got)
	}
	if got := printed(t, func() { nb.Check("10.4a", answer) }); !strings.HasPrefix(got, "✗") {
		t.Errorf("the student's answer to the lecture's question: %q", got)
	}
	for _, wrong := range []int{1, 2, 3} {
		printed(t, func() { nb.Check("10.1a", wrong, "student 1") })
	}
	other := nb.Must(nb.Variant(2).Find("10.1a"))
	if got := printed(t, func() { nb.Check("10.1a", 1000, 2) }); !strings.Contains(got, other.Hints[1].EN) {
		t.Errorf("the first wrong answer of another student, after three of the first: %q", got)
	}
	open := printed(t, func() { nb.Check("10.4a", nb.Open, "student 1") })
	if !strings.HasPrefix(open, "○ 10.4a Hint: ") {
		t.Errorf("open, with its question shown before: %q", open)
	}
	t.Setenv("GONB_DIR", "/notebooks/zh")
	if got := printed(t, func() { nb.Ask("10.4a", "student 1") }); !strings.Contains(got, "次查询回本") {
		t.Errorf("in Chinese: %q", got)
	}
}

func TestProgressEndsInOneLineWithoutTimes(t *testing.T) {
	run := func() string {
		return printed(t, func() {
			p := nb.NewProgress("training", 300)
			for range 300 {
				p.Add(1)
			}
		})
	}
	out := run()
	lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
	if len(lines) != 1 {
		t.Fatalf("%d lines: %q", len(lines), out)
	}
	states := strings.Split(lines[0], "\r")
	if last := states[len(states)-1]; !strings.Contains(last, "300/300") || !strings.Contains(last, "training") {
		t.Errorf("the last state is %q", last)
	}
	if strings.ContainsAny(states[len(states)-1], "s:[") {
		t.Errorf("the last state holds a time: %q", states[len(states)-1])
	}
}

// A mistake ends the cell: each of these runs in a process of its own.
func TestMistakesEndTheCellWithAClearLine(t *testing.T) {
	mistakes := map[string]func(){
		"unknown exercise \"9.9\"":         func() { nb.Check("9.9", 1) },
		"this does not hold: two is three": func() { nb.Assert(2 == 3, "two is three") },
		"want a positive number":           func() { nb.NewProgress("training", 0) },
		"no such thing":                    func() { nb.Must(0, fmt.Errorf("no such thing")) },
		"bad student 1.5 (float64)":        func() { nb.Ask("10.1", 1.5) },
		"unknown exercise \"10.9\"":        func() { nb.Ask("10.9", "") },
		"guess \"x\" of 3, computed NaN":   func() { nb.Guess("x", 3, math.NaN()) },
		"guess \"x\" of +Inf":              func() { nb.Guess("x", math.Inf(1), 3) },
		"checked for 2 students":           func() { nb.Check("10.3", 1, "a", "b") },
		"no series":                        func() { nb.Show(chart.Figure{Title: "t", X: chart.Axis{Label: "x"}, Y: chart.Axis{Label: "y"}}) },
	}
	if name := os.Getenv("NB_TEST_MISTAKE"); name != "" {
		mistakes[name]()
		return
	}
	for want := range mistakes {
		t.Run(want, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestMistakesEndTheCellWithAClearLine$")
			cmd.Env = append(os.Environ(), "NB_TEST_MISTAKE="+want)
			out, err := cmd.CombinedOutput()
			if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 1 {
				t.Errorf("ended with %v, want status 1", err)
			}
			if !strings.Contains(string(out), want) || strings.Contains(string(out), "goroutine") {
				t.Errorf("said %q, want a line with %q", out, want)
			}
		})
	}
}
