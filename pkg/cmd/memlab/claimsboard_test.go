package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memlab/datasets"
	"memlab/pkg/claims"
	"memlab/pkg/experiments/calibration/stored"
)

func TestClaimsScoreboard(t *testing.T) {
	out, _, err := command("claims", "--scoreboard")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"predicted", "By section of the lecture", "cartridge-baselines", "fewer than 90% of single seeds", "closest to an edge",
		"world, world-long: 18 (world.min_changes, ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	list, _, err := command("claims")
	if err != nil {
		t.Fatal(err)
	}
	if last := lines[len(lines)-1]; !strings.HasSuffix(strings.TrimSpace(list), last) {
		t.Errorf("the list of rows does not end with the line of the scoreboard: %s", last)
	}
	out, _, err = command("claims", "--scoreboard", "--section", "10.4")
	if err != nil || !strings.Contains(out, "cost: 5 (compute_share, ") || strings.Contains(out, "world") {
		t.Errorf("section 10.4: %v\n%s", err, out)
	}
}

func TestClaimsScoreboardAsJSON(t *testing.T) {
	out, _, err := command("claims", "--scoreboard", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var got claims.Scoreboard
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	want, err := claims.StoredScoreboard()
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() || len(got.Edges) != len(want.Edges) || got.All.Rows != 112 {
		t.Errorf("got %v, want %v", got, want)
	}
	var keys map[string]any
	if err := json.Unmarshal([]byte(out), &keys); err != nil {
		t.Fatal(err)
	}
	var names []string
	for k := range keys {
		names = append(names, k)
	}
	slices.Sort(names)
	if want := []string{"all", "alone", "by_basis", "by_experiment", "by_section", "edges", "failed", "free_parameters", "quoted"}; !slices.Equal(names, want) {
		t.Errorf("keys %v, want %v", names, want)
	}
}

func TestClaimsHeldOutAndSensitivityAreStored(t *testing.T) {
	out, _, err := command("claims", "--heldout")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Held-out rows hit", "missed", "compute_share", "not fitted: cartridge-training: "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	out, _, err = command("claims", "--sensitivity")
	if err != nil || !strings.Contains(out, "bandwidth_share 0.64: ") {
		t.Errorf("%v\n%s", err, out)
	}
	out, _, err = command("claims", "--heldout", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var c stored.Calibration
	if err := json.Unmarshal([]byte(out), &c); err != nil || len(c.Experiments) == 0 || c.Experiments[0].Name != "cost" {
		t.Errorf("%v in %.200s", err, out)
	}
	for _, args := range [][]string{
		{"--heldout", "--seeds", "1"}, {"--heldout", "--section", "1.2"}, {"--heldout", "--check"}, {"--heldout", "--scoreboard"},
		{"--sensitivity", "--check"}, {"--sensitivity", "--heldout"},
	} {
		if _, _, err := command(append([]string{"claims"}, args...)...); err == nil {
			t.Errorf("%v: want an error", args)
		}
	}
	for _, what := range []string{"--heldout", "--sensitivity"} {
		t.Chdir(t.TempDir())
		if _, _, err := command("claims", what, "--update"); err == nil || !strings.Contains(err.Error(), "inside the module") {
			t.Errorf("%s outside a module: %v", what, err)
		}
	}
}

func TestUpdateReplacesTheFileOfTheModule(t *testing.T) {
	module := t.TempDir()
	file := filepath.Join(module, "datasets", "x.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{file: "old", filepath.Join(module, "go.mod"): "module memlab\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(module)
	found, err := inModule("datasets/x.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := found.write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "new" {
		t.Errorf("%q, %v", data, err)
	}
	if len(datasets.HeldOut) == 0 || len(datasets.Sensitivity) == 0 {
		t.Error("nothing is embedded")
	}
}
