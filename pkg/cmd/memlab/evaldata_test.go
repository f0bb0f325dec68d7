package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"memlab/datasets"
	"memlab/pkg/evidence"
)

// evalDataRun runs the evaluation with flags as a shell gives them.
func evalDataRun(t *testing.T, args ...string) (out, notes string, err error) {
	t.Helper()
	var f evalDataFlags
	var o, n bytes.Buffer
	cmd := &cobra.Command{
		Use: "eval", Long: evalDataHelp, SilenceUsage: true, SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return evalData(cmd.Context(), &o, &n, f) },
	}
	f.add(cmd)
	cmd.SetArgs(args)
	err = cmd.ExecuteContext(context.Background())
	return o.String(), n.String(), err
}

func sampleFile(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "sample.jsonl")
	if err := os.WriteFile(name, datasets.SampleDialogue, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestEvalDataPrintsRecallByMethodChunkAndBudget(t *testing.T) {
	out, notes, err := evalDataRun(t, "--data", sampleFile(t), "--budget", "50, 1000", "--chunk", "turn,40", "--method", "bm25,fused,bm25")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Evidence recall in %: 2 dialogues of 239 tokens on average, 10 questions (2 more without evidence); mean over dialogues ± its 95% interval\n",
		"method  chunk    50 tokens  1000 tokens\n",
		"\nbm25    turn   65.0",
		"\nfused   40 ",
		"By category, the way that finds most at each budget (questions with evidence in brackets)\n",
		"never (0)",
		"current (2)",
		"\nfused – bm25  turn ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if strings.Count(out, "bm25    turn") != 1 {
		t.Errorf("a method that is given twice is shown twice:\n%s", out)
	}
	for _, want := range []string{"tokens of 24 messages are approximated", "warning: 2 dialogue(s)"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is missing in\n%s", want, notes)
		}
	}
}

func TestEvalDataNamesWhatItLeftOutAndEvaluatesTheRest(t *testing.T) {
	name := inFile(t,
		`{"session": 1, "speaker": "Ana", "id": "a", "text": "The bridge is closed.", "mood": "bad"}`,
		`{"session": 1, "speaker": "Ben", "id": "b", "text": "Since wh`,
		`{"session": 1, "speaker": "Ben", "id": "c", "text": "Fish on Friday."}`,
		`{"question": "What about the bridge?", "category": "one", "evidence": ["a", "zz"]}`,
		`{"question": "Since when?", "category": "two", "evidence": ["b"]}`)
	out, notes, err := evalDataRun(t, "--data", name, "--json", "--budget", "6")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"1 of 5 lines skipped\n  line 2: cut off in the middle: want one whole JSON object\n",
		`field "mood" is unknown and ignored: 1 lines, the first is line 1`,
		"2 of 3 evidence ids are of no message and left out\n  line 4: question \"L4\": \"zz\"\n  line 5: question \"L5\": \"b\"\n",
		"warning: 1 dialogue(s)",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is missing in\n%s", want, notes)
		}
	}
	var r evalDataResult
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Format != formatJSONL || r.JSONL.BadLines != 1 || r.LOCOMO != nil || r.Recall.Total.WithoutEvidence != 1 || r.Recall.Cells[0].Recall.Mean != 1 {
		t.Errorf("%s", out)
	}
}

const smallLOCOMO = ` [{"sample_id": "s", "conversation": {"speaker_a": "Ana", "speaker_b": "Ben",
  "session_1_date_time": "1:00 am on 1 May, 2031",
  "session_1": [{"speaker": "Ana", "dia_id": "D1:1", "text": "The bridge is closed."}, {"speaker": "Ben", "dia_id": "D1:2", "text": "", "blip_caption": "a bridge"}]},
  "qa": [{"question": "What is closed?", "answer": 3, "category": 4, "evidence": ["D1:1; D1:2", "D9:9"]}, {"question": "Who?", "category": 5, "evidence": []}]}]`

func TestAPercentageHasHalfTheWidthOfItsInterval(t *testing.T) {
	if got := percent("%.1f", evidence.Interval{Mean: .5, Low: .46, High: .54}); got != "50.0 ±4.0" {
		t.Error(got)
	}
	if got := percent("%+.1f", evidence.Interval{Mean: .5, Low: .5, High: .5}); got != "+50.0" {
		t.Error(got)
	}
}

func TestEvalDataTellsLOCOMOByItself(t *testing.T) {
	name := inFile(t, smallLOCOMO)
	out, notes, err := evalDataRun(t, "--data", name, "--budget", "100")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"captions of 1 images are part of the text",
		"2 of 2 evidence ids are not the id of a turn as written",
		"several evidence ids: 1\n  s q1: several evidence ids \"D1:1; D1:2\": taken as 2 ids\n",
		"unknown evidence id: 1\n  s q1:", "integer answer: 1\n", "missing answer: 1\n", "no evidence: 1\n",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is missing in\n%s", want, notes)
		}
	}
	if !strings.Contains(out, "single-hop (1)") || !strings.Contains(out, "adversarial (0)") {
		t.Errorf("categories are missing in\n%s", out)
	}
}

func TestEvalDataRefusesWhatCannotBe(t *testing.T) {
	sample, empty := sampleFile(t), inFile(t, "")
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "--data: want the name of a file"},
		{[]string{"--data", "no-such-file"}, "--data: open no-such-file"},
		{[]string{"--data", t.TempDir()}, "is a folder, want a file"},
		{[]string{"--data", empty}, "read as jsonl: jsonl: no usable dialogue"},
		{[]string{"--data", sample, "--format", "csv"}, "--format csv: want one of locomo, jsonl"},
		{[]string{"--data", sample, "--format", "locomo"}, "read as locomo: locomo: line 1: not a LOCOMO file"},
		{[]string{"--data", sample, "--budget", "5oo"}, `--budget 5oo: "5oo": want numbers of tokens from 1, for example 500,1000`},
		{[]string{"--data", sample, "--budget", "turn"}, `--budget turn: "turn": want numbers`},
		{[]string{"--data", sample, "--budget", "0"}, `--budget 0: "0"`},
		{[]string{"--data", sample, "--budget", ""}, `--budget : "": want numbers`},
		{[]string{"--data", sample, "--chunk", "turn,0"}, `--chunk turn,0: "0": want numbers of tokens from 1 or turn, for example turn,128`},
		{[]string{"--data", sample, "--method", "bm25,dense"}, `--method bm25,dense: "dense": want some of lexical, lsa, bm25, fused`},
	} {
		out, _, err := evalDataRun(t, c.args...)
		if err == nil || !strings.Contains(err.Error(), c.want) || out != "" {
			t.Errorf("%v: %v, want %q; printed %q", c.args, err, c.want, out)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := evalDataFlags{data: sample, budget: "5", chunk: "turn", method: "bm25"}
	if err := evalData(ctx, &bytes.Buffer{}, &bytes.Buffer{}, f); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("cancelled: %v", err)
	}
}

func TestEvalDataOnLOCOMO(t *testing.T) {
	dir := os.Getenv("MEMLAB_DATA")
	if dir == "" {
		t.Skip("MEMLAB_DATA is not set: skipped memlab eval on LOCOMO")
	}
	out, notes, err := evalDataRun(t, "--data", filepath.Join(dir, "locomo", "locomo10.json"), "--budget", "1000", "--chunk", "256")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out, "10 dialogues of") || !strings.Contains(out, "1982 questions (4 more without evidence)") ||
		!strings.Contains(out, "temporal (321)") || !strings.Contains(notes, "9 of 2815 evidence ids") {
		t.Errorf("%s\n%s", out, notes)
	}
}

func TestEvalDataWarnsWhereEverythingIsRetrieved(t *testing.T) {
	const sample = "../../../datasets/sample_dialogue.jsonl"
	for budget, want := range map[string]bool{"4000": true, "500,4000": true, "20,4000": false} {
		_, notes, err := evalDataRun(t, "--data", sample, "--budget", budget, "--chunk", "turn", "--method", "bm25")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(notes, "every budget holds a whole dialogue"); got != want {
			t.Errorf("budget %s: warned %v, want %v:\n%s", budget, got, want, notes)
		}
	}
}
