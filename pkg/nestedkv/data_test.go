package nestedkv

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memlab/pkg/random"
)

// published is the folder of the real data.
func published(t *testing.T, what string) string {
	t.Helper()
	dir := os.Getenv("MEMLAB_DATA")
	if dir == "" {
		t.Skipf("MEMLAB_DATA is not set: skipped %s on MemGPT's nested key-value data", what)
	}
	return filepath.Join(dir, "nested-kv")
}

// chain is the value that an order leads to, from the rows as they came: the
// last place keeps its value.
func chain(r Row, order []int) string { return r.Pairs[order[len(order)-1]].Value }

func TestPagingReachesTheValueInTheRealData(t *testing.T) {
	d, err := Open(published(t, "the walk"))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Rows) != 500 || len(d.Orders) != 6 {
		t.Fatalf("%d rows and %d levels, want 500 and 6", len(d.Rows), len(d.Orders))
	}
	rng := random.Seed(0).Stream("nothing is drawn of certain rates")
	walk := func(row, level, i int) {
		order := d.Orders[level][i]
		task, err := Nest(d.Rows[row].Pairs, order)
		if err != nil {
			t.Fatal(err)
		}
		want := chain(d.Rows[row], order)
		a := Paging(task, perfect, Sizes{}, rng)
		if a.Value != want || a.Calls != level+3 || task.Level != level {
			t.Errorf("row %d, level %d, order %d: %+v, want %s in %d calls", row, level, i, a, want, level+3)
		}
		if f := Fixed(task, Rates{Find: 1}, Sizes{}, rng); (f.Value == want) != (level == 0) {
			t.Errorf("row %d, level %d, order %d: a reader who follows nothing says %s", row, level, i, f.Value)
		}
	}
	for level, orders := range d.Orders {
		if len(orders) != 100 {
			t.Errorf("level %d: %d orders, want 100", level, len(orders))
		}
		for i := range orders { // the published experiment uses the first row only
			walk(0, level, i)
		}
		for row := range d.Rows {
			if len(d.Rows[row].Pairs) != 140 {
				t.Errorf("row %d: %d pairs, want 140", row, len(d.Rows[row].Pairs))
			}
			walk(row, level, row%len(orders))
		}
	}
}

func TestRunOnTheRealData(t *testing.T) {
	d, err := Open(published(t, "the experiment"))
	if err != nil {
		t.Fatal(err)
	}
	c := DefaultConfig()
	c.Rates, c.Tasks = perfect, d.Task
	for _, r := range run(t, c, 1, 2) {
		if r.Fixed.Accuracy.Mean != 1 || r.Paging.Accuracy.Mean != 1 || r.Paging.Calls.Mean != float64(r.Level+3) {
			t.Errorf("level %d: a perfect reader has %+v", r.Level, r)
		}
	}
	c.MaxLevel = 6
	if _, err := c.Run(1); err == nil || !strings.Contains(err.Error(), "level 6: the data has levels 0 to 5") {
		t.Errorf("level 6: %v", err)
	}
}

func zipped(t *testing.T, lines ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(strings.Join(lines, "\n"))); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const goodRow = `{"ordered_kv_records": [["a", "A"], ["b", "B"], ["c", "C"]], "key": "b", "value": "B"}`

const sevenPairs = `{"ordered_kv_records": [["a", "A"], ["b", "B"], ["c", "C"], ["d", "D"], ["e", "E"], ["f", "F"], ["g", "G"]], "key": "b", "value": "B"}`

// A folder as published, but smaller. With a row of three pairs the orders from
// level 3 on name places that no pair has.
func TestOpenReadsAFolder(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(folder); err == nil || !strings.Contains(err.Error(), rowsFile) {
		t.Errorf("an empty folder: %v", err)
	}
	write(rowsFile, zipped(t, goodRow, goodRow))
	if _, err := Open(folder); err == nil || !strings.Contains(err.Error(), "orderings_1.jsonl") {
		t.Errorf("a folder without orderings: %v", err)
	}
	order := "2"
	for level := range levels {
		write(fmt.Sprintf(ordersFile, level+1), []byte("["+order+"]\n"))
		order += fmt.Sprintf(", %d", []int{0, 1, 3, 4, 5, 6}[level])
	}
	if _, err := Open(folder); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), filepath.Join(folder, "orderings_4.jsonl")) ||
		!strings.Contains(err.Error(), "line 1: place 3: want at most 2") {
		t.Errorf("a place that no pair has: %v", err)
	}
	write(rowsFile, zipped(t, sevenPairs, sevenPairs))
	d, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	rng := random.Seed(1).Stream("tasks")
	if task, err := d.Task(rng, 1); err != nil || task.Key != "c" || task.Answer != "A" {
		t.Errorf("c leads to a, and a to A: %+v, %v", task, err)
	}
	if _, err := d.Task(rng, 6); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "level 6") {
		t.Errorf("a level that the data does not have: %v", err)
	}
	write("orderings_2.jsonl", []byte("[1, 2]\n[1]\n"))
	if _, err := Open(folder); err == nil || !strings.Contains(err.Error(), "orderings_2.jsonl") || !strings.Contains(err.Error(), "line 2: 1 places, want 2") {
		t.Errorf("an order of the wrong level: %v", err)
	}
}

func TestBadDataIsNamedByLine(t *testing.T) {
	for _, c := range []struct {
		name string
		rows []byte
		want string
	}{
		{"no gzip", []byte(goodRow), "want gzip"},
		{"nothing", zipped(t), "no line"},
		{"a line cut in the middle", zipped(t, goodRow, goodRow[:40]), "line 2: unexpected end"},
		{"a file cut in the middle", zipped(t, goodRow)[:40], "line 1: unexpected EOF"},
		{"a key without value", zipped(t, `{"ordered_kv_records": [["a", "A"], ["b"]], "key": "a", "value": "A"}`), "line 1: record 1 has 1 texts"},
		{"a key twice", zipped(t, `{"ordered_kv_records": [["a", "A"], ["a", "B"]], "key": "a", "value": "A"}`), "key a comes twice"},
		{"a question without record", zipped(t, strings.Replace(goodRow, `"key": "b"`, `"key": "z"`, 1)), `line 1: key "z" is not among the 3 records`},
		{"a value that is not the record's", zipped(t, strings.Replace(goodRow, `"value": "B"`, `"value": "C"`, 1)), `value "C": the record of the key has "B"`},
	} {
		if _, err := ReadRows(bytes.NewReader(c.rows)); err == nil || !errors.Is(err, ErrData) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := ReadOrders(strings.NewReader("[]"), -1); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "level -1") {
		t.Errorf("orders of level -1: %v", err)
	}
	for line, want := range map[string]string{
		"[1, 2, 3]": "line 1: 3 places, want 2 for level 1",
		"[1, -2]":   "place -2",
		"[1, 1]":    "place 1 comes twice",
		"[1, 2":     "line 1: unexpected end",
		"[1, 2.5]":  "line 1",
		"":          "no line",
	} {
		if _, err := ReadOrders(strings.NewReader(line), 1); err == nil || !errors.Is(err, ErrData) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
}
