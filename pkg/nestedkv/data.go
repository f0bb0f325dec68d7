package nestedkv

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// Data is what MemGPT's authors published of the task (cpacker/MemGPT,
// paper_experiments/nested_kv_task).
type Data struct {
	Rows []Row
	// Orders are the chains by level: places of pairs in a row, for Nest. Any
	// of them goes with any row.
	Orders [][][]int
}

// Row is one set of pairs with the question at level 0 that came with it.
type Row struct {
	Pairs  []Pair
	Key    string
	Answer string
}

// The files of the data in a folder; orders of n places are level n-1.
const (
	rowsFile   = "kv-retrieval-140_keys.jsonl.gz"
	ordersFile = "orderings_%d.jsonl"
	levels     = 6 // 0 to 5
)

// Open reads the folder of the data.
func Open(folder string) (*Data, error) {
	var d Data
	err := inFile(folder, rowsFile, func(r io.Reader) (err error) {
		d.Rows, err = ReadRows(r)
		return err
	})
	for level := 0; level < levels && err == nil; level++ {
		err = inFile(folder, fmt.Sprintf(ordersFile, level+1), func(r io.Reader) error {
			orders, err := ReadOrders(r, level)
			if err == nil {
				err = d.reach(orders)
			}
			d.Orders = append(d.Orders, orders)
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	return &d, nil
}

// reach says which order has a place that some row has no pair for.
func (d *Data) reach(orders [][]int) error {
	fewest := math.MaxInt
	for _, r := range d.Rows {
		fewest = min(fewest, len(r.Pairs))
	}
	for i, order := range orders {
		if place := slices.Max(order); place >= fewest {
			return fail(ErrData, "line %d: place %d: want at most %d, as a row has %d pairs", i+1, place, fewest-1, fewest)
		}
	}
	return nil
}

func inFile(folder, name string, read func(io.Reader) error) error {
	path := filepath.Join(folder, name)
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("nestedkv: %w", err)
	}
	defer f.Close()
	if err := read(f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Task draws a row and one of the level's chains.
func (d *Data) Task(rng *rand.Rand, level int) (Task, error) {
	if level < 0 || level >= len(d.Orders) {
		return Task{}, fail(ErrConfig, "level %d: the data has levels 0 to %d", level, len(d.Orders)-1)
	}
	if len(d.Rows) == 0 || len(d.Orders[level]) == 0 {
		return Task{}, fail(ErrData, "no question of level %d", level)
	}
	row := d.Rows[rng.IntN(len(d.Rows))]
	return Nest(row.Pairs, d.Orders[level][rng.IntN(len(d.Orders[level]))])
}

// ReadRows reads gzip-compressed JSON lines of {"ordered_kv_records": [[key,
// value], ...], "key", "value"}.
func ReadRows(r io.Reader) ([]Row, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fail(ErrData, "%v, want gzip", err)
	}
	var rows []Row
	err = eachLine(z, func(line []byte) error {
		var in struct {
			Records [][]string `json:"ordered_kv_records"`
			Key     string     `json:"key"`
			Value   string     `json:"value"`
		}
		if err := json.Unmarshal(line, &in); err != nil {
			return err
		}
		row := Row{Key: in.Key, Answer: in.Value, Pairs: make([]Pair, len(in.Records))}
		for i, p := range in.Records {
			if len(p) != 2 {
				return fmt.Errorf("record %d has %d texts, want key and value", i, len(p))
			}
			row.Pairs[i] = Pair{p[0], p[1]}
		}
		if err := row.check(); err != nil {
			return err
		}
		rows = append(rows, row)
		return nil
	})
	return rows, err
}

// check is the row's own question, which is one of level 0.
func (r Row) check() error {
	place := slices.IndexFunc(r.Pairs, func(p Pair) bool { return p.Key == r.Key })
	if place < 0 {
		return fmt.Errorf("key %q is not among the %d records", r.Key, len(r.Pairs))
	}
	t, err := Nest(r.Pairs, []int{place})
	if err != nil {
		return err
	}
	if t.Answer != r.Answer {
		return fmt.Errorf("value %q: the record of the key has %q", r.Answer, t.Answer)
	}
	return nil
}

// ReadOrders reads JSON lines of level+1 different places each.
func ReadOrders(r io.Reader, level int) ([][]int, error) {
	if level < 0 {
		return nil, fail(ErrConfig, "level %d: want 0 or more", level)
	}
	var orders [][]int
	err := eachLine(r, func(line []byte) error {
		var order []int
		if err := json.Unmarshal(line, &order); err != nil {
			return err
		}
		if len(order) != level+1 {
			return fmt.Errorf("%d places, want %d for level %d", len(order), level+1, level)
		}
		for i, place := range order {
			if place < 0 {
				return fmt.Errorf("place %d, want 0 or more", place)
			}
			if slices.Contains(order[:i], place) {
				return fmt.Errorf("place %d comes twice", place)
			}
		}
		orders = append(orders, order)
		return nil
	})
	return orders, err
}

// eachLine calls read for every line and names the one that is wrong.
func eachLine(r io.Reader, read func([]byte) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<24)
	n := 0
	for in.Scan() {
		n++
		if err := read(in.Bytes()); err != nil {
			if cut := in.Err(); cut != nil {
				err = cut // the line is wrong because the file ends in it
			}
			return fmt.Errorf("nestedkv: %w: line %d: %w", ErrData, n, err)
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("nestedkv: %w: line %d: %w", ErrData, n+1, err)
	}
	if n == 0 {
		return fail(ErrData, "no line")
	}
	return nil
}
