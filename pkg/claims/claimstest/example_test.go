package claimstest_test

import (
	"fmt"
	"testing"

	"memlab/pkg/claims"
	"memlab/pkg/claims/claimstest"
)

// layers is an experiment of one row: bytes of KV cache per token.
func layers(n float64) claims.Experiment {
	return claims.Experiment{
		Name: "layers", Version: 1, Seeds: 1, Deterministic: true,
		Yields: []claims.Yield{{ID: "kv-bytes-llama3-8b"}},
		Run: func(int) (claims.Values, error) {
			return claims.Values{"kv-bytes-llama3-8b": claims.One(n * 8 * 128 * 2 * 2)}, nil
		},
	}
}

// failures counts what a test would have reported.
type failures struct {
	testing.TB
	n int
}

func (f *failures) Helper()               {}
func (f *failures) Error(...any)          { f.n++ }
func (f *failures) Errorf(string, ...any) { f.n++ }

// A parameter that is off by one of 32 is noticed: no failure.
func Example() {
	t := new(failures) // in a test, its *testing.T
	right, wrong := claimstest.Judged(t, layers(32), 1), claimstest.Judged(t, layers(31), 1)
	claimstest.Red(t, right, wrong, "kv-bytes-llama3-8b")
	fmt.Println(wrong["kv-bytes-llama3-8b"].Verdict, t.n)
	// Output: not reproduced 0
}

func TestRedSeesWhatIsNotRed(t *testing.T) {
	right, wrong := claimstest.Judged(t, layers(32), 1), claimstest.Judged(t, layers(31), 1)
	claimstest.Red(t, right, wrong, "kv-bytes-llama3-8b")
	for name, c := range map[string]struct {
		right, wrong map[string]claims.Judged
		ids          []string
	}{
		"no row":           {right, wrong, nil},
		"an unknown row":   {right, wrong, []string{"kv-bytes"}},
		"red from before":  {wrong, wrong, []string{"kv-bytes-llama3-8b"}},
		"never red":        {right, right, []string{"kv-bytes-llama3-8b"}},
		"of another seeds": {right, claimstest.Stored(t, "session", 3), []string{"kv-bytes-llama3-8b"}},
	} {
		f := &failures{TB: t}
		if claimstest.Red(f, c.right, c.wrong, c.ids...); f.n != 1 {
			t.Errorf("%s: %d failures, want 1", name, f.n)
		}
	}
	if s := claimstest.Stored(t, "session", 3); len(s) != 20 || *s["session-calls"].Seeds != 3 {
		t.Errorf("%d stored rows of the session", len(s))
	}
}
