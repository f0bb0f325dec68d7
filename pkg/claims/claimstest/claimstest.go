// Package claimstest is for tests that move a parameter of an experiment and look
// which claims notice. It exists because a claim that no wrong parameter turns red
// proves nothing. Its main function is Red, which runs an experiment as it is and
// with a change, under the same seeds, and wants the named rows to be reproduced
// first and not after. It costs the two runs; Judged alone is one. The rows are those
// of datasets/claims.csv.
package claimstest

import (
	"testing"

	"memlab/pkg/claims"
)

// Judged runs an experiment under seeds 0 to seeds-1 (0: its own number) and judges
// the rows that it yields.
func Judged(t testing.TB, e claims.Experiment, seeds int) map[string]claims.Judged {
	t.Helper()
	rows, err := claims.Rows()
	if err != nil {
		t.Fatal(err)
	}
	registry, err := claims.NewRegistry(rows, e)
	if err != nil {
		t.Fatal(err)
	}
	results, err := registry.Run(seeds)
	if err != nil {
		t.Fatal(err)
	}
	all, err := claims.JudgeAll(rows, results)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]claims.Judged{}
	for _, j := range all {
		if _, yields := registry.Of(j.ID); yields {
			out[j.ID] = j
		}
	}
	return out
}

// Red wants each row to be reproduced in one run and not in the other, both under
// the same number of seeds.
func Red(t testing.TB, right, wrong map[string]claims.Judged, ids ...string) {
	t.Helper()
	if len(ids) == 0 {
		t.Error("no row is named: a parameter that no claim notices is not pinned")
	}
	for _, id := range ids {
		a, here := right[id]
		b, there := wrong[id]
		switch {
		case !here || !there:
			t.Errorf("%s is not computed", id)
		case *a.Seeds != *b.Seeds:
			t.Errorf("%s: %d and %d seeds: want the same", id, *a.Seeds, *b.Seeds)
		case a.Verdict != claims.Reproduced:
			t.Errorf("%s is %s as it is: %s", id, a.Verdict, a.Reason)
		case b.Verdict != claims.NotReproduced:
			t.Errorf("%s is still %s: %s", id, b.Verdict, b.Reason)
		}
	}
}

// Stored are the rows of an experiment as they are stored, under seeds 0 to seeds-1
// only: for what takes too long to run in a test. CI computes seed 0 of every
// experiment again and compares.
func Stored(t testing.TB, experiment string, seeds int) map[string]claims.Judged {
	t.Helper()
	rows, err := claims.Rows()
	if err != nil {
		t.Fatal(err)
	}
	results, err := claims.StoredResults()
	if err != nil {
		t.Fatal(err)
	}
	for i := range results.Experiments {
		if e := &results.Experiments[i]; e.Name == experiment {
			e.Seeds = seeds
		}
	}
	for i := range results.Rows {
		r := &results.Rows[i]
		if r.Experiment == experiment {
			r.Values = r.Values[:seeds]
			if r.BesideValues != nil {
				r.BesideValues = r.BesideValues[:seeds]
			}
		}
	}
	all, err := claims.JudgeAll(rows, results)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]claims.Judged{}
	for _, r := range results.Rows {
		for _, j := range all {
			if r.Experiment == experiment && j.ID == r.ID {
				out[j.ID] = j
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("no results of an experiment %q are stored", experiment)
	}
	return out
}
