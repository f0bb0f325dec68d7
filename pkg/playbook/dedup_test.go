package playbook

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"memlab/pkg/retrieve"
)

// table is an embedder with a vector for each text.
type table struct {
	dim     int
	vectors map[string][]float32
	asked   int
	err     error
}

func (x *table) Dim() int { return x.dim }

func (x *table) Embed(_ context.Context, passages ...retrieve.Passage) ([][]float32, error) {
	if x.err != nil {
		return nil, x.err
	}
	var out [][]float32
	for _, p := range passages {
		v, ok := x.vectors[p.Text]
		if !ok {
			return nil, fmt.Errorf("%q: %w", p.Text, retrieve.ErrEmpty)
		}
		x.asked++
		out = append(out, v)
	}
	return out, nil
}

func unit(v []float32) []float32 {
	var s float64
	for _, x := range v {
		s += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(s))
	}
	return v
}

func gauss(r *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return unit(v)
}

// near is a vector at that cosine to v.
func near(r *rand.Rand, v []float32, cosine float64) []float32 {
	w := gauss(r, len(v))
	c := dot(v, w)
	out := make([]float32, len(v))
	for i := range out {
		w[i] -= float32(c) * v[i]
	}
	unit(w)
	for i := range out {
		out[i] = float32(cosine)*v[i] + float32(math.Sqrt(1-cosine*cosine))*w[i]
	}
	return out
}

func deduper(t testing.TB, e retrieve.Embedder, threshold float64) *Deduper {
	t.Helper()
	d, err := NewDeduper(e, threshold)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func dedup(t testing.TB, p *Playbook, d *Deduper) ([]Pair, []string) {
	t.Helper()
	gone, skipped, err := p.Dedup(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return gone, skipped
}

// a and b at 0.95, c at right angles, a row of dashes that has no vector. The
// first stays with the counts of both.
func TestDedupWorkedByHand(t *testing.T) {
	s := float32(math.Sqrt(1 - 0.95*0.95))
	e := &table{dim: 3, vectors: map[string][]float32{"a": {1, 0, 0}, "b": {0.95, s, 0}, "c": {0, 0, 1}, "d": {0, 0, 1}}}
	p := book(t, "a", "---", "c", "b")
	p.Merge(Delta{Task: 7, Ops: []Op{{Kind: Count, ID: "rule-00004", Helpful: 2, Harmful: 1}, {Kind: Count, ID: "rule-00001", Helpful: 1}}})
	d := deduper(t, e, 0.9)
	gone, skipped := dedup(t, p, d)
	if len(gone) != 1 || gone[0].Kept != "rule-00001" || gone[0].Gone.ID != "rule-00004" || gone[0].Gone.Helpful != 2 || math.Abs(gone[0].Cosine-0.95) > 1e-6 {
		t.Errorf("%+v", gone)
	}
	if b, _ := p.Get("rule-00001"); b.Helpful != 3 || b.Harmful != 1 || b.Used != 7 || b.Text != "a" {
		t.Errorf("%+v", b)
	}
	if !slices.Equal(skipped, []string{"rule-00002"}) || p.Len() != 3 {
		t.Error(skipped, p.Bullets())
	}
	must(t, p)

	// An update in front of its like takes the later one's place.
	e.asked = 0
	p.Merge(Delta{Task: 8, Ops: []Op{{Kind: Update, ID: "rule-00001", Text: "d"}}})
	if gone, _ := dedup(t, p, d); len(gone) != 1 || gone[0].Gone.ID != "rule-00003" || gone[0].Kept != "rule-00001" {
		t.Errorf("%+v", gone)
	}
	if e.asked != 1 {
		t.Errorf("%d texts embedded, 1 is new", e.asked)
	}
	must(t, p)
	if gone, _ := dedup(t, p, d); len(gone) > 0 {
		t.Error(gone)
	}
}

// Real texts through the lexical embedder, in two languages: the same advice in
// other words is joined, advice about something else is not.
func TestDedupOfRealTexts(t *testing.T) {
	e, err := retrieve.NewLexical(1024)
	if err != nil {
		t.Fatal(err)
	}
	p := book(t,
		"When you split a bill with refunds, read every page first.",
		"When you split a bill across two months, read every page first.",
		"Read every page first when you split a bill with refunds.",
		"拆分账单时先读完每一页。", "订票时先确认日期。", "先读完每一页，拆分账单时。",
	)
	gone, _ := dedup(t, p, deduper(t, e, 0.8))
	var ids []string
	for _, g := range gone {
		ids = append(ids, g.Gone.ID)
	}
	if !slices.Equal(ids, []string{"rule-00003", "rule-00006"}) {
		t.Errorf("%+v", gone)
	}
}

// cluster makes bullets of random vectors of which some are near others.
func cluster(t testing.TB, r *rand.Rand, n, dim int, share float64) (*Playbook, *table) {
	t.Helper()
	e := &table{dim: dim, vectors: map[string][]float32{}}
	p := New(func(string) int { return 1 })
	var all [][]float32
	for i := range n {
		v := gauss(r, dim)
		if i > 0 && r.Float64() < share {
			v = near(r, all[r.IntN(i)], 0.85+0.15*r.Float64())
		}
		all = append(all, v)
		text := fmt.Sprint("text ", i)
		e.vectors[text] = v
		p.Merge(Delta{Ops: []Op{{Kind: Add, Section: "RULES", Text: text}}})
	}
	return p, e
}

// The greedy rule in two loops: each bullet against all that are kept.
func TestDedupAgainstTwoLoops(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 4))
		p, e := cluster(t, r, 60, 12, 0.5)
		var kept []Bullet
		want := map[string]string{}
		for b := range p.All() {
			best, at := 0.9, ""
			for _, k := range kept {
				if c := dot(e.vectors[k.Text], e.vectors[b.Text]); c > best {
					best, at = c, k.ID
				}
			}
			if at == "" {
				kept = append(kept, b)
			} else {
				want[b.ID] = at
			}
		}
		gone, _ := dedup(t, p, deduper(t, e, 0.9))
		got := map[string]string{}
		for _, g := range gone {
			got[g.Gone.ID] = g.Kept
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || p.Len() != len(kept) {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
		must(t, p)
	}
}

// Step by step, with updates and removals in between, no pair at the threshold is
// ever left, and every count is still there.
func TestDedupAtEachStepLeavesNoPair(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	e := &table{dim: 8, vectors: map[string][]float32{}}
	p, d, helped, removed := New(nil), deduper(t, e, 0.9), 0, 0
	var all [][]float32
	for i := range 150 {
		v := gauss(r, 8)
		if len(all) > 0 && r.IntN(2) == 0 {
			v = near(r, all[r.IntN(len(all))], 0.8+0.2*r.Float64())
		}
		all = append(all, v)
		text := fmt.Sprint("text ", i)
		e.vectors[text] = v
		delta := Delta{Task: i, Ops: []Op{{Kind: Add, Section: "RULES", Text: text, Helpful: 1}}}
		if bullets := p.Bullets(); len(bullets) > 5 {
			b := bullets[r.IntN(len(bullets))]
			switch r.IntN(4) {
			case 0:
				e.vectors["new "+text] = near(r, all[r.IntN(len(all))], 0.95)
				delta.Ops = append(delta.Ops, Op{Kind: Update, ID: b.ID, Text: "new " + text})
			case 1:
				delta.Ops = append(delta.Ops, Op{Kind: Remove, ID: b.ID})
				removed += b.Helpful
			}
		}
		helped++
		p.Merge(delta)
		dedup(t, p, d)
		must(t, p)
		bullets, sum := p.Bullets(), 0
		for i, b := range bullets {
			sum += b.Helpful
			for _, o := range bullets[:i] {
				if c := dot(e.vectors[b.Text], e.vectors[o.Text]); c > 0.9+1e-6 {
					t.Fatalf("step %d: %s and %s at %g", i, o.ID, b.ID, c)
				}
			}
		}
		if sum != helped-removed {
			t.Fatalf("step %d: %d helpful counts, want %d", i, sum, helped-removed)
		}
	}
}

// Buckets find what comparing every pair finds, but for two in a hundred right at
// the threshold, and compare only few.
func TestBucketsFindNearlyAllPairs(t *testing.T) {
	const pairs = 2000
	for _, threshold := range []float64{0.6, 0.9} {
		r := rand.New(rand.NewPCG(2, 6))
		x := newBuckets(100, 20_000, threshold)
		found, compared := 0, 0
		var queries [][]float32
		for i := range pairs {
			v := gauss(r, 100)
			if err := x.add(fmt.Sprint(i), v); err != nil {
				t.Fatal(err)
			}
			queries = append(queries, near(r, v, threshold+1e-4))
		}
		for i, q := range queries {
			id, cosine, err := x.best(q)
			if err != nil {
				t.Fatal(err)
			}
			if id == fmt.Sprint(i) && math.Abs(cosine-threshold) < 1e-3 {
				found++
			}
			for j, k := range x.keys(q) {
				compared += len(x.tables[j][k])
			}
		}
		t.Logf("threshold %g: %d tables of %d signs, %d of %d found, %d of %d compared", threshold, len(x.tables), x.signs, found, pairs, compared, pairs*pairs)
		if found < pairs*96/100 || threshold > 0.8 && compared > pairs*pairs/10 {
			t.Errorf("threshold %g: %d of %d found, %d compared", threshold, found, pairs, compared)
		}
	}
}

func TestBucketsRemove(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	x := newBuckets(20, 100, 0.9)
	v := gauss(r, 20)
	for _, id := range []string{"a", "b"} {
		if err := x.add(id, v); err != nil {
			t.Fatal(err)
		}
	}
	x.remove("a")
	x.remove("none")
	if id, _, _ := x.best(v); id != "b" {
		t.Error(id)
	}
	x.remove("b")
	if id, _, _ := x.best(v); id != "" {
		t.Error(id)
	}
}

// The playbook finds the same with buckets as with pairs, also when it grows from
// one to the other.
func TestDedupGrowsIntoBuckets(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 8))
	p, e := cluster(t, r, 400, 64, 0.3)
	exact := p.Clone()
	want, _ := dedup(t, exact, deduper(t, e, 0.9))
	d := deduper(t, e, 0.9)
	d.every = 100
	got, _ := dedup(t, p, d)
	if !d.hashed || len(got) < len(want)*97/100 || len(got) > len(want) {
		t.Errorf("buckets %v: %d joined, %d in pairs", d.hashed, len(got), len(want))
	}
	small := New(nil)
	grow := deduper(t, e, 0.9)
	grow.every = 200
	joined := 0
	for i := range 400 {
		small.Merge(Delta{Ops: []Op{{Kind: Add, Section: "RULES", Text: fmt.Sprint("text ", i)}}})
		gone, _ := dedup(t, small, grow)
		joined += len(gone)
	}
	if !grow.hashed || joined < len(want)*97/100 {
		t.Errorf("grown: %d joined, %d in pairs", joined, len(want))
	}
	must(t, p)
}

// The work grows far slower than the number of pairs.
func TestManyBulletsAreBelowQuadratic(t *testing.T) {
	compared := func(n int) int {
		r := rand.New(rand.NewPCG(5, 9))
		p, e := cluster(t, r, n, 64, 0.2)
		d := deduper(t, e, 0.9)
		gone, _ := dedup(t, p, d)
		x, hashed := d.index.(*buckets)
		if !hashed || len(gone) < n/20 {
			t.Fatalf("%d bullets: %T, %d joined", n, d.index, len(gone))
		}
		return x.compared
	}
	for _, n := range []int{10_001, 30_003} {
		got, pairs := compared(n), n*(n-1)/2
		t.Logf("%d bullets: %d cosines of %d pairs", n, got, pairs)
		if got > pairs/200 {
			t.Errorf("%d bullets: %d cosines of %d pairs", n, got, pairs)
		}
	}
}

func BenchmarkDedup(b *testing.B) {
	for _, n := range []int{300, 10_000, 40_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(5, 9))
			p, e := cluster(b, r, n, 256, 0.2)
			for b.Loop() {
				dedup(b, p.Clone(), deduper(b, e, 0.9))
			}
		})
	}
}

func TestDedupErrors(t *testing.T) {
	p := book(t, "a", "b")
	if _, err := NewDeduper(nil, 0.9); !errors.Is(err, ErrOption) {
		t.Error(err)
	}
	for _, x := range []float64{0, -1, 1.1, math.NaN()} {
		if _, err := NewDeduper(&table{}, x); !errors.Is(err, ErrOption) || !strings.Contains(err.Error(), "threshold") {
			t.Error(err)
		}
	}
	for want, e := range map[string]*table{
		"server is away": {dim: 2, err: errors.New("server is away")},
		"3 numbers":      {dim: 2, vectors: map[string][]float32{"a": {1, 0, 0}, "b": {1, 0, 0}}},
		"some that are":  {dim: 2, vectors: map[string][]float32{"a": {1, float32(math.NaN())}, "b": {1, 0}}},
	} {
		if _, _, err := p.Dedup(t.Context(), deduper(t, e, 0.9)); err == nil || !strings.Contains(err.Error(), want) || p.Len() != 2 {
			t.Errorf("%v, want %q", err, want)
		}
	}
	// The next call may find the server again.
	e := &table{dim: 2, err: errors.New("away"), vectors: map[string][]float32{"a": {1, 0}, "b": {1, 0}}}
	d := deduper(t, e, 0.9)
	if _, _, err := p.Dedup(t.Context(), d); err == nil {
		t.Error("no error")
	}
	e.err = nil
	if gone, _ := dedup(t, p, d); len(gone) != 1 {
		t.Error(gone)
	}
}
