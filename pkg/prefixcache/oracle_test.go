package prefixcache

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// dataDir is the folder of the data that is not committed.
func dataDir(t testing.TB, what string) string {
	t.Helper()
	dir := os.Getenv("MEMLAB_DATA")
	if dir == "" {
		t.Skipf("MEMLAB_DATA is not set: skipped %s", what)
	}
	return dir
}

// vector is one line of a scenario: the header, an operation or the end. The
// fields are those of both engines.
type vector struct {
	Scenario     string `json:"scenario"`
	BlockSize    int    `json:"block_size"`
	UsableBlocks int    `json:"usable_blocks"`
	PageSize     int    `json:"page_size"`
	Policy       Policy `json:"policy"`
	PolicyConfig struct {
		ProtectedThreshold int `json:"protected_threshold"`
	} `json:"policy_config"`

	I           int             `json:"i"`
	Op          string          `json:"op"`
	ID          string          `json:"id"`
	H           string          `json:"h"`
	Prompt      *[]int          `json:"prompt"`
	Key         []int           `json:"key"`
	Limit       *int            `json:"limit"`
	Salt        string          `json:"salt"`
	Extra       *string         `json:"extra"`
	N           int             `json:"n"`
	FullFit     *bool           `json:"full_fit"`
	Toks        []int           `json:"toks"`
	Last        *int            `json:"last"`
	Priority    int             `json:"priority"`
	InsertedLen int             `json:"inserted_len"`
	Out         json.RawMessage `json:"out"`

	End   bool            `json:"end"`
	Ops   int             `json:"ops"`
	Stats json.RawMessage `json:"stats"`
}

// replayer runs one operation and returns everything to compare.
type replayer interface {
	operate(t *testing.T, v vector) map[string]any
	stats() any
}

// replayOracles runs every scenario of a folder.
func replayOracles(t *testing.T, engine string, start func(*testing.T, vector) replayer) {
	dir := dataDir(t, "the test vectors of "+engine)
	files, err := filepath.Glob(filepath.Join(dir, "oracles", engine, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenario of %s under %s (error %v)", engine, dir, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			replayFile(t, file, start)
		})
	}
}

func replayFile(t *testing.T, file string, start func(*testing.T, vector) replayer) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	var r replayer
	ops, ended := 0, false
	for lines.Scan() {
		var v vector
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		if r != nil { // a header may say more than a replay needs
			d.DisallowUnknownFields()
		}
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		switch {
		case v.Scenario != "":
			r = start(t, v)
		case v.End:
			ended = true
			if ops != v.Ops {
				t.Errorf("%d operations, the end says %d", ops, v.Ops)
			}
			if v.Stats != nil {
				compare(t, "stats", r.stats(), v.Stats)
			}
		default:
			ops++
			got := r.operate(t, v)
			compare(t, v.Op, got, v.Out)
			if t.Failed() {
				t.Fatalf("first difference at operation %d", v.I)
			}
		}
	}
	if err := lines.Err(); err != nil || !ended {
		t.Fatalf("no end line (error %v)", err)
	}
}

// compare compares all fields, those absent on either side included.
func compare(t *testing.T, what string, got any, want json.RawMessage) {
	t.Helper()
	b, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var g, w any
	if err := json.Unmarshal(b, &g); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(w, g); d != "" {
		t.Errorf("%s (-engine +ours):\n%s", what, d)
	}
}

func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
