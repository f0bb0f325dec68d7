package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func output(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if err := run(args, &out, &errs); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return out.String()
}

func jsonOf(t *testing.T, args ...string) map[string]any {
	t.Helper()
	var got map[string]any
	if err := json.Unmarshal([]byte(output(t, append(args, "--json")...)), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

func near(t *testing.T, got map[string]any, key string, want, tolerance float64) {
	t.Helper()
	v, ok := got[key].(float64)
	if !ok || math.Abs(v-want) > tolerance {
		t.Errorf("%s: %v, want %v ± %v", key, got[key], want, tolerance)
	}
}

// The lecture's section 1.2, as its own numbers have it.
func TestCostOfAYearOfChat(t *testing.T) {
	got := jsonOf(t, "cost", "--model", "llama-3-8b", "--gpu", "h100", "--context", "128000")
	near(t, got, "kv_bytes", 128_000*131_072, 0)
	near(t, got, "kv_bytes_per_token", 131_072, 0)
	near(t, got, "kv_bytes_fixed", 0, 0)
	near(t, got, "parameters", 8.03e9, 0.01e9)
	near(t, got, "active_parameters", 8.03e9, 0.01e9)
	near(t, got, "ttft_seconds", 8.8, 0.1)
	near(t, got, "ttft_cached_seconds", 0.012, 0.0005)
	near(t, got, "decode_seconds", 2.47, 0.015)
	near(t, got, "decode_step_seconds", 0.025, 0.002)
	near(t, got, "batch", 3, 0)
	near(t, got, "tokens_per_second", got["batch"].(float64)/got["decode_step_seconds"].(float64), 1e-6)
	if got["bound"] != "bandwidth" {
		t.Errorf("bound by %v, want bandwidth", got["bound"])
	}
}

// A request that cannot run must not look like the cheapest one.
func TestWhatDoesNotFitHasNoPrice(t *testing.T) {
	args := []string{"cost", "--model", "llama-3-8b", "--gpu", "l4", "--context", "128000"}
	got := jsonOf(t, args...)
	near(t, got, "batch", 0, 0)
	for _, key := range []string{"gpu_seconds_per_request", "decode_step_seconds", "ttft_seconds", "ttft_cached_seconds", "decode_seconds"} {
		if v, ok := got[key]; !ok || v != nil {
			t.Errorf("%s: %v (there: %v), want null", key, v, ok)
		}
	}
	if out := output(t, args...); !strings.Contains(out, "does not fit") || strings.Contains(out, "0 GPU s") || strings.Contains(out, "time to first token") {
		t.Errorf("the table does not say that nothing fits:\n%s", out)
	}
}

func TestWithoutAGPUNothingThatNeedsOne(t *testing.T) {
	got := jsonOf(t, "cost", "--model", "llama-3-8b", "--context", "1000")
	for _, key := range []string{"ttft_seconds", "batch", "tokens_per_second", "bound"} {
		if v, ok := got[key]; ok {
			t.Errorf("%s is %v without a GPU", key, v)
		}
	}
	near(t, got, "kv_bytes", 1000*131_072, 0)
}

func TestTheTableSaysWhatTheJSONSays(t *testing.T) {
	out := output(t, "cost", "--model", "llama-3-8b", "--gpu", "h100", "--context", "128000", "--price", "2.5")
	for _, want := range []string{"16.8 GB", "8.80 s", "12.3 ms", "2.46 s", "requests at once", "bound by bandwidth", "at 2.5 per GPU hour", "8192"} {
		if !strings.Contains(out, want) {
			t.Errorf("the table lacks %q:\n%s", want, out)
		}
	}
	if strings.Count(out, "warning:") != 1 {
		t.Errorf("want one warning, of the context beyond the model's maximum:\n%s", out)
	}
}

func TestConfigFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.json")
	config := `{"model_type": "llama", "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "hidden_size": 4096,
		"intermediate_size": 14336, "vocab_size": 128256, "max_position_embeddings": 8192, "tie_word_embeddings": false, "torch_dtype": "bfloat16"}`
	if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	got := jsonOf(t, "cost", "--config", file, "--context", "1000")
	near(t, got, "kv_bytes", 1000*131_072, 0)
	near(t, got, "parameters", 8_030_261_248, 0)
	fp8 := jsonOf(t, "cost", "--config", file, "--context", "1000", "--kv", "fp8")
	near(t, fp8, "kv_bytes", 1000*131_072/2, 0)
}

func TestCurveWritesThreeFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "curve")
	output(t, "cost", "--model", "llama-3-8b", "--gpu", "h100", "--context", "120000", "--curve", name)
	csv, err := os.ReadFile(name + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(csv)), "\n")
	if !strings.HasPrefix(lines[0], "context_tokens,private_batch,private_tokens_per_second") || !strings.HasPrefix(lines[len(lines)-1], "120000,3,126.7") {
		t.Errorf("the file has %q to %q", lines[0], lines[len(lines)-1])
	}
	for _, ext := range []string{".svg", ".png"} {
		if info, err := os.Stat(name + ext); err != nil || info.Size() < 1000 {
			t.Errorf("%s: %v, %v", ext, info, err)
		}
	}
}

func TestBadInputIsNamed(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.json")
	if err := os.WriteFile(broken, []byte(`{"model_type": "llama", "num_hidden_layers": 0}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--model", "lama-3-8b", "--context", "1"}, []string{"lama-3-8b", "llama-3-8b", "deepseek-v3"}},
		{[]string{"--model", "llama-3-8b", "--gpu", "h1000", "--context", "1"}, []string{"h1000", "h100", "mi300x"}},
		{[]string{"--model", "llama-3-8b", "--context", "-5"}, []string{"context", "-5"}},
		{[]string{"--model", "llama-3-8b"}, []string{"missing: --context;"}},
		{[]string{"--context", "5"}, []string{"missing: --model or --config;"}},
		{nil, []string{"missing: --model or --config, and --context;"}},
		{[]string{"--model", "", "--context", "5"}, []string{"llama-3-8b"}},
		{[]string{"--config", "", "--context", "5"}, []string{`--config ""`}},
		{[]string{"--model", "llama-3-8b", "--context", "5", "--gpu", ""}, []string{"h100"}},
		{[]string{"--model", "llama-3-8b", "--context", "5", "--kv", ""}, []string{"--kv"}},
		{[]string{"--model", "llama-3-8b", "--context", "5", "--as", "llama"}, []string{"--as", "--config"}},
		{[]string{"--config", "nowhere.json", "--as", "llama", "--context", "5"}, []string{"--config", "nowhere.json"}},
		{[]string{"--model", "llama-3-8b", "--context", "0x10"}, []string{"--context", `"0x10"`, "digits"}},
		{[]string{"--model", "llama-3-8b", "--context", "1e5"}, []string{"--context", `"1e5"`, "digits"}},
		{[]string{"--model", "llama-3-8b", "--context", "1_000"}, []string{"--context", `"1_000"`, "digits"}},
		{[]string{"--model", "llama-3-8b", "--context", "99999999999999999999"}, []string{"--context", "below 2^63"}},
		{[]string{"--model", "llama-3-8b", "--context", "5", "--gpu", "h100", "--price", "cheap"}, []string{"--price", "cheap", "want a number"}},
		{[]string{"--model", "llama-3-8b", "--config", "x", "--context", "5"}, []string{"model", "config"}},
		{[]string{"--config", "nowhere.json", "--context", "5"}, []string{"nowhere.json"}},
		{[]string{"--config", broken, "--context", "5"}, []string{"broken.json", "num_hidden_layers"}},
		{[]string{"--model", "llama-3-70b", "--gpu", "h100", "--context", "5"}, []string{"141 GB", "72.0 GB"}},
		{[]string{"--model", "llama-3-8b", "--gpu", "h100", "--context", "5", "--memory-share", "1.2"}, []string{"1.2"}},
		{[]string{"--model", "llama-3-8b", "--gpu", "h100", "--context", "5", "--tp", "0"}, []string{"tensor", "0"}},
		{[]string{"--model", "llama-3-8b", "--context", "5", "--kv", "fp7"}, []string{"--kv", "fp7"}},
		{[]string{"--model", "llama-3-8b", "--context", "5", "--shared", "5"}, []string{"--shared:", "--gpu"}},
		{[]string{"--model", "llama-3-8b", "--context", "5", "--price", "3", "--output", "9"}, []string{"--output, --price: without a GPU", "want --gpu"}},
		{[]string{"--model", "llama-3-8b", "--context", "5", "--question", "9", "--memory-share", "0.5"}, []string{"--question, --memory-share: without a GPU"}},
		{[]string{"--model", "llama-3-8b", "--context", "5", "--tp", "1"}, []string{"--tp: without a GPU"}},
		{[]string{"--model", "llama-3-8b", "--context", "5", "--compute-share", "0.5"}, []string{"--compute-share"}},
		{[]string{"--model", "llama-3-8b", "--context", "5", "--bandwidth-share", "0.5"}, []string{"--bandwidth-share"}},
		{[]string{"--model", "llama-3-8b", "--gpu", "l4", "--output", "1000000", "--context", "50000", "--curve", "x"}, []string{"--curve", "not one request fits"}},
		{[]string{"--model", "llama-3-8b", "--context", "5000", "--curve", "x"}, []string{"--curve: without a GPU"}},
		{[]string{"--model", "llama-3-8b", "--gpu", "h100", "--context", "50000", "--curve", ""}, []string{`--curve ""`, "want a name"}},
		{[]string{"--model", "llama-3-8b", "--gpu", "h100", "--context", "50000", "--curve", "folder/"}, []string{`--curve "folder/"`, "want a name"}},
		{[]string{"--model", "llama-3-8b", "--gpu", "h100", "--context", "50000", "--curve", "x", "--price", "2", "--json"}, []string{"leave out --json, --price"}},
		{[]string{"--model", "llama-3-8b", "--gpu", "h100", "--context", "500", "--curve", "x"}, []string{"--context 500", "1000"}},
		{[]string{"--model", "llama-3-8b", "--gpu", "h100", "--context", "50000", "--curve", "/nowhere/x"}, []string{"--curve", "/nowhere/x.csv"}},
	} {
		var out, errs bytes.Buffer
		err := run(append([]string{"cost"}, c.args...), &out, &errs)
		if err == nil {
			t.Errorf("%v: no error", c.args)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %q does not name %q", c.args, err, want)
			}
		}
		if out.Len() > 0 {
			t.Errorf("%v: printed %q", c.args, out.String())
		}
	}
}

// pflag would read these as octal and hexadecimal numbers.
func TestNumbersAreDecimal(t *testing.T) {
	got := jsonOf(t, "cost", "--model", "llama-3-8b", "--gpu", "h100", "--context", "010", "--shared", "020", "--question", "011", "--output", "012", "--tp", "01")
	for key, want := range map[string]float64{"context_tokens": 10, "shared_tokens": 20, "question_tokens": 11, "output_tokens": 12, "tensor_parallel": 1} {
		near(t, got, key, want, 0)
	}
	lines, _ := cacheJSON(t, "--trace", inFile(t, tokens(0, 20)), "--capacity", "020", "--block", "010")
	if *lines[0].Capacity != 20 || lines[0].Blocks != 2 {
		t.Errorf("%v, want 20 tokens in 2 blocks of 10", lines)
	}
}

func TestHelpShowsTheDefaults(t *testing.T) {
	out := output(t, "cost", "--help")
	for _, want := range []string{"--output int", "tokens of each answer (default 200)", "--memory-share float", "(default 0.9)"} {
		if !strings.Contains(out, want) {
			t.Errorf("the help lacks %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "(default 0)") {
		t.Errorf("a default of 0 says nothing:\n%s", out)
	}
}

// The files come all or none, and those that were there stay.
func TestAFigureThatCannotBeWrittenLeavesNothing(t *testing.T) {
	hits := inFile(t, `[1,2,3,4,5,6,7,8]`, `[1,2,3,4,5,6,7,8,9,10]`)
	for flag, args := range map[string][]string{
		"--curve":  {"cost", "--model", "llama-3-8b", "--gpu", "h100", "--context", "5000"},
		"--figure": {"cache", "--trace", hits, "--block", "2", "--capacity", "curve"},
	} {
		for _, inTheWay := range []string{"x.png", "x.svg", "x.png.part"} {
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, "x.csv"), []byte("old"), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(folder, inTheWay), 0o755); err != nil {
				t.Fatal(err)
			}
			name := filepath.Join(folder, "x")
			_, _, err := command(append(args, flag, name)...)
			if want := strings.TrimSuffix(inTheWay, ".part"); err == nil || !strings.Contains(err.Error(), flag) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, a folder %s: %v", flag, inTheWay, err)
			}
			old, err := os.ReadFile(name + ".csv")
			if err != nil || string(old) != "old" {
				t.Errorf("%s, a folder %s: the old file is now %q, %v", flag, inTheWay, old, err)
			}
			left, err := filepath.Glob(name + "*")
			if want := 2; err != nil || len(left) > want {
				t.Errorf("%s, a folder %s: %v, %v: want x.csv and the folder only", flag, inTheWay, left, err)
			}
		}
	}
}
