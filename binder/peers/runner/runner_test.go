package runner_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"memlab/binder/peers/runner"
)

func set(calls *int) runner.Set {
	return runner.Set{Unit: "sum", Versions: map[string]string{"lib": "1.0"}, Benches: []runner.Bench{
		{Name: "sum/3", New: func() (runner.Work, error) {
			return func() (int, any, error) { *calls++; return 10, 6, nil }, nil
		}},
		{Name: "sum/broken", New: func() (runner.Work, error) { return nil, errors.New("out of paper") }},
	}}
}

func ask(t *testing.T, s runner.Set, lines ...string) []map[string]any {
	t.Helper()
	var out strings.Builder
	if err := s.Serve(strings.NewReader(strings.Join(lines, "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	var answers []map[string]any
	for d := json.NewDecoder(strings.NewReader(out.String())); d.More(); {
		var a map[string]any
		if err := d.Decode(&a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	if len(answers) != len(lines) {
		t.Fatalf("%d answers to %d lines: %s", len(answers), len(lines), out.String())
	}
	return answers
}

func TestTheFirstRepeatIsAWarmUpAndTheWorkIsKept(t *testing.T) {
	calls := 0
	answers := ask(t, set(&calls), "run sum/3 2", "run sum/3 1")
	if calls != 1+2+1 {
		t.Errorf("%d repeats: want a warm-up, 2 and 1", calls)
	}
	for i, want := range []float64{20, 10} {
		if answers[i]["ops"] != want || answers[i]["check"] != 6.0 || answers[i]["bench"] != "sum/3" {
			t.Errorf("answer %d is %v: want %g ops and check 6", i, answers[i], want)
		}
	}
}

func TestListNamesWhatThereIs(t *testing.T) {
	var calls int
	got, err := json.Marshal(ask(t, set(&calls), "list")[0])
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"benches":["sum/3","sum/broken"],"unit":"sum","versions":{"lib":"1.0"}}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestABadRequestIsAnsweredByWhatWouldBeRight(t *testing.T) {
	var calls int
	requests := []string{"run sum/4 1", "run sum/3 0", "walk", "", "run sum/broken 1"}
	for i, want := range []string{`sum/4: no such bench`, "0 repeats", `"walk": want "list"`, `"": want`, "sum/broken: out of paper"} {
		answer := ask(t, set(&calls), requests[i])[0]
		if got, _ := answer["error"].(string); !strings.Contains(got, want) {
			t.Errorf("%q is answered by %v: want an error with %q", requests[i], answer, want)
		}
	}
}

func spin(turns int) func() (runner.Work, error) {
	return func() (runner.Work, error) {
		return func() (int, any, error) {
			x := uint64(1)
			for range turns {
				x = x*6364136223846793005 + 1442695040888963407
			}
			return 1, x, nil
		}, nil
	}
}

func TestTimeIsThatOfTheRepeatsLessWhatIsTakenOff(t *testing.T) {
	s := runner.Set{Unit: "turn", Benches: []runner.Bench{
		{Name: "all", New: spin(1 << 22)}, {Name: "quarter", New: spin(1 << 22), Off: spin(3 << 20)},
	}}
	answers := ask(t, s, "run all 1", "run all 20", "run quarter 20")
	var cpu [3]float64
	for i, a := range answers {
		cpu[i] = a["cpu_s"].(float64)
	}
	if cpu[0] <= 0 || cpu[1] < 4*cpu[0] || cpu[2] > 0.7*cpu[1] || cpu[2] < 0.05*cpu[1] {
		t.Errorf("one repeat took %g s, twenty %g s, a quarter of those %g s", cpu[0], cpu[1], cpu[2])
	}
}

// Example is what the main function of a program does; here the harness asks one thing.
func Example() {
	s := runner.Set{Unit: "sum", Benches: []runner.Bench{{Name: "sum/3", New: func() (runner.Work, error) {
		numbers := []int{1, 2, 3}
		return func() (int, any, error) {
			sum := 0
			for _, n := range numbers {
				sum += n
			}
			return len(numbers), sum, nil
		}, nil
	}}}}
	if err := s.Serve(strings.NewReader("list\n"), os.Stdout); err != nil {
		panic(err)
	}
	// Output: {"unit":"sum","benches":["sum/3"],"versions":null}
}
