package claims

import (
	"slices"
	"strings"
	"testing"
)

// Results that a program puts together are held to the same form as those of a file.
func TestResultsWithoutTheirNumbersAreAnError(t *testing.T) {
	results, err := StoredResults()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	judged, err := Stored()
	if err != nil {
		t.Fatal(err)
	}
	for want, values := range map[string][][]float64{
		"0 values: want one list for each of 1 seeds": nil,
		"values of seed 0: 0 numbers, want 1":         {{}},
		"2 values: want one list for each of 1 seeds": {{1}, {2}},
	} {
		spoilt := results
		spoilt.Rows = slices.Clone(results.Rows)
		i := slices.IndexFunc(spoilt.Rows, func(s StoredRow) bool { return s.ID == "kv-bytes-llama3-8b" })
		spoilt.Rows[i].Values = values
		if _, err := JudgeAll(rows, spoilt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("judged: %v, want %q", err, want)
		}
		if _, err := Score(judged, spoilt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("scored: %v, want %q", err, want)
		}
	}
}
