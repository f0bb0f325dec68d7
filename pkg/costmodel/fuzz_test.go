package costmodel

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"memlab/datasets"
)

// checkAccepted is what must hold for every input that ReadConfig accepts:
// sane sizes, and an evaluation that is finite.
func checkAccepted(t *testing.T, m Model, g GPU) {
	t.Helper()
	if m.Parameters <= 0 || m.ActiveParameters <= 0 || m.ActiveParameters > m.Parameters || !(m.WeightBytes > 0) || !(m.KVBytes(1<<20) >= m.KVBytes(1)) {
		t.Fatalf("accepted %+v", m)
	}
	e, err := NewEngine(m, g, DefaultParams())
	if err != nil {
		return
	}
	r, err := e.Evaluate(e.Load(1000))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Fatalf("a result that is not JSON: %v", err)
	}
}

// Random bytes rarely get past the JSON parser, so this replaces random fields
// of real files by values that someone might get wrong.
func TestRandomEditsAreRefusedOrPriced(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	g := gpu(t, "b200")
	values := []any{
		nil, 0, 1, 2, 3, 7, -1, 64, 4096, 0.5, 1 << 20, 1e18, 1e300, "8", "", "llama", true, false,
		[]int{}, []int{0}, []int{1, 2}, []string{"full_attention"}, set{}, set{"quant_method": "awq", "bits": 4, "group_size": 64},
	}
	names := ModelNames()
	accepted := 0
	for range 3000 {
		name := names[r.IntN(len(names))]
		var fields map[string]any
		if err := json.Unmarshal(must(datasets.Models.ReadFile("models/"+name+".json"))(t), &fields); err != nil {
			t.Fatal(err)
		}
		change := set{}
		for _, k := range slices.Sorted(maps.Keys(fields)) {
			if r.IntN(12) == 0 {
				change[k] = values[r.IntN(len(values))]
			}
		}
		m, err := readString(edited(t, name, change))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "costmodel: ") {
				t.Fatalf("%s with %v: %v", name, change, err)
			}
			continue
		}
		accepted++
		checkAccepted(t, m, g)
	}
	if accepted < 100 || accepted > 2900 {
		t.Errorf("%d of 3000 edits were accepted: the edits do not test much", accepted)
	}
}

func FuzzReadConfig(f *testing.F) {
	for _, n := range ModelNames() {
		f.Add(must(datasets.Models.ReadFile("models/" + n + ".json"))(f))
	}
	f.Add([]byte(`{"model_type":"llama","hidden_size":1e400}`))
	f.Add([]byte(`{"text_config":{"text_config":null}}`))
	g := must(GPUByName("b200"))(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ReadConfig(bytes.NewReader(data))
		if err != nil {
			return
		}
		checkAccepted(t, m, g)
	})
}
