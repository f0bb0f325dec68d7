package stored

import (
	"errors"
	"strings"
	"testing"
)

// What encoding/json would read as zero or not at all is named.
func TestWhatIsMissingOrNullIsNoZero(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"seed": 0, `, ``, ".seed is missing"},
		{`"values": [0.25]`, `"values": [null]`, ".experiments[0].splits[0].values[0] is <nil>, read as 0"},
		{`"id": "a", "lecture": "1", "mean": 1`, `"id": "a", "lecture": "1"`, ".experiments[0].splits[0].fit[0].mean is missing"},
		{`"draws": 4`, `"draws": null`, ".experiments[0].draws is <nil>, read as 0"},
		{`"name": "e"`, `"name": ""`, `experiment 0: want a name`},
		{`"version": 1, "processor"`, `"version": 0, "processor"`, "version 0"},
	} {
		text := strings.Replace(small, c.old, c.new, 1)
		if text == small {
			t.Fatalf("%s is not in the file", c.old)
		}
		if _, err := parse[Calibration]("f.json", []byte(text)); !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.new, err, c.want)
		}
	}
	if _, err := parse[Calibration]("f.json", []byte(small+"{}")); !errors.Is(err, ErrFile) {
		t.Errorf("a second object: %v", err)
	}
	for _, empty := range []string{"null", "{}", `{"version": 1}`} {
		if _, err := parse[Calibration]("f.json", []byte(empty)); !errors.Is(err, ErrFile) {
			t.Errorf("%s: %v", empty, err)
		}
		if _, err := parse[Sensitivity]("f.json", []byte(empty)); !errors.Is(err, ErrFile) {
			t.Errorf("%s: %v", empty, err)
		}
	}
	if _, err := parse[Sensitivity]("f.json", []byte(`{"version": 1, "processor": "p", "step": 0.2, "experiments": []}`)); !errors.Is(err, ErrFile) {
		t.Errorf("no experiments: %v", err)
	}
}
