package retrieve

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func vectors(t *testing.T, dim int) *Vectors {
	t.Helper()
	x, err := NewVectors(dim)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// check finds a broken invariant.
func (x *Vectors) check() error {
	n := len(x.ids)
	if len(x.rows) != n*x.stride || len(x.order) != n || len(x.at) != n {
		return fmt.Errorf("%d ids, %d numbers, %d orders, %d places", n, len(x.rows), len(x.order), len(x.at))
	}
	for i, id := range x.ids {
		if x.at[id] != i {
			return fmt.Errorf("%q is in row %d, not %d", id, i, x.at[id])
		}
		if length, err := norm(x.row(i)); err != nil || math.Abs(length-1) > 1e-6 {
			return fmt.Errorf("%q has length %g (%v)", id, length, err)
		}
		for _, pad := range x.row(i)[x.dim:] {
			if pad != 0 {
				return fmt.Errorf("%q is padded with %g", id, pad)
			}
		}
	}
	for _, left := range x.rows[len(x.rows):cap(x.rows)] {
		if left != 0 {
			return fmt.Errorf("%g behind the last row", left)
		}
	}
	for i := n; i < cap(x.ids); i++ {
		if id := x.ids[:cap(x.ids)][i]; id != "" {
			return fmt.Errorf("id %q behind the last row", id)
		}
	}
	return nil
}

// slowVectors is the model: a list in order of insertion, and a sort.
type slowVectors struct {
	ids  []string
	list [][]float32
}

func (s *slowVectors) remove(id string) bool {
	i := slices.Index(s.ids, id)
	if i < 0 {
		return false
	}
	s.ids, s.list = slices.Delete(s.ids, i, i+1), slices.Delete(s.list, i, i+1)
	return true
}

func cosine(v, w []float32) float64 {
	var vw, vv, ww float64
	for i := range v {
		a, b := float64(v[i]), float64(w[i])
		vw, vv, ww = vw+a*b, vv+a*a, ww+b*b
	}
	return vw / math.Sqrt(vv*ww)
}

func (s *slowVectors) search(v []float32, k int, keep func(string) bool) []Hit {
	var all []Hit
	for i, id := range s.ids {
		if keep == nil || keep(id) {
			all = append(all, Hit{id, cosine(v, s.list[i])})
		}
	}
	slices.SortStableFunc(all, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return all[:min(k, len(all))]
}

func sameHits(t *testing.T, got, want []Hit, within float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d hits, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i].ID != want[i].ID || math.Abs(got[i].Score-want[i].Score) > within {
			t.Fatalf("hit %d: %v, want %v", i, got[i], want[i])
		}
	}
}

// Random additions, removals and searches give what a naive sort gives. Small
// whole numbers in powers of two make many exact ties.
func TestVectorsAgreeWithANaiveSort(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		dim := []int{1, 3, 8, 9, 31, 32, 33, 40, 100, 256}[r.IntN(10)]
		draw := func() []float32 { return randomVector(r, dim) }
		if seed%2 == 0 { // directions along the axes: exact in float32, mostly tied
			draw = func() []float32 {
				v := make([]float32, dim)
				v[r.IntN(min(dim, 3))] = []float32{-4, -1, 2, 1}[r.IntN(4)]
				return v
			}
		}
		x, slow := vectors(t, dim), &slowVectors{}
		for step := range 300 {
			id := fmt.Sprint(r.IntN(80))
			switch r.IntN(4) {
			case 0, 1:
				v := draw()
				err := x.Add(id, v)
				if known := slices.Contains(slow.ids, id); known != errors.Is(err, ErrDuplicate) || known != (err != nil) {
					t.Fatalf("seed %d, step %d: error %v", seed, step, err)
				} else if !known {
					slow.ids, slow.list = append(slow.ids, id), append(slow.list, v)
				}
			case 2:
				if got, want := x.Remove(id), slow.remove(id); got != want {
					t.Fatalf("seed %d, step %d: removed %v, want %v", seed, step, got, want)
				}
			case 3:
				v, k := draw(), 1+r.IntN(20)
				var keep func(string) bool
				if r.IntN(2) == 0 {
					keep = func(id string) bool { return id[len(id)-1]%3 != 0 }
				}
				hits, err := x.Search(v, k, keep)
				if err != nil {
					t.Fatal(err)
				}
				sameHits(t, hits, slow.search(v, k, keep), 2e-6)
				scorer, err := x.Scorer(v)
				if err != nil {
					t.Fatal(err)
				}
				for _, h := range hits {
					if s, err := x.Score(h.ID, v); err != nil || s != h.Score {
						t.Fatalf("Score %g (%v), Search %g", s, err, h.Score)
					}
					if s, ok := scorer(h.ID); !ok || s != h.Score {
						t.Fatalf("Scorer %g (%t), Search %g", s, ok, h.Score)
					}
				}
				if s, ok := scorer("nobody"); ok {
					t.Fatalf("Scorer %g for an id that was never added", s)
				}
			}
			if err := x.check(); err != nil || x.Len() != len(slow.ids) {
				t.Fatalf("seed %d, step %d: %d vectors, want %d: %v", seed, step, x.Len(), len(slow.ids), err)
			}
		}
	}
}

func TestEqualScoresKeepTheOrderOfInsertion(t *testing.T) {
	x := vectors(t, 2)
	for _, id := range []string{"z", "gone", "b", "a", "c"} {
		if err := x.Add(id, []float32{1, 1}); err != nil {
			t.Fatal(err)
		}
	}
	x.Remove("gone") // moves the last row into the gap
	hits, err := x.Search([]float32{2, 2}, 3, nil)
	if err != nil || len(hits) != 3 || hits[0].ID != "z" || hits[1].ID != "b" || hits[2].ID != "a" {
		t.Errorf("%v, %v: want z, b, a", hits, err)
	}
}

// A deleted memory is gone from every array that the index ever had: a secret
// direction is looked for in all of them.
func TestRemoveErasesTheNumbers(t *testing.T) {
	const dim = 5
	x := vectors(t, dim)
	r := rand.New(rand.NewPCG(3, 4))
	arrays := map[*float32][]float32{}
	watch := func() {
		if all := x.rows[:cap(x.rows)]; len(all) > 0 {
			arrays[&all[0]] = all
		}
	}
	secret := []float32{3, -1, 4, 1, -5}
	length, _ := norm(secret)
	trace := float32(-5 / length)
	holds := func() (n int) {
		for _, a := range arrays {
			for _, v := range a {
				if v == trace {
					n++
				}
			}
		}
		return n
	}
	for i := range 100 {
		if i == 7 {
			if err := x.Add("secret", secret); err != nil {
				t.Fatal(err)
			}
		}
		if err := x.Add(fmt.Sprint(i), randomVector(r, dim)); err != nil {
			t.Fatal(err)
		}
		watch()
	}
	if len(arrays) < 3 {
		t.Fatalf("the index grew %d times: too few for this test", len(arrays))
	}
	if holds() != 1 {
		t.Fatalf("the secret is there %d times, want once", holds())
	}
	if !x.Remove("secret") || x.Remove("secret") {
		t.Error("want the first removal to find it, the second not")
	}
	if holds() != 0 {
		t.Errorf("%d copies are left", holds())
	}
	if err := x.Add("secret", secret); err != nil { // now the last row
		t.Fatal(err)
	}
	watch()
	x.Remove("secret")
	if holds() != 0 {
		t.Errorf("%d copies of the last row are left", holds())
	}
}

func TestVectorsRefuseNonsense(t *testing.T) {
	for _, dim := range []int{0, -1, maxDim + 1, math.MaxInt} {
		if _, err := NewVectors(dim); !errors.Is(err, ErrDim) {
			t.Errorf("dimension %d: error %v", dim, err)
		}
	}
	x := vectors(t, 2)
	if x.Dim() != 2 {
		t.Errorf("dimension %d, want 2", x.Dim())
	}
	if err := x.Add("a", []float32{1, 0}); err != nil {
		t.Fatal(err)
	}
	search := func(v []float32, k int) error { _, err := x.Search(v, k, nil); return err }
	score := func(id string, v []float32) error { _, err := x.Score(id, v); return err }
	scorer := func(v []float32) error { _, err := x.Scorer(v); return err }
	inf := float32(math.Inf(-1))
	for name, c := range map[string]struct{ got, want error }{
		"an id that is taken":       {x.Add("a", []float32{0, 1}), ErrDuplicate},
		"a short vector":            {x.Add("b", []float32{1}), ErrDim},
		"a long vector":             {x.Add("b", []float32{1, 2, 3}), ErrDim},
		"no vector":                 {x.Add("b", nil), ErrDim},
		"a NaN":                     {x.Add("b", []float32{1, float32(math.NaN())}), ErrNotFinite},
		"an infinity":               {x.Add("b", []float32{inf, 1}), ErrNotFinite},
		"a zero vector":             {x.Add("b", []float32{0, 0}), ErrZero},
		"no hits wanted":            {search([]float32{1, 1}, 0), ErrCount},
		"a query of 1 number":       {search([]float32{1}, 1), ErrDim},
		"a zero query":              {search([]float32{0, 0}, 1), ErrZero},
		"a NaN in the query":        {search([]float32{0, float32(math.NaN())}, 1), ErrNotFinite},
		"a score of an unknown id":  {score("b", []float32{0, 1}), ErrUnknown},
		"a score of a zero query":   {score("a", []float32{0, 0}), ErrZero},
		"a score of a short vector": {score("a", []float32{1}), ErrDim},
		"a scorer of no vector":     {scorer(nil), ErrDim},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: error %v, want %v", name, c.got, c.want)
		} else if !strings.HasPrefix(c.got.Error(), "retrieve: ") {
			t.Errorf("%s: %q does not name its package", name, c.got)
		}
	}
	if x.Len() != 1 || x.check() != nil {
		t.Errorf("refusals changed the index: %d vectors, %v", x.Len(), x.check())
	}
	if x.Remove("b") {
		t.Error("removed what is not there")
	}
}

func TestTinyAndHugeVectorsHaveADirection(t *testing.T) {
	x := vectors(t, 2)
	for id, v := range map[string][]float32{"tiny": {1e-45, 0}, "huge": {0, math.MaxFloat32}} {
		if err := x.Add(id, v); err != nil {
			t.Fatal(err)
		}
	}
	for id, v := range map[string][]float32{"tiny": {1, 0}, "huge": {0, 1}} {
		if s, err := x.Score(id, v); err != nil || s != 1 {
			t.Errorf("%s: cosine %g, %v", id, s, err)
		}
	}
	if err := x.check(); err != nil {
		t.Error(err)
	}
}

func TestAnAddedVectorIsACopy(t *testing.T) {
	x, v := vectors(t, 2), []float32{3, 4}
	if err := x.Add("a", v); err != nil {
		t.Fatal(err)
	}
	if v[0] != 3 || v[1] != 4 {
		t.Errorf("the caller's vector became %v", v)
	}
	v[0] = -3
	if s, err := x.Score("a", []float32{3, 4}); err != nil || s < 0.999999 {
		t.Errorf("cosine %g, %v", s, err)
	}
}

func TestKeepIsAskedOnlyWhereItMatters(t *testing.T) {
	x := vectors(t, 2)
	for i := range 100 {
		if err := x.Add(fmt.Sprint(i), []float32{float32(100 - i), 50}); err != nil {
			t.Fatal(err)
		}
	}
	asked := 0
	hits, err := x.Search([]float32{1, 0}, 5, func(string) bool { asked++; return true })
	if err != nil || asked != 5 || hits[0].ID != "0" || hits[4].ID != "4" {
		t.Errorf("asked %d times for %v, %v: the best come first, so want 5", asked, hits, err)
	}
	if hits, err := x.Search([]float32{1, 0}, 5, func(string) bool { return false }); err != nil || len(hits) != 0 {
		t.Errorf("%v, %v: want no hit", hits, err)
	}
}

// Both kernels sum in one order, so that a result does not depend on the machine.
func TestDotKernelsGiveTheSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := 0; n <= 40*lanes; n += lanes {
		for range 20 {
			v, w := randomVector(r, n), randomVector(r, n)
			if a, b := dot(v, w), plainDot(v, w); a != b {
				t.Fatalf("%d numbers: %v and %v", n, a, b)
			}
			exact := 0.0
			for i := range v {
				exact += float64(v[i]) * float64(w[i])
			}
			if math.Abs(exact-float64(plainDot(v, w))) > 1e-4 {
				t.Fatalf("%d numbers: %v, want %v", n, plainDot(v, w), exact)
			}
		}
	}
}
