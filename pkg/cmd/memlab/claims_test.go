package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memlab/datasets"
	"memlab/pkg/claims"
)

// command runs memlab and returns what it printed.
func command(args ...string) (stdout, stderr string, err error) {
	var out, notes bytes.Buffer
	err = run(args, &out, &notes)
	return out.String(), notes.String(), err
}

func TestClaimsJSONHasExactlyTheseKeys(t *testing.T) {
	want := []string{
		"basis", "high", "id", "kind", "lecture", "lecture_value", "low", "reason", "section",
		"seeds", "single_seed_share", "tolerance", "value", "verdict",
	}
	out, _, err := command("claims", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]any
	if err := json.Unmarshal([]byte(out), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 140 {
		t.Errorf("%d rows, want 140", len(rows))
	}
	verdicts := map[string]int{}
	for _, r := range rows {
		var keys []string
		for k := range r {
			keys = append(keys, k)
		}
		if slices.Sort(keys); !slices.Equal(keys, want) {
			t.Fatalf("%v: keys %v, want %v", r["id"], keys, want)
		}
		verdicts[r["verdict"].(string)]++
		if r["kind"] == "paper" && (r["basis"] != nil || r["value"] != nil || r["seeds"] != nil || r["verdict"] != "quoted") {
			t.Errorf("a quoted row: %v", r)
		}
	}
	if verdicts["quoted"] != 28 || verdicts["reproduced"]+verdicts["not reproduced"]+verdicts["not computed yet"] != 112 {
		t.Errorf("verdicts %v", verdicts)
	}
}

func TestClaimsOfOneSection(t *testing.T) {
	for section, want := range map[string]int{"1.2": 10, "4.6": 3, "10.1": 5, "10.4": 3} {
		out, _, err := command("claims", "--section", section, "--json")
		if err != nil {
			t.Fatal(err)
		}
		var rows []claims.Judged
		if err := json.Unmarshal([]byte(out), &rows); err != nil {
			t.Fatal(err)
		}
		reproduced := 0
		for _, r := range rows {
			if r.Section != section {
				t.Errorf("%s: row %s of section %s", section, r.ID, r.Section)
			}
			if r.Verdict == claims.Reproduced {
				reproduced++
			}
		}
		if reproduced != want {
			t.Errorf("%s: %d reproduced, want %d", section, reproduced, want)
		}
	}
	for _, unknown := range []string{"1", "1.20", "10", ""} {
		out, _, err := command("claims", "--section", unknown)
		if unknown == "" {
			continue // no section is every section
		}
		if err == nil || !strings.Contains(err.Error(), "1.2, 2.2, 2.3") || out != "" {
			t.Errorf("--section %s: %v, printed %q", unknown, err, out)
		}
	}
}

func TestClaimsTableEndsWithTheCount(t *testing.T) {
	out, _, err := command("claims")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	last := lines[len(lines)-1]
	for _, want := range []string{"derived ", " of 38", "fitted ", " of 62", "predicted ", " of 12", "free parameters", "not computed yet: ", "quoted: 28"} {
		if !strings.Contains(last, want) {
			t.Errorf("no %q in the last line: %s", want, last)
		}
	}
	if !strings.Contains(out, "throughput-shared: ") {
		t.Error("no reason for throughput-shared")
	}
}

func TestClaimsCheck(t *testing.T) {
	for _, args := range [][]string{
		{"claims", "--check", "--section", "1.2"}, {"claims", "--check", "--section", "2.3", "--seeds", "1"}, {"claims", "--check", "--section", "10.4", "--json"},
	} {
		if _, _, err := command(args...); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestClaimsCheckFailsOnAnotherValue(t *testing.T) {
	changed := bytes.Replace(datasets.ClaimsResults, []byte("[[8.802"), []byte("[[8.803"), 1)
	if bytes.Equal(changed, datasets.ClaimsResults) {
		t.Fatal("no value starts with 8.802")
	}
	stored := datasets.ClaimsResults
	t.Cleanup(func() { datasets.ClaimsResults = stored })
	datasets.ClaimsResults = changed
	out, _, err := command("claims", "--check", "--section", "1.2")
	if err == nil || !strings.Contains(err.Error(), "prefill-128k: seed 0: stored 8.803") {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(out, "prefill-128k") {
		t.Error("the table is missing")
	}
	if _, _, err := command("claims", "--check", "--section", "10.4"); err == nil {
		t.Error("the experiment of 10.4 also gives the changed row: want an error")
	}
	if _, _, err := command("claims"); err != nil {
		t.Errorf("without --check nothing is compared: %v", err)
	}
}

func TestClaimsSaysThatStoredResultsAreOld(t *testing.T) {
	stored := datasets.ClaimsResults
	t.Cleanup(func() { datasets.ClaimsResults = stored })
	datasets.ClaimsResults = bytes.Replace(stored, []byte(`"compute_share": 0.73`), []byte(`"compute_share": 0.74`), 1)
	if _, notes, err := command("claims", "--section", "1.2"); err != nil || !strings.Contains(notes, "cost: stored with other parameters") {
		t.Errorf("%v, %q", err, notes)
	}
	datasets.ClaimsResults = []byte("{\n \"experiments\": [],\n \"rows\": [\n{]\n}")
	if _, _, err := command("claims"); err == nil || !strings.Contains(err.Error(), "datasets/claims_results.json:4:") {
		t.Errorf("got %v, want file and line", err)
	}
}

func TestClaimsRunsNowWithSeeds(t *testing.T) {
	stored, _, err := command("claims", "--section", "4.6", "--json")
	if err != nil {
		t.Fatal(err)
	}
	fresh, _, err := command("claims", "--section", "4.6", "--json", "--seeds", "5")
	if err != nil {
		t.Fatal(err)
	}
	if fresh != stored {
		t.Errorf("a deterministic section differs:\n%s\n%s", stored, fresh)
	}
	for _, args := range [][]string{{"--seeds", "0"}, {"--seeds", "-1"}, {"--seeds", "x"}, {"--check", "--update"}, {"--update", "--seeds", "1"}, {"1.2"}} {
		if _, _, err := command(append([]string{"claims"}, args...)...); err == nil {
			t.Errorf("%v: want an error", args)
		}
	}
}

func TestClaimsUpdateStoresInTheModule(t *testing.T) {
	module := t.TempDir()
	file := filepath.Join(module, "datasets", "claims_results.json")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(module)
	if _, _, err := command("claims", "--update"); err == nil || !strings.Contains(err.Error(), "inside the module") {
		t.Errorf("outside a module: got %v", err)
	}
	write(filepath.Join(module, "go.mod"), "module memlab\n")
	write(file, `{"experiments": [{"name": "older", "version": 1, "seeds": 1, "deterministic": true, "processor": "amd64", "free_parameters": null, "parameters": null}], "rows": []}`)
	inside := filepath.Join(module, "pkg", "deep")
	write(filepath.Join(inside, "x.go"), "package deep\n")
	t.Chdir(inside)

	if _, notes, err := command("claims", "--update", "--section", "1.2"); err != nil || !strings.Contains(notes, file) {
		t.Fatalf("%v, %q", err, notes)
	}
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(first), `"older"`) {
		t.Error("--section dropped what belongs to other sections")
	}
	if _, _, err := command("claims", "--update", "--section", "1.2"); err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(second, first) {
		t.Error("a second update gives another file")
	}
	if left, err := filepath.Glob(file + "*"); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestEveryRowHasOneExperimentOrNone(t *testing.T) {
	rows, err := claims.Rows()
	if err != nil {
		t.Fatal(err)
	}
	registry, err := claims.NewRegistry(rows, experiments()...) // no id twice, none unknown
	if err != nil {
		t.Fatal(err)
	}
	stored, err := claims.Stored()
	if err != nil {
		t.Fatal(err)
	}
	own := 0
	for _, j := range stored {
		if j.Kind != claims.Own {
			continue
		}
		own++
		_, registered := registry.Of(j.ID)
		if registered == (j.Verdict == claims.NotComputed) {
			t.Errorf("%s: registered %v, but %s", j.ID, registered, j.Verdict)
		}
	}
	if own != 112 {
		t.Errorf("%d own rows, want 112", own)
	}
}
