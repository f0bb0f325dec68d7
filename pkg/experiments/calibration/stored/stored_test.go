package stored

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func Example() {
	c, err := HeldOut()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range c.Experiments {
		for _, s := range e.Splits {
			if Hits(s.Held) > len(s.Held) || Null(s.Held) > float64(len(s.Held)) {
				fmt.Println(e.Name, s.Name, "hits more than there are")
			}
		}
	}
	fmt.Println(c.Experiments[0].Name, c.Experiments[0].Ranges[0].Name)
	// Output: cost compute_share
}

const small = `{
	"version": 1, "processor": "amd64", "seed": 0, "first_fit_seed": 100, "not_fitted": [],
	"experiments": [{
		"name": "e", "version": 1, "fit_seeds": 1, "seeds": 2, "draws": 4, "impossible_draws": 0, "steps": 0,
		"ranges": [{"name": "x", "low": 0, "high": 1, "scale": "linear", "default": 0.5, "means": "anything"}],
		"splits": [{
			"name": "first half fitted", "values": [0.25], "loss": 0, "best_draw_loss": 0, "calibrated_loss": 0,
			"fit": [{"id": "a", "lecture": "1", "mean": 1, "low": 1, "high": 1, "band_low": 0, "band_high": 2, "hit": true, "null": 1}],
			"held_out": [
				{"id": "b", "lecture": "2", "mean": 2, "low": 1.5, "high": 2.5, "band_low": 1, "band_high": null, "hit": true, "null": 0.5},
				{"id": "c", "lecture": "3", "mean": 9, "low": 8, "high": 10, "band_low": 2, "band_high": 4, "hit": false, "null": 0.25}
			]
		}]
	}]
}`

func TestTablesOfASmallCalibration(t *testing.T) {
	c, err := parse[Calibration]("f.json", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	if Hits(c.Experiments[0].Splits[0].Held) != 1 || Null(c.Experiments[0].Splits[0].Held) != 0.75 {
		t.Error("want 1 hit, and .75 by chance")
	}
	sums, err := c.Table()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(sums.Rows[1], ","); got != ",,1,1,2,1,0.8" {
		t.Errorf("sums %q", got)
	}
	rows, err := c.RowsTable("")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rows.Rows[0], ","); got != "b,2,2,1.5 to 2.5,1,,hit,50%" {
		t.Errorf("first row %q", got)
	}
	if rows.Rows[1][6] != "missed" || len(rows.Rows) != 2 {
		t.Errorf("rows %q", rows.Rows)
	}
	values, err := c.ValuesTable("e")
	if err != nil || strings.Join(values.Rows[0], ",") != "x,0,1,0.5,0.25" {
		t.Errorf("%v, %q", err, values.Rows)
	}
	if _, err := c.RowsTable("f"); err == nil || !strings.Contains(err.Error(), "want one of e") {
		t.Error(err)
	}
	if _, err := c.ValuesTable("f"); err == nil || !strings.Contains(err.Error(), "want one of e") {
		t.Error(err)
	}
}

func TestSensitivityTable(t *testing.T) {
	s := Sensitivity{Step: 0.2, Experiments: []Moved{{Name: "e", Parameters: []Parameter{
		{Name: "x", Value: 5, Down: &Move{Value: 4, Red: []string{"a", "b"}}},
	}}}}
	got, err := s.Table()
	if err != nil || strings.Join(got.Rows[0], ",") != "e,x,5,4,2,," {
		t.Errorf("%v, %q", err, got.Rows)
	}
}

func TestFilesThatAreNotAsTheyShouldBe(t *testing.T) {
	for want, text := range map[string]string{
		"f.json:2:":                       "{\n\"version\": x}",
		"unknown field":                   `{"versions": 1}`,
		"want ranges and splits":          `{"experiments": [{"name": "e"}]}`,
		"2 values: want 1":                strings.Replace(small, "[0.25]", "[0.25, 1]", 1),
		"0 rows fitted, 2 held out: want": strings.Replace(small, `"fit": [`, `"fit": [], "fit_": [`, 1),
	} {
		text = strings.Replace(text, `"fit": [], "fit_": [{"id": "a", "lecture": "1", "mean": 1, "low": 1, "high": 1, "band_low": 0, "band_high": 2, "hit": true, "null": 1}],`, `"fit": [],`, 1)
		if _, err := parse[Calibration]("f.json", []byte(text)); !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q", err, want)
		}
	}
	for want, text := range map[string]string{"step 0": `{}`, "want parameters": `{"step": 0.2, "experiments": [{"name": "e"}]}`} {
		if _, err := parse[Sensitivity]("f.json", []byte(text)); !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q", err, want)
		}
	}
}

func TestMarshalAndParseAgree(t *testing.T) {
	c, err := parse[Calibration]("f.json", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	first, err := Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	again, err := parse[Calibration]("f.json", first)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := Marshal(again); err != nil || string(second) != string(first) {
		t.Errorf("%v: not the same bytes", err)
	}
}
