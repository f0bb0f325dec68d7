package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func evaluated(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, notes bytes.Buffer
	err = run(append([]string{"eval"}, args...), &out, &notes)
	return out.String(), notes.String(), err
}

func TestEvalComparesSystems(t *testing.T) {
	out, _, err := evaluated(t, "--system", "mem0", "--system", "rag:128x4", "--seeds", "2", "--questions", "100")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"mem0", "rag:128x4", "over 2 groups", "never said", "merge", "GPU seconds of one conversation and 100 questions, llama-3-8b on h100"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

func TestEvalAsJSON(t *testing.T) {
	out, _, err := evaluated(t, "--system", "full", "--system", "full:alpha=1", "--seeds", "2", "--questions", "10", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Systems []struct {
			Setting  string
			Seeds    int
			Accuracy struct{ Mean, Low, High float64 }
			Against  struct{ Mean float64 } `json:"against_first"`
		}
		Bills []struct {
			Setting string
			Cached  bool    `json:"prefix_cache"`
			Each    float64 `json:"each_further_question"`
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Systems) != 2 || got.Systems[0].Accuracy.Mean != 1 || got.Systems[1].Against.Mean >= 0 || got.Systems[1].Seeds != 2 {
		t.Errorf("%+v", got.Systems)
	}
	if len(got.Bills) != 4 || got.Bills[0].Cached || !got.Bills[1].Cached || got.Bills[1].Each >= got.Bills[0].Each {
		t.Errorf("%+v", got.Bills)
	}
}

func TestEvalNamesWhatIsWrong(t *testing.T) {
	for args, want := range map[string]string{
		"":                                     "want --system NAME",
		"--system mem1":                        `"mem1"`,
		"--system mem0:recall=1.5":             "probability",
		"--system mem0 --seeds 0":              "--seeds 0",
		"--system mem0 --seeds 99999999999999": "want 1 to 1000000",
		"--system mem0:noop=1":                 "mem0:noop=1:add=0",
		"--system mem0 --seeds x":              "whole number",
		"--system mem0 --questions 0":          "--questions 0",
		"--system mem0 --gpu h100":             "--questions",
		"--system mem0 --data x":               "want one of them",
		"--system mem0 --budget 100":           "--budget goes with --data",
		"--data nowhere.json":                  "nowhere.json",
		"--data nowhere.json --seeds 3":        "--seeds goes with --system",
		"--system mem0 --seeds 1 --questions 5 --model gpt-9": "gpt-9",
		"--system mem0 --seeds 1 --questions 5 --gpu abacus":  "abacus",
		"--system mem0 extra":                                 "extra",
	} {
		if _, _, err := evaluated(t, strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v: want %q in it", args, err, want)
		}
	}
}

func TestEvalOverOneGroupHasNoInterval(t *testing.T) {
	out, notes, err := evaluated(t, "--system", "full", "--system", "mem0", "--seeds", "1")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out, "over 1 group of conversations") || !strings.Contains(out, "± –") || strings.Contains(out, "± 0.000") {
		t.Errorf("an interval over one group:\n%s", out)
	}
	if !strings.Contains(notes, "no interval") {
		t.Errorf("no warning in:\n%s", notes)
	}
	out, _, err = evaluated(t, "--system", "full", "--seeds", "1", "--json")
	var got struct{ Warnings []string }
	if err == nil {
		err = json.Unmarshal([]byte(out), &got)
	}
	if err != nil || len(got.Warnings) != 1 {
		t.Errorf("%v: %s", err, out)
	}
}
