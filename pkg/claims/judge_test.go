package claims

import (
	"strings"
	"testing"
)

func TestParseJudge(t *testing.T) {
	value, tolerance, zero := 8.8, 0.1, 0.0
	for _, c := range []struct {
		text      string
		v, tol    *float64
		low, high float64 // of the first band
	}{
		{"abs", &value, &tolerance, 8.7, 8.9},
		{"each abs", &value, &tolerance, 8.7, 8.9},
		{"exact", &value, &zero, 8.8, 8.8},
		{"between 20 30", nil, nil, 20, 30},
		{"each between -0.01 0.05", &zero, nil, -0.01, 0.05},
		{"parts 576 0 / 435 1", nil, nil, 576, 576},
	} {
		j, err := ParseJudge(c.text, c.v, c.tol)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		near(t, c.text+", low", j.Bands[0].Low, c.low, 1e-12)
		near(t, c.text+", high", j.Bands[0].High, c.high, 1e-12)
	}
}

func TestParseJudgeRejectsWhatItDoesNotKnow(t *testing.T) {
	value, tolerance, zero := 8.8, 0.1, 0.0
	for text, c := range map[string]struct {
		v, tol *float64
		want   string
	}{
		"":                        {&value, &tolerance, "want exact, abs"},
		"each":                    {&value, &tolerance, "want exact, abs"},
		"roughly":                 {&value, &tolerance, "unknown"},
		"abs 3":                   {&value, &tolerance, "takes no number"},
		"abs":                     {&value, nil, "needs lecture_value and tolerance"},
		"exact":                   {&value, &tolerance, "exact has tolerance 0"},
		"below":                   {&value, &tolerance, "takes 1"},
		"below two":               {&value, &tolerance, "no number"},
		"below 8":                 {&value, &zero, "would not pass"},
		"between 1":               {nil, nil, "takes 2"},
		"between 3 1":             {nil, nil, "smaller number first"},
		"between 1 NaN":           {nil, nil, "no number"},
		"parts 1":                 {nil, nil, "a value and a tolerance"},
		"parts 1 -1":              {nil, nil, "0 or more"},
		"parts 1 0 /":             {nil, nil, "a value and a tolerance"},
		"each holds":              {&value, &zero, "without each"},
		"each parts 1 0 / 2 0":    {nil, nil, "without each"},
		"holds in the mean":       {&value, &zero, "takes no number"},
		"abs; mean over seeds":    {&value, &tolerance, "unknown"},
		"each each between 1 100": {nil, nil, "unknown"},
	} {
		if _, err := ParseJudge(text, c.v, c.tol); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", text, err, c.want)
		}
	}
}
