package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// inFile writes a small trace and returns its name.
func inFile(t *testing.T, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "trace.jsonl")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// tokens is a line of n tokens from first on.
func tokens(first, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint(first + i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

// The trace of PrefixLRU's comment, worked by hand at capacity 3: [1 2 3]
// misses; [1 4] hits 1 and drops 3; [2 1] hits both. The last block of [1 4]
// holds 100 tokens.
var byHand = []string{
	`{"timestamp": 0, "input_length": 1536, "output_length": 5, "hash_ids": [1, 2, 3]}`,
	`{"timestamp": 1, "input_length": 612, "output_length": 5, "hash_ids": [1, 4]}`,
	`{"timestamp": 2, "input_length": 1024, "output_length": 5, "hash_ids": [2, 1]}`,
}

// hits is one object of the JSON.
type hits struct {
	Capacity     *int `json:"capacity_blocks"`
	Blocks       int
	HitBlocks    int     `json:"hit_blocks"`
	PromptTokens int     `json:"prompt_tokens"`
	HitTokens    int     `json:"hit_tokens"`
	HitRate      float64 `json:"hit_rate"`
}

// short writes a line of JSON as a test does: capacity, hit blocks of blocks,
// hit tokens of tokens.
func (h hits) String() string {
	capacity := "unlimited"
	if h.Capacity != nil {
		capacity = fmt.Sprint(*h.Capacity)
	}
	return fmt.Sprintf("%s: %d/%d %d/%d", capacity, h.HitBlocks, h.Blocks, h.HitTokens, h.PromptTokens)
}

// cacheJSON runs memlab cache --json and returns its lines and its notes.
func cacheJSON(t *testing.T, args ...string) (lines []hits, notes string) {
	t.Helper()
	out, notes, err := command(append([]string{"cache", "--json"}, args...)...)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	if err := json.Unmarshal([]byte(out), &lines); err != nil {
		t.Fatal(err)
	}
	for _, h := range lines {
		want := 0.0
		if h.PromptTokens > 0 {
			want = float64(h.HitTokens) / float64(h.PromptTokens)
		}
		if h.HitRate != want {
			t.Errorf("%v: hit rate %v, want the share of tokens %v", h, h.HitRate, want)
		}
	}
	return lines, notes
}

func TestCacheReplaysATraceByHand(t *testing.T) {
	file := inFile(t, byHand...)
	// Capacity 1 keeps the head of a prompt: 1, then 1 hits, then 2 misses.
	want := "[1: 1/7 512/3172 3: 3/7 1536/3172 unlimited: 3/7 1536/3172]"
	got, notes := cacheJSON(t, "--trace", file, "--capacity", "1,3,unlimited")
	if fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	if notes != "" {
		t.Errorf("nothing to note, but: %q", notes)
	}
	// One of three requests is warm-up.
	if got, _ := cacheJSON(t, "--trace", file, "--capacity", "3", "--warmup", "0.34"); fmt.Sprint(got) != "[3: 3/4 1536/1636]" {
		t.Errorf("after a warm-up: %v", got)
	}
}

func TestCacheJSONHasExactlyTheseKeys(t *testing.T) {
	out := output(t, "cache", "--json", "--trace", inFile(t, byHand...), "--capacity", "2,unlimited")
	var lines []map[string]any
	if err := json.Unmarshal([]byte(out), &lines); err != nil {
		t.Fatal(err)
	}
	want := []string{"blocks", "capacity_blocks", "hit_blocks", "hit_rate", "hit_tokens", "prompt_tokens"}
	for i, capacity := range []any{2.0, nil} {
		if got := slices.Sorted(maps.Keys(lines[i])); !slices.Equal(got, want) {
			t.Errorf("keys %v, want %v", got, want)
		}
		if lines[i]["capacity_blocks"] != capacity {
			t.Errorf("capacity %v, want %v", lines[i]["capacity_blocks"], capacity)
		}
	}
}

func TestCacheCurveIsTheReplays(t *testing.T) {
	file := inFile(t, byHand...)
	got, _ := cacheJSON(t, "--trace", file, "--capacity", "curve")
	want, _ := cacheJSON(t, "--trace", file, "--capacity", "1,2,unlimited") // 4 distinct blocks
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the curve says %v, replays %v", got, want)
	}
	got, _ = cacheJSON(t, "--trace", file, "--capacity", "curve", "--warmup", "0.7")
	if want := "[1: 0/2 0/1024 2: 0/2 0/1024 unlimited: 2/2 1024/1024]"; fmt.Sprint(got) != want {
		t.Errorf("after two of three requests the curve says %v, want %s", got, want)
	}
}

func TestCacheWarmupIsAShareOfTheRequests(t *testing.T) {
	for _, c := range []struct {
		share float64
		n     int
		want  int
	}{{0, 10, 0}, {0.5, 12031, 6015}, {0.29, 100, 29}, {0.999, 1, 0}, {0.99999999999, 10, 9}} {
		f := cacheFlags{warmup: c.share}
		if got := f.warmupRequests(c.n); got != c.want {
			t.Errorf("%g of %d requests: %d, want %d", c.share, c.n, got, c.want)
		}
	}
	if out := output(t, "cache", "--trace", inFile(t, byHand...), "--capacity", "3", "--warmup", "0.5"); !strings.Contains(out, "the first 1 as warm-up") {
		t.Errorf("the table does not name the warm-up:\n%s", out)
	}
}

// Room for two of the three prompts: lru drops the first, mru the second.
func TestCachePolicyDecidesWhatHits(t *testing.T) {
	file := inFile(t, `[1,2]`, `[3,4]`, `[5,6]`, `[1,2,9]`)
	for policy, want := range map[string]string{"lru": "[4: 0/9 0/9]", "mru": "[4: 2/9 2/9]"} {
		got, _ := cacheJSON(t, "--trace", file, "--engine", "sglang", "--block", "1", "--capacity", "4", "--policy", policy)
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", policy, got, want)
		}
	}
}

func TestCacheEnginesByTokens(t *testing.T) {
	// Blocks of 4. The second prompt is the first one again: one token must be
	// computed, so its last block does not hit. Of the third, 4 tokens are known.
	file := inFile(t, `[1,2,3,4,5,6,7,8]`, `{"tokens": [1,2,3,4,5,6,7,8]}`, `{"tokens": [1,2,3,4,9,9,9,9,9]}`)
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"vllm is the default for tokens", []string{"--block", "4"}, "unlimited: 2/7 8/25"},
		{"vllm", []string{"--block", "4", "--engine", "vllm"}, "unlimited: 2/7 8/25"},
		{"sglang", []string{"--block", "4", "--engine", "sglang", "--policy", "lfu"}, "unlimited: 2/7 8/25"},
		{"pages of one token", []string{"--block", "1", "--engine", "sglang"}, "unlimited: 11/25 11/25"},
		{"lru has no last token to compute", []string{"--block", "4", "--engine", "lru"}, "unlimited: 3/7 12/25"},
		{"a block is 16 tokens when none is given", nil, "unlimited: 0/3 0/25"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := cacheJSON(t, append([]string{"--trace", file, "--capacity", "unlimited"}, c.args...)...)
			if fmt.Sprint(got) != "["+c.want+"]" {
				t.Errorf("%v, want %s", got, c.want)
			}
		})
	}
}

func TestCacheThroughAnEngineByHashIDs(t *testing.T) {
	for _, engine := range engines {
		// Blocks of 512 as before; of [2 1] nothing hits, as 2 is no beginning.
		want := "[unlimited: 1/7 512/3172]"
		if engine == engineLRU {
			want = "[unlimited: 3/7 1536/3172]"
		}
		got, _ := cacheJSON(t, "--trace", inFile(t, byHand...), "--capacity", "unlimited", "--engine", engine)
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", engine, got, want)
		}
	}
}

func TestCacheReadsChats(t *testing.T) {
	const chat = `{"model": "m", "messages": [{"role": "system", "content": "You answer in one short sentence and never more."}, {"role": "user", "content": "%s"}]}`
	file := inFile(t, fmt.Sprintf(chat, "What is a KV cache?"), fmt.Sprintf(chat, "What is a prefix?"))
	got, notes := cacheJSON(t, "--trace", file, "--format", "openai", "--block", "4", "--capacity", "unlimited")
	if len(got) != 1 || got[0].HitTokens == 0 || got[0].HitTokens >= got[0].PromptTokens/2 {
		t.Errorf("the system prompt of one of two requests should hit: %v", got)
	}
	if !strings.Contains(notes, "memlab: note:") {
		t.Errorf("the approximation of the tokens is not noted: %q", notes)
	}
}

func TestCacheCountsRefusedRequests(t *testing.T) {
	file := inFile(t, `[1,2,3]`, `[1,2,3,4,5,6,7,8,9,10,11,12]`, `[1,2,3,4,5,6]`)
	for _, engine := range []string{engineVLLM, engineSGLang} {
		args := []string{"--trace", file, "--block", "4", "--capacity", "2", "--engine", engine}
		got, notes := cacheJSON(t, args...)
		if fmt.Sprint(got) != "[2: 0/3 0/9]" {
			t.Errorf("%s: %v, want two requests", engine, got)
		}
		if want := "refused and not in the counts: 1 at capacity 2; of 3"; !strings.Contains(notes, want) {
			t.Errorf("%s: %q lacks %q", engine, notes, want)
		}
		table := output(t, append([]string{"cache"}, args...)...)
		if line := strings.Split(table, "\n")[3]; !strings.HasSuffix(strings.TrimSpace(line), " 1") || !strings.Contains(table, "refused requests") {
			t.Errorf("%s: the table does not show the refused request:\n%s", engine, table)
		}
	}
}

func TestCacheNamesSkippedLines(t *testing.T) {
	file := inFile(t, byHand[0], `{"timestamp": 1, "input_length": -3, "output_length": 5, "hash_ids": [1]}`, byHand[1], `{"timestamp": 2, "inp`)
	got, notes := cacheJSON(t, "--trace", file, "--capacity", "unlimited")
	if fmt.Sprint(got) != "[unlimited: 1/5 512/2148]" {
		t.Errorf("%v: want the two good lines", got)
	}
	for _, want := range []string{"2 of 4 lines skipped", "line 2: input_length -3", "line 4: cut off"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q lacks %q", notes, want)
		}
	}
	many := slices.Repeat([]string{`{"tokens": []}`}, 30)
	if _, notes = cacheJSON(t, "--trace", inFile(t, append(many, `[1]`)...), "--capacity", "1"); !strings.Contains(notes, "30 of 31") || !strings.Contains(notes, "and 10 more") {
		t.Errorf("30 bad lines are noted as %q", notes)
	}
}

// A prefix of 240 tokens under blocks of 784: a hit rate of 0 is right.
func TestCacheExplainsWhyNothingHit(t *testing.T) {
	shared := strings.TrimSuffix(tokens(0, 240), "]")
	file := inFile(t, shared+",1001]", shared+",1002]", shared+",1003]")
	got, notes := cacheJSON(t, "--trace", file, "--block", "784", "--capacity", "100")
	if got[0].HitTokens != 0 {
		t.Fatalf("%v: want no hit", got)
	}
	for _, want := range []string{"2 x shorter than a block", "1 x first visit", "240 tokens, a block is 784"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q lacks %q", notes, want)
		}
	}
	if got, notes := cacheJSON(t, "--trace", file, "--block", "16", "--capacity", "100"); got[0].HitTokens != 480 || notes != "" {
		t.Errorf("%v with blocks of 16, noted %q: want 480 tokens and no note", got, notes)
	}
	if _, notes := cacheJSON(t, "--trace", file, "--block", "784", "--capacity", "100", "--warmup", "0.5"); !strings.Contains(notes, "capacity 100: 2 x shorter than a block; ") {
		t.Errorf("the first request is warm-up, but: %q", notes)
	}
	// Nothing hits in a cache of one prompt, but something does in a larger one.
	file = inFile(t, tokens(0, 40), tokens(100, 40), tokens(0, 40))
	for _, capacities := range []string{"3,100", "100,3"} {
		if got, notes := cacheJSON(t, "--trace", file, "--capacity", capacities); notes != "" || got[0].HitTokens+got[1].HitTokens != 32 {
			t.Errorf("%v, noted %q: want 32 tokens, two blocks of 16, and no note", got, notes)
		}
	}
}

func TestCacheFigure(t *testing.T) {
	file := inFile(t, `[1,2,3,4,5,6,7,8]`, `[1,2,3,4,5,6,7,8,9,10]`, `[1,2]`)
	for _, c := range []struct {
		engine, block string
		first, last   string // lines of data in the file
		shows         []string
	}{
		{engineLRU, "2", "1,10,2,20,4,0.2", "unlimited,10,5,20,10,0.5", []string{"LRU", "Unlimited", "50%"}},
		{engineVLLM, "2", "5,10,4,20,8,0.4", "unlimited,10,4,20,8,0.4", []string{"vLLM", "40%", "Smaller caches"}},
		{engineSGLang, "2", "5,10,4,20,8,0.4", "unlimited,10,4,20,8,0.4", []string{"SGLang", "40%", "Smaller caches"}},
		{engineVLLM, "16", "1,3,0,20,0,0", "unlimited,3,0,20,0,0", []string{"100%"}}, // nothing hits
		{engineLRU, "16", "1,3,0,20,0,0", "unlimited,3,0,20,0,0", []string{"100%"}},
	} {
		name := filepath.Join(t.TempDir(), "curve")
		out, notes, err := command("cache", "--trace", file, "--engine", c.engine, "--block", c.block, "--capacity", "curve", "--figure", name)
		if err != nil {
			t.Errorf("%s: %v", c.engine, err)
			continue
		}
		if !strings.Contains(out, "unlimited") || strings.Count(notes, "memlab: wrote "+name) != 3 {
			t.Errorf("%s: printed %q and noted %q", c.engine, out, notes)
		}
		csv, err := os.ReadFile(name + ".csv")
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(csv)), "\n")
		if lines[0] != "capacity_blocks,blocks,hit_blocks,prompt_tokens,hit_tokens,hit_rate" || lines[1] != c.first || lines[len(lines)-1] != c.last {
			t.Errorf("%s, blocks of %s: the file has %q", c.engine, c.block, lines)
		}
		svg, err := os.ReadFile(name + ".svg")
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.shows {
			if !strings.Contains(string(svg), want) {
				t.Errorf("%s, blocks of %s: the figure does not show %q", c.engine, c.block, want)
			}
		}
		if info, err := os.Stat(name + ".png"); err != nil || info.Size() < 1000 {
			t.Errorf("%v, %v", info, err)
		}
	}
}

// One request whose output alone is larger than all distinct prompt blocks: the
// figure needs one capacity that holds it.
func TestCacheFigureOfOneLongAnswer(t *testing.T) {
	file := inFile(t, `{"tokens": [1,2], "output": [3,4,5,6,7,8,9,10]}`)
	for _, engine := range []string{engineVLLM, engineSGLang} {
		name := filepath.Join(t.TempDir(), "curve")
		output(t, "cache", "--trace", file, "--engine", engine, "--block", "2", "--capacity", "curve", "--figure", name)
		csv, err := os.ReadFile(name + ".csv")
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Split(strings.TrimSpace(string(csv)), "\n"); len(lines) != 3 || lines[1] != "5,1,0,2,0,0" {
			t.Errorf("%s: the file has %q", engine, lines)
		}
	}
}

func TestCurveCapacities(t *testing.T) {
	for distinct, want := range map[int]string{
		1: "1 unlimited", 4: "1 2 unlimited", 5: "1 2 5 unlimited", 182: "1 2 5 10 20 50 100 unlimited",
	} {
		var names []string
		for _, n := range curveCapacities(distinct) {
			names = append(names, capacityName(n))
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%d distinct blocks: %s, want %s", distinct, got, want)
		}
	}
}

func TestCacheNamesBadInput(t *testing.T) {
	hashes, ids := inFile(t, byHand...), inFile(t, `[1,2,3]`)
	empty, prose := inFile(t), inFile(t, "once upon a time")
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--capacity", "5"}, []string{"missing: --trace;"}},
		{[]string{"--trace", hashes}, []string{"missing: --capacity;"}},
		{nil, []string{"missing: --trace, and --capacity;"}},
		{[]string{"--trace", hashes, "--capacity", "0"}, []string{"--capacity 0", "1 block or more"}},
		{[]string{"--trace", hashes, "--capacity", "10,-5"}, []string{"--capacity -5"}},
		{[]string{"--trace", hashes, "--capacity", "9223372036854775807"}, []string{"too large to count", "unlimited"}},
		{[]string{"--trace", hashes, "--capacity", "5,99999999999999999999"}, []string{"--capacity 99999999999999999999", "too large to count"}},
		{[]string{"--trace", "", "--capacity", "5"}, []string{`--trace ""`, "name of a file"}},
		{[]string{"--trace", hashes, "--capacity", "curve", "--figure", ""}, []string{`--figure ""`, "want a name"}},
		{[]string{"--trace", hashes, "--capacity", "5", "--figure", ""}, []string{"--figure", "--capacity curve"}},
		{[]string{"--trace", hashes, "--capacity", "5", "--block", "0x10"}, []string{"--block", "0x10", "digits"}},
		{[]string{"--trace", hashes, "--capacity", "5", "--warmup", ""}, []string{"--warmup", "want a number"}},
		{[]string{"--trace", hashes, "--capacity", "10,,20"}, []string{`--capacity ""`, "unlimited", "curve"}},
		{[]string{"--trace", hashes, "--capacity", "all"}, []string{`"all"`, "unlimited", "curve"}},
		{[]string{"--trace", hashes, "--capacity", "10,curve"}, []string{"10,curve", "alone"}},
		{[]string{"--trace", hashes, "--capacity", "5", "--engine", "trtllm"}, []string{"trtllm", "lru, vllm, sglang"}},
		{[]string{"--trace", hashes, "--capacity", "5", "--format", "csv"}, []string{"csv", "mooncake, tokens, openai"}},
		{[]string{"--trace", ids, "--capacity", "5", "--engine", "sglang", "--policy", "random"}, []string{"random", "lru, lfu, fifo, mru, filo, priority, slru"}},
		{[]string{"--trace", ids, "--capacity", "5", "--engine", "lru", "--policy", "lfu"}, []string{"--policy lfu", "engine lru", "sglang"}},
		{[]string{"--trace", ids, "--capacity", "5", "--policy", "fifo"}, []string{"--policy fifo", "engine vllm"}},
		{[]string{"--trace", hashes, "--capacity", "5", "--policy", "fifo"}, []string{"--policy fifo", "engine lru"}},
		{[]string{"--trace", hashes, "--capacity", "5", "--block", "0"}, []string{"--block 0"}},
		{[]string{"--trace", hashes, "--capacity", "5", "--block", "16"}, []string{"line 1", "3 hash_ids", "96 of 16 tokens"}},
		{[]string{"--trace", hashes, "--capacity", "5", "--warmup", "-0.1"}, []string{"--warmup -0.1"}},
		{[]string{"--trace", hashes, "--capacity", "5", "--warmup", "1"}, []string{"--warmup 1", "less than 1"}},
		{[]string{"--trace", hashes, "--capacity", "5", "--warmup", "NaN"}, []string{"--warmup NaN"}},
		{[]string{"--trace", hashes, "--capacity", "5", "--figure", "x"}, []string{"--figure", "--capacity curve"}},
		{[]string{"--trace", hashes, "--capacity", "curve", "--figure", "/nowhere/x"}, []string{"--figure", "/nowhere/x.csv"}},
		{[]string{"--trace", ids, "--capacity", "5", "--format", "mooncake"}, []string{"trace.jsonl", "line 1"}},
		{[]string{"--trace", empty, "--capacity", "5"}, []string{"trace.jsonl", "no usable request"}},
		{[]string{"--trace", prose, "--capacity", "5"}, []string{"trace.jsonl", "hash_ids, tokens or messages"}},
		{[]string{"--trace", "nowhere.jsonl", "--capacity", "5"}, []string{"--trace", "nowhere.jsonl"}},
		{[]string{"--trace", t.TempDir(), "--capacity", "5"}, []string{"--trace", "folder"}},
		{[]string{"--trace", ids, "--capacity", "9223372036854775806", "--engine", "sglang"}, []string{"--capacity 9223372036854775806", "unlimited"}},
	} {
		out, _, err := command(append([]string{"cache"}, c.args...)...)
		if err == nil {
			t.Errorf("%v: no error", c.args)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %q does not name %q", c.args, err, want)
			}
		}
		if out != "" {
			t.Errorf("%v: printed %q", c.args, out)
		}
	}
}

// A bar on a terminal goes from nothing to all and is wiped; anything else
// gets none.
func TestProgressIsForTerminals(t *testing.T) {
	var b bytes.Buffer
	bar := progress{&b}.bar("replaying", 10)
	if err := bar.Add(10); err != nil {
		t.Fatal(err)
	}
	if err := bar.Exit(); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 0 {
		t.Errorf("a buffer got %q", b.String())
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if isTerminal(file) || isTerminal(&b) {
		t.Error("a file and a buffer are no terminals")
	}
}

// Two independent programs agree on these integers of Mooncake's conversation
// trace; FAST'25, Table 2, has 40%, which comes out after half of the trace.
func TestCacheOnTheConversationTrace(t *testing.T) {
	dir := os.Getenv("MEMLAB_DATA")
	if dir == "" {
		t.Skip("MEMLAB_DATA is not set: skipped memlab cache on Mooncake's conversation trace")
	}
	file := filepath.Join(dir, "mooncake", "conversation_trace.jsonl")
	want := map[string]int{"1000": 12847, "10000": 61046, "50000": 102290, "100000": 104924, "unlimited": 105710}
	for _, capacities := range []string{"1000,10000,50000,100000,unlimited", "curve"} {
		got, notes := cacheJSON(t, "--trace", file, "--capacity", capacities)
		found := 0
		for _, h := range got {
			name, _, _ := strings.Cut(h.String(), ":")
			if hit, ok := want[name]; ok {
				found++
				if h.HitBlocks != hit || h.Blocks != 288500 {
					t.Errorf("%s: %v, want %d blocks of 288500", capacities, h, hit)
				}
			}
		}
		if found != len(want) || notes != "" {
			t.Errorf("%s: %d of %d capacities, notes %q", capacities, found, len(want), notes)
		}
	}
	half, _ := cacheJSON(t, "--trace", file, "--capacity", "unlimited", "--warmup", "0.5", "--format", "mooncake", "--engine", "lru", "--policy", "lru", "--block", "512")
	if rate := half[0].HitRate; rate < 0.39805 || rate >= 0.39815 {
		t.Errorf("hit rate after half the trace %.6f, want 0.3981", rate)
	}
}

// A hit rate of 0 would say that something was served and nothing reused.
func TestCacheOfNothingServedHasNoRate(t *testing.T) {
	args := []string{"cache", "--trace", inFile(t, tokens(0, 40), tokens(0, 40)), "--capacity", "1,100"}
	out, _, err := command(append(args, "--json")...)
	if err != nil {
		t.Fatal(err)
	}
	var lines []map[string]any
	if err := json.Unmarshal([]byte(out), &lines); err != nil {
		t.Fatal(err)
	}
	if v, there := lines[0]["hit_rate"]; !there || v != nil || lines[1]["hit_rate"] != 0.4 {
		t.Errorf("hit rates %v and %v, want null and 0.4", v, lines[1]["hit_rate"])
	}
	table := strings.Split(output(t, args...), "\n")
	if cells := strings.Fields(table[3]); cells[5] != "-" || cells[6] != "2" {
		t.Errorf("the first capacity is %q, want no rate and two refused", table[3])
	}
	// Two prompts that begin alike were refused: that they share nothing would be a lie.
	if _, notes, err := command("cache", "--trace", args[2], "--capacity", "1"); err != nil || strings.Contains(notes, "shared") {
		t.Errorf("%q, %v", notes, err)
	}
}

func TestCacheNotesAWarmupOfNoRequest(t *testing.T) {
	file := inFile(t, `[1]`, `[2]`)
	const note = "--warmup 0.1 of 2 requests is less than one: all are counted"
	if _, notes := cacheJSON(t, "--trace", file, "--capacity", "5", "--warmup", "0.1"); !strings.Contains(notes, note) {
		t.Errorf("%q lacks %q", notes, note)
	}
	for _, share := range []string{"0", "0.5"} {
		if _, notes := cacheJSON(t, "--trace", file, "--capacity", "5", "--warmup", share); strings.Contains(notes, "--warmup") {
			t.Errorf("--warmup %s: %q", share, notes)
		}
	}
}

// What --help shows as a line can be read.
func TestCacheReadsTheLinesOfItsHelp(t *testing.T) {
	help := output(t, "cache", "--help")
	for line, format := range map[string]string{
		`{"input_length": 700, "output_length": 3, "hash_ids": [7, 8], "timestamp": 5}`: "mooncake",
		`{"tokens": [1, 2, 3], "output": [4, 5], "tenant": "a", "timestamp": 5}`:        "tokens",
		`[1, 2, 3]`: "tokens",
	} {
		if !strings.Contains(help, line) {
			t.Errorf("the help lacks %s", line)
		}
		if out := output(t, "cache", "--trace", inFile(t, line), "--capacity", "5"); !strings.HasPrefix(out, "1 requests ("+format+")") {
			t.Errorf("%s: %s", line, out)
		}
	}
}
