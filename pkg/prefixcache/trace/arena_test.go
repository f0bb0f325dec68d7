package trace

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Block ids lie in parts of an arena; neither the change from one to the next, nor a line
// longer than a part, nor one that is given back may touch the ids of other lines.
func TestIdsOfManyLinesStayApart(t *testing.T) {
	var file strings.Builder
	var want [][]uint64
	id := uint64(0)
	for line := range 2000 {
		n := 1 + line%97
		if line == 1200 {
			n = 50_000
		}
		ids := make([]uint64, n)
		for i := range ids {
			ids[i] = id
			id++
		}
		tokens := n * MooncakeBlock
		if line%7 == 3 {
			tokens *= 3 // more than these ids stand for: a bad line
		} else {
			want = append(want, ids)
		}
		text := strings.ReplaceAll(strings.Trim(fmt.Sprint(ids), "[]"), " ", ",")
		fmt.Fprintf(&file, `{"hash_ids":[%s],"input_length":%d,"output_length":1}`+"\n", text, tokens)
	}
	got, err := Read(strings.NewReader(file.String()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Requests) != len(want) {
		t.Fatalf("%d requests, want %d", len(got.Requests), len(want))
	}
	for i := range want {
		if !slices.Equal(got.Requests[i].Blocks, want[i]) {
			t.Fatalf("request %d: ids differ", i)
		}
	}
}
