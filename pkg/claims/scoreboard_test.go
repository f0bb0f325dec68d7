package claims

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// board reads rows and results, judges and scores them.
func board(t *testing.T, csv, stored string) Scoreboard {
	t.Helper()
	rows, err := ReadRows("c.csv", strings.NewReader(header+csv))
	if err != nil {
		t.Fatal(err)
	}
	results, err := ReadResults("r.json", strings.NewReader(stored), rows)
	if err != nil {
		t.Fatal(err)
	}
	judged, err := JudgeAll(rows, results)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Score(judged, results)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const byHandRows = "" +
	"edge,1.2,q,s,10,10,1,own,abs,fitted,\n" +
	"wide,1.2,q,s,10,10,4,own,abs,fitted,\n" +
	"order,2.3,q,order,1,1,0,own,holds,predicted,\n" +
	"exact,2.3,q,s,7,7,0,own,exact,derived,\n" +
	"never,2.3,q,s,7,7,1,own,abs,derived,\n" +
	"p,3.2,q,s,3,3,,paper,quoted,,\n"

// The interval of four values that are 1, -1, 1, -1 around their mean is
// 3.1824 x 1.1547 / 2 = 1.8374 to both sides.
const byHandResults = `{
 "experiments": [
  {"name": "one", "version": 1, "seeds": 4, "deterministic": false, "processor": "amd64", "free_parameters": ["x", "y"], "parameters": {"x": 1}},
  {"name": "two", "version": 1, "seeds": 4, "deterministic": false, "processor": "amd64", "free_parameters": ["y", "z"], "parameters": {"x":1}},
  {"name": "three", "version": 1, "seeds": 1, "deterministic": true, "processor": "amd64", "free_parameters": ["x"], "parameters": {"x": 2}}
 ],
 "rows": [
  {"id": "wide", "experiment": "one", "verdict": "reproduced", "values": [[10], [8], [10], [8]]},
  {"id": "edge", "experiment": "one", "verdict": "not reproduced", "values": [[14], [12], [14], [12]]},
  {"id": "order", "experiment": "two", "verdict": "reproduced", "values": [[2], [0], [2], [0]]},
  {"id": "exact", "experiment": "three", "verdict": "reproduced", "values": [[7]]}
 ]
}
`

func TestScoreboardByHand(t *testing.T) {
	got := board(t, byHandRows, byHandResults)
	x := func(x float64) *float64 { return &x }
	want := Scoreboard{
		// Of the shares 1, 0 and 1/2 alone.
		All: Standing{Name: "all", Rows: 5, Reproduced: 3, NotReproduced: 1, NotComputed: 1, Settled: 2, Seeds: 4, Drawn: 3, SingleSeed: x(0.5), Free: 4},
		ByBasis: []Standing{
			{Name: "derived", Rows: 2, Reproduced: 1, NotComputed: 1, Settled: 1, Seeds: 1, Free: 1},
			{Name: "fitted", Rows: 2, Reproduced: 1, NotReproduced: 1, Settled: 1, Seeds: 4, Drawn: 2, SingleSeed: x(0.5), Free: 3},
			{Name: "predicted", Rows: 1, Reproduced: 1, Seeds: 4, Drawn: 1, SingleSeed: x(0.5), Free: 3},
		},
		BySection: []Standing{
			{Name: "1.2", Rows: 2, Reproduced: 1, NotReproduced: 1, Settled: 1, Seeds: 4, Drawn: 2, SingleSeed: x(0.5), Free: 3},
			{Name: "2.3", Rows: 3, Reproduced: 2, NotComputed: 1, Settled: 1, Seeds: 4, Drawn: 1, SingleSeed: x(0.5), Free: 4},
		},
		ByExperiment: []Standing{
			{Name: "one", Rows: 2, Reproduced: 1, NotReproduced: 1, Settled: 1, Seeds: 4, Drawn: 2, SingleSeed: x(0.5), AllAtOnce: x(0), Free: 3},
			{Name: "two", Rows: 1, Reproduced: 1, Seeds: 4, Drawn: 1, SingleSeed: x(0.5), AllAtOnce: x(0.5), Free: 3},
			{Name: "three", Rows: 1, Reproduced: 1, Settled: 1, Seeds: 1, Free: 1},
		},
		Quoted: 1,
		// One set for the two experiments of the same parameters.
		Free: []Free{{[]string{"one", "two"}, []string{"x", "y", "z"}}, {[]string{"three"}, []string{"x"}}},
		Failed: []Failure{
			{ID: "edge", Basis: Fitted, Verdict: NotReproduced}, {ID: "never", Basis: Derived, Verdict: NotComputed},
		},
		Edges: []Edge{
			{ID: "edge", Section: "1.2", Experiment: "one", Basis: Fitted, Mean: 13, Low: 13 - 1.8374, High: 13 + 1.8374, BandLow: x(9), BandHigh: x(11), Margin: x(-2), Intervals: x(-2 / 1.8374)},
			{ID: "wide", Section: "1.2", Experiment: "one", Basis: Fitted, Mean: 9, Low: 9 - 1.8374, High: 9 + 1.8374, BandLow: x(6), BandHigh: x(14), Margin: x(0.75), Intervals: x(3 / 1.8374)},
			{ID: "order", Section: "2.3", Experiment: "two", Basis: Predicted, Mean: 1, Low: 1 - 1.8374, High: 1 + 1.8374, BandLow: x(0), Intervals: x(1 / 1.8374)},
		},
		Alone: []Alone{
			{"edge", "1.2", "one", Fitted, 4, 0}, {"order", "2.3", "two", Predicted, 4, 0.5}, {"wide", "1.2", "one", Fitted, 4, 1},
		},
	}
	for i, f := range got.Failed {
		if f.Reason == "" {
			t.Errorf("%s: no reason", f.ID)
		}
		got.Failed[i].Reason = ""
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-3)); diff != "" {
		t.Error(diff)
	}
	line := "reproduced: derived 1 of 2, fitted 1 of 2, predicted 1 of 1, with 4 free parameters; not reproduced: 1; not computed yet: 1; quoted: 1"
	if got.String() != line {
		t.Errorf("got  %s\nwant %s", got, line)
	}
	if lucky := got.Lucky(0.9); len(lucky) != 2 || lucky[1].ID != "order" {
		t.Errorf("lucky: %v", lucky)
	}
}

// What is stored is counted in another way here, from the judged rows alone.
func TestScoreboardOfTheStoredResultsAddsUp(t *testing.T) {
	s, err := StoredScoreboard()
	if err != nil {
		t.Fatal(err)
	}
	judged, err := Stored()
	if err != nil {
		t.Fatal(err)
	}
	reproduced, drawn, shares := 0, 0, 0.0
	for _, j := range judged {
		if j.Verdict == Reproduced {
			reproduced++
		}
		if j.Seeds != nil && *j.Seeds > 1 {
			drawn++
			shares += *j.SingleSeedShare
		}
	}
	if s.All.Rows != 112 || s.Quoted != 28 || s.All.Reproduced != reproduced || s.All.Drawn != drawn || len(s.Alone) != drawn {
		t.Errorf("%+v with %d quoted: want %d reproduced and %d over several seeds", s.All, s.Quoted, reproduced, drawn)
	}
	near(t, "share of single seeds", *s.All.SingleSeed, shares/float64(drawn), 1e-12)
	for name, lines := range map[string][]Standing{"basis": s.ByBasis, "section": s.BySection, "experiment": s.ByExperiment} {
		sum := Standing{}
		for _, l := range lines {
			sum.Rows += l.Rows
			sum.Reproduced += l.Reproduced
			sum.Settled += l.Settled
			sum.NotReproduced += l.NotReproduced
			sum.Drawn += l.Drawn
		}
		if sum.Rows != s.All.Rows || sum.Reproduced != reproduced || sum.Settled != s.All.Settled || sum.Drawn != drawn {
			t.Errorf("by %s: %+v", name, sum)
		}
	}
	if got := len(s.Failed); got != s.All.Rows-reproduced {
		t.Errorf("%d failures, want %d", got, s.All.Rows-reproduced)
	}
	for i := 1; i < len(s.Edges); i++ {
		a, b := s.Edges[i-1], s.Edges[i]
		if a.Margin != nil && b.Margin != nil && *a.Margin > *b.Margin || a.Margin == nil && b.Margin != nil {
			t.Errorf("%s before %s", a.ID, b.ID)
		}
	}
	if data, err := json.Marshal(s); err != nil || strings.Contains(string(data), `"name":""`) {
		t.Errorf("%v in %s", err, data)
	}
}

// The two experiments on dialogues have one set of parameters, and so have the
// four on cartridges: each parameter counts once.
func TestSharedParametersCountOnce(t *testing.T) {
	s, err := StoredScoreboard()
	if err != nil {
		t.Fatal(err)
	}
	results, err := StoredResults()
	if err != nil {
		t.Fatal(err)
	}
	listed, distinct := 0, 0
	for _, e := range results.Experiments {
		listed += len(e.Free)
	}
	for _, f := range s.Free {
		distinct += len(f.Parameters)
	}
	if len(s.Free) != 5 || distinct != s.FreeCount() || distinct >= listed {
		t.Errorf("%d parameters in %d sets, %d counted, %d listed by experiment", distinct, len(s.Free), s.FreeCount(), listed)
	}
}

func TestScoreboardOfSomeRowsAndOfNothing(t *testing.T) {
	r := registry(t, drawing(), fixed())
	results := run(t, r, 0)
	judged, err := JudgeAll(r.Rows(), results)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Score(judged[1:], results)
	if err != nil || got.FreeCount() != 0 || got.All.Rows != 1 || got.ByBasis[1].Rows != 0 {
		t.Errorf("rows without a fitted one have its free parameters: %v, %v", got, err)
	}
	empty, err := JudgeAll(r.Rows(), Results{})
	if err != nil {
		t.Fatal(err)
	}
	got, err = Score(empty, Results{})
	if err != nil || got.All.NotComputed != 2 || got.All.SingleSeed != nil || got.FreeCount() != 0 || len(got.ByExperiment) != 0 {
		t.Errorf("nothing computed: %+v, %v", got, err)
	}
	results.Experiments = nil
	if _, err := Score(judged, results); err == nil || !strings.Contains(err.Error(), `"e"`) {
		t.Errorf("results of an unknown experiment: %v", err)
	}
	// One seed of an experiment that draws has no interval and settles nothing.
	if got, err := Score(judged, run(t, r, 1)); err != nil || got.All.Settled != 1 || got.All.Drawn != 0 || got.Edges[0].Intervals != nil {
		t.Errorf("one seed: %+v, %v", got, err)
	}
}

func TestScoreboardTables(t *testing.T) {
	s := board(t, byHandRows, byHandResults)
	for name, c := range map[string]struct {
		make func() (interface{ Text() string }, error)
		want []string
	}{
		"basis":      {func() (interface{ Text() string }, error) { return s.BasisTable() }, []string{"predicted", "All", "50%"}},
		"section":    {func() (interface{ Text() string }, error) { return s.SectionTable() }, []string{"2.3"}},
		"experiment": {func() (interface{ Text() string }, error) { return s.ExperimentTable() }, []string{"three", "0%"}},
		"free":       {func() (interface{ Text() string }, error) { return s.FreeTable() }, []string{"one, two", "x, y, z"}},
		"alone":      {func() (interface{ Text() string }, error) { return s.AloneTable(0.9) }, []string{"edge", "order", "0%"}},
		"edge":       {func() (interface{ Text() string }, error) { return s.EdgeTable(100) }, []string{"-200%", "75%", "1.6"}},
	} {
		table, err := c.make()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(table.Text(), want) {
				t.Errorf("%s: no %q in\n%s", name, want, table.Text())
			}
		}
		t.Logf("%s\n%s", name, table.Text())
	}
	if table, err := s.EdgeTable(-1); err != nil || len(table.Rows) != 0 {
		t.Errorf("a table of -1 rows: %v, %v", table, err)
	}
	if table, err := s.EdgeTable(1); err != nil || len(table.Rows) != 1 {
		t.Errorf("a table of 1 row: %v, %v", table, err)
	}
}

// That paper_results.csv holds the numbers of each quoted row and no others is
// TestPaperResultsAreTheQuotedNumbers.
func TestEveryQuotedRowNamesItsPaper(t *testing.T) {
	judged, err := Stored()
	if err != nil {
		t.Fatal(err)
	}
	quoted := 0
	for _, j := range judged {
		if j.Kind != Paper {
			continue
		}
		quoted++
		if !strings.HasPrefix(j.Reason, "quoted from ") || !strings.Contains(j.Reason, "(arXiv 2") {
			t.Errorf("%s: %s", j.ID, j.Reason)
		}
	}
	if len(judged) != 140 || quoted != 28 {
		t.Errorf("%d rows, %d of them quoted: want 140 and 28", len(judged), quoted)
	}
}
