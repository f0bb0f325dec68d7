package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func trained(t *testing.T, args ...string) (stdout string, err error) {
	t.Helper()
	var out, notes bytes.Buffer
	err = run(append([]string{"train"}, args...), &out, &notes)
	return out.String(), err
}

// quick is a training of a tenth of a second.
var quick = []string{"--facts", "64", "--dims", "32", "--p", "16", "--steps", "150", "--batch", "64", "--rate", "0.01"}

func trainedJSON(t *testing.T, args ...string) (r trainResult) {
	t.Helper()
	out, err := trained(t, append(args, "--json")...)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTrainShowsTheCartridgeBesideWhatNeedsNoTraining(t *testing.T) {
	out, err := trained(t, quick...)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"16 slots for 64 facts after 150 of 150 steps, loss ", "cartridge", "whole document in context", "first 16 facts", "least squares", "0.250"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

func TestTheEnginesOfTrainAgree(t *testing.T) {
	a, b := trainedJSON(t, append(quick, "--engine", "gomlx")...), trainedJSON(t, append(quick, "--engine", "hand")...)
	if a.Engine != "gomlx" || b.Engine != "hand" || a.Step != 150 || len(a.Methods) != 5 || a.Methods[0].Other <= a.Methods[2].Other {
		t.Errorf("%+v", a)
	}
	if d := a.Loss/b.Loss - 1; d > 1e-4 || d < -1e-4 {
		t.Errorf("losses %g and %g", a.Loss, b.Loss)
	}
}

func TestWhatIsSavedIsTestedAndTrainedOn(t *testing.T) {
	name := filepath.Join(t.TempDir(), "document.json")
	first := trainedJSON(t, append(quick, "--engine", "hand", "--save", name)...)
	from := []string{"--facts", "64", "--dims", "32", "--load", name}
	same := trainedJSON(t, append(from, "--steps", "0")...)
	if same.Slots != 16 || same.Step != 0 || same.Methods[0] != first.Methods[0] {
		t.Errorf("loaded: %+v, saved: %+v", same, first)
	}
	more := trainedJSON(t, append(from, "--steps", "300", "--rate", "0.01", "--batch", "64", "--frozen", "1")...)
	if more.Methods[0].Other <= first.Methods[0].Other {
		t.Errorf("%+v after %+v", more.Methods[0], first.Methods[0])
	}
	for args, want := range map[string]string{
		"--p 8":                 "16 slots",
		"--dims 16":             "32",
		"--frozen 17":           "17",
		"--start random-tokens": "start",
	} {
		if _, err := trained(t, append(from, strings.Fields(args)...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v: want %q in it", args, err, want)
		}
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(name), ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

func TestATrainingThatIsStoppedKeepsWhatItReached(t *testing.T) {
	name := filepath.Join(t.TempDir(), "document.json")
	ctx, stop := context.WithCancelCause(context.Background())
	stop(errors.New("enough"))
	cmd := trainCommand()
	var out bytes.Buffer
	cmd.SetArgs(append(quick, "--save", name))
	cmd.SetOut(&out)
	cmd.SetErr(io.Discard)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	if err := cmd.ExecuteContext(ctx); err == nil || !strings.Contains(err.Error(), "after step 0") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(name); err != nil || !strings.Contains(out.String(), "after 0 of 150 steps") {
		t.Errorf("%v, %s", err, out.String())
	}
}

func TestATrainingThatDivergesSaysWhereAndKeepsTheLastGoodOne(t *testing.T) {
	out, err := trained(t, append(quick, "--rate", "1e38", "--engine", "hand", "--json")...)
	if err == nil || !strings.Contains(err.Error(), "step") {
		t.Fatalf("%v", err)
	}
	var r trainResult
	if err := json.Unmarshal([]byte(out), &r); err != nil || r.Ended == "" || r.Methods[0].Other == 0 {
		t.Errorf("%v: %s", err, out)
	}
}

func TestTrainNamesWhatIsWrong(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.json")
	if err := os.WriteFile(broken, []byte(`{"format":"memlab cartridge 1","slots":2,"key_dim":64,"value_dim":64,"keys":[1],"values":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"--p 0":                     "--p 0: want 1 or more",
		"--p 600":                   "--p 600: want at most 512, the number of facts",
		"--facts 0":                 "--facts 0",
		"--facts 1000000000":        "--facts 1000000000: want at most",
		"--dims 0":                  "--dims 0",
		"--frozen 65":               "--frozen 65: want at most 64",
		"--frozen -1":               "--frozen -1",
		"--chunk 513":               "--chunk 513",
		"--steps 0":                 "--steps 0: want 1 or more",
		"--steps many":              "whole number",
		"--batch 0":                 "--batch 0",
		"--seed -1":                 "--seed -1",
		"--rate 0":                  "--rate 0",
		"--rate NaN":                "--rate NaN",
		"--distance -1":             "--distance -1",
		"--engine torch":            `--engine "torch": want gomlx, hand or xla`,
		"--objective rote":          "self-study, hard-labels or memorize",
		"--start zeros":             `--start "zeros"`,
		"--load nowhere.json":       "nowhere.json",
		"--load " + broken:          "broken.json",
		"--save /nowhere/file.json": "--save",
		"--save " + t.TempDir():     "is a folder",
		"extra":                     "extra",
	} {
		if _, err := trained(t, strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v: want %q in it", args, err, want)
		}
	}
}
