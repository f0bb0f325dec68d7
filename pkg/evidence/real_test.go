package evidence

import (
	"os"
	"path/filepath"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/locomo"
)

// conversations are LOCOMO's ten.
func conversations(t testing.TB, what string) []dialogue.Dialogue {
	t.Helper()
	dir := os.Getenv("MEMLAB_DATA")
	if dir == "" {
		t.Skipf("MEMLAB_DATA is not set: skipped %s on LOCOMO", what)
	}
	file, err := os.Open(filepath.Join(dir, "locomo", "locomo10.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	dialogues, _, err := locomo.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return dialogues
}

func TestRecallOnLOCOMO(t *testing.T) {
	r := evaluate(t, conversations(t, "evidence recall"), Options{Budgets: []int{1000, 2000, 1 << 30}, Chunks: []int{Turn, 128}})
	if r.Total.Questions != 1986 || r.Total.WithoutEvidence != 4 || r.Total.Messages != 5882 || len(r.Warnings) != 0 {
		t.Errorf("%+v, warnings %q", r.Total, r.Warnings)
	}
	for _, c := range r.Cells {
		if c.Kind == "" {
			t.Logf("%-8s %4s %5d: %.1f%% [%.1f, %.1f]", c.Method, ChunkName(c.Chunk), c.Budget, 100*c.Recall.Mean, 100*c.Recall.Low, 100*c.Recall.High)
		}
		// Vectors rank every chunk, so that without a limit all is found.
		if all := c.Recall.Mean == 1; c.Budget == 1<<30 && c.Method != BM25 && !all {
			t.Errorf("%+v: want all evidence", c)
		}
	}
	recall := func(m Method, chunk int, kind dialogue.Kind) float64 {
		c, ok := r.Cell(m, chunk, 1000, kind)
		if !ok {
			t.Fatalf("no cell for %s, %s, %s", m, ChunkName(chunk), kind)
		}
		return c.Recall.Mean
	}
	for _, m := range Defaults().Methods {
		if recall(m, Turn, "") >= recall(m, 128, "") {
			t.Errorf("%s: single messages find more than chunks of 128 tokens", m)
		}
		if recall(m, 128, locomo.MultiHop) >= recall(m, 128, locomo.SingleHop) {
			t.Errorf("%s: many pieces of evidence are found as easily as one", m)
		}
		// A thousand of 20,000 tokens at random would hold a twentieth.
		if recall(m, 128, "") < .7 {
			t.Errorf("%s: recall %.2f", m, recall(m, 128, ""))
		}
	}
	for _, d := range r.Differences {
		if d.Method == Fused && d.Against == BM25 && d.Budget < 1<<30 && d.Recall.Low <= 0 {
			t.Errorf("%+v: want fusion to add to BM25 clearly", d)
		}
	}
}

func BenchmarkLOCOMO(b *testing.B) {
	dialogues := conversations(b, "the time of an evaluation")
	for b.Loop() {
		evaluate(b, dialogues, Options{})
	}
}
