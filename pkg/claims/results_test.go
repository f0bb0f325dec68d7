package claims

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func abRows(t *testing.T) []Row {
	t.Helper()
	rows, err := ReadRows("c.csv", strings.NewReader(header+
		"a,1.2,q,s,8.8,8.8,0.1,own,abs,fitted,\n"+
		"b,1.2,q,s,1 / 2,,,own,parts 1 0 / 2 0,derived,\n"+
		"p,1.2,q,s,3,3,,paper,quoted,,\n"))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

const goodResults = `{
 "experiments": [
  {"name": "e", "version": 1, "seeds": 2, "deterministic": false, "processor": "amd64", "free_parameters": ["x"], "parameters": {"x": 1}},
  {"name": "d", "version": 1, "seeds": 1, "deterministic": true, "processor": "amd64", "free_parameters": [], "parameters": null}
 ],
 "rows": [
  {"id": "a", "experiment": "e", "verdict": "reproduced", "beside": ["y"], "values": [[8.8], [8.9]], "beside_values": [[1], [2]]},
  {"id": "b", "experiment": "d", "verdict": "reproduced", "parts": ["one", "two"], "values": [[1, 2]]}
 ]
}
`

func TestResultsAreReadAndWrittenStably(t *testing.T) {
	r, err := ReadResults("r.json", strings.NewReader(goodResults), abRows(t))
	if err != nil {
		t.Fatal(err)
	}
	long := math.Nextafter(0.3, 1) // needs 17 digits
	r.Rows[0].Values[0][0] = long
	var first, second bytes.Buffer
	if err := r.Write(&first); err != nil {
		t.Fatal(err)
	}
	again, err := ReadResults("r.json", bytes.NewReader(first.Bytes()), abRows(t))
	if err != nil {
		t.Fatalf("%v in\n%s", err, first.String())
	}
	if err := again.Write(&second); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() || again.Rows[0].Values[0][0] != long {
		t.Errorf("not stable:\n%s\n%s", first.String(), second.String())
	}
	if diff := cmp.Diff(r.Rows, again.Rows); diff != "" {
		t.Error(diff)
	}
}

func TestReadResultsNamesFileAndLine(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"syntax":               {`[[1, 2]]`, `[[1, 2]`, "r.json:8: invalid character"},
		"truncated":            {"\n ]\n}\n", "", "r.json:8: unexpected end"},
		"text for a number":    {`[[8.8], [8.9]]`, `[[8.8], ["8.9"]]`, "r.json:7: json: cannot unmarshal string"},
		"too large":            {`[[8.8], [8.9]]`, `[[8.8], [1e999]]`, "r.json:7: "},
		"null for a number":    {`[[8.8], [8.9]]`, `[[8.8], [null]]`, `r.json:7: row "a": null among the values`},
		"a seed is missing":    {`[[8.8], [8.9]]`, `[[8.8]]`, `r.json:7: row "a": 1 values: want one list for each of 2 seeds`},
		"a part is missing":    {`[[1, 2]]`, `[[1]]`, `r.json:8: row "b": values of seed 0: 1 numbers, want 2`},
		"other parts":          {`"parts": ["one", "two"], `, ``, `r.json:8: row "b": 1 computed numbers: want 2`},
		"beside is missing":    {`[[1], [2]]`, `[[1]]`, `r.json:7: row "a": 1 beside_values`},
		"duplicate id":         {`"id": "b"`, `"id": "a"`, `r.json:8: id "a" is taken by line 7`},
		"unknown id":           {`"id": "b"`, `"id": "c"`, `r.json:8: row "c": claims.csv has no row`},
		"quoted id":            {`"id": "b"`, `"id": "p"`, `r.json:8: row "p": a quoted row is not computed`},
		"unknown experiment":   {`"experiment": "d"`, `"experiment": "f"`, `r.json:8: row "b": experiment "f" is not among`},
		"unknown verdict":      {`"reproduced", "parts"`, `"fine", "parts"`, `r.json:8: row "b": verdict "fine"`},
		"unknown field":        {`"id": "b"`, `"ID2": 3, "id": "b"`, `r.json:8: json: unknown field "ID2"`},
		"duplicate experiment": {`"name": "d"`, `"name": "e"`, `r.json:4: experiment "e": want a name of its own`},
		"no version":           {`"version": 1, "seeds": 1`, `"seeds": 1`, `r.json:4: experiment "d": want version`},
		"no seeds":             {`"seeds": 1,`, `"seeds": 0,`, `r.json:4: experiment "d": want version, seeds`},
		"seeds without chance": {`"seeds": 1,`, `"seeds": 2,`, `r.json:4: experiment "d": 2 seeds`},
		"lists in wrong order": {`"experiments": [`, `"rows": [`, `r.json:2: found rows: want experiments`},
		"no object":            {"{\n", "[{\n", "r.json:"},
	} {
		if !strings.Contains(goodResults, c.old) {
			t.Fatalf("%s: the good file has no %q", name, c.old)
		}
		text := strings.Replace(goodResults, c.old, c.new, 1)
		if _, err := ReadResults("r.json", strings.NewReader(text), abRows(t)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func TestWithReplacesWholeExperiments(t *testing.T) {
	old := Results{
		Experiments: []StoredExperiment{{Name: "a", Version: 1}, {Name: "b", Version: 1}},
		Rows:        []StoredRow{{ID: "1", Experiment: "a"}, {ID: "2", Experiment: "a"}, {ID: "3", Experiment: "b"}},
	}
	fresh := Results{
		Experiments: []StoredExperiment{{Name: "a", Version: 2}},
		Rows:        []StoredRow{{ID: "2", Experiment: "a"}},
	}
	want := Results{
		Experiments: []StoredExperiment{{Name: "a", Version: 2}, {Name: "b", Version: 1}},
		Rows:        []StoredRow{{ID: "2", Experiment: "a"}, {ID: "3", Experiment: "b"}},
	}
	if diff := cmp.Diff(want, old.With(fresh)); diff != "" {
		t.Error(diff)
	}
}
