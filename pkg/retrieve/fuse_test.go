package retrieve

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func ranked(ids ...string) (hits []Hit) {
	for i, id := range ids {
		hits = append(hits, Hit{id, float64(100 - i)})
	}
	return hits
}

// By hand, k = 60: b is second and first, 1/62 + 1/61 = 0.0325225; a is first and
// third, 1/61 + 1/63 = 0.0322664; d is second of one, 1/62; c third, 1/63.
func TestFuseByHand(t *testing.T) {
	got := Fuse(RankConstant, 10, ranked("a", "b", "c"), ranked("b", "d", "a"))
	sameHits(t, got, []Hit{{"b", 1./62 + 1./61}, {"a", 1./61 + 1./63}, {"d", 1. / 62}, {"c", 1. / 63}}, 1e-16)
}

func TestFuse(t *testing.T) {
	for _, c := range []struct {
		name  string
		k     float64
		n     int
		lists [][]Hit
		want  []string
	}{
		{"one list keeps its order", 60, 9, [][]Hit{ranked("c", "a", "b")}, []string{"c", "a", "b"}},
		{"only the best n", 60, 2, [][]Hit{ranked("c", "a", "b")}, []string{"c", "a"}},
		{"equals in the order of the lists", 60, 9, [][]Hit{ranked("z", "y"), ranked("a", "b")}, []string{"z", "a", "y", "b"}},
		{"a repeated id counts once a list", 60, 9, [][]Hit{ranked("a", "b", "b", "b")}, []string{"a", "b"}},
		{"k 0 makes two seconds equal to a first", 0, 9, [][]Hit{ranked("a", "b"), ranked("c", "b")}, []string{"a", "b", "c"}},
		{"a large k counts the lists", 1e6, 9, [][]Hit{ranked("a", "b"), ranked("c", "b")}, []string{"b", "a", "c"}},
		{"no lists", 60, 9, nil, nil},
		{"empty lists", 60, 9, [][]Hit{nil, {}}, nil},
		{"no hits wanted", 60, 0, [][]Hit{ranked("a")}, nil},
		{"a negative k", -1, 9, [][]Hit{ranked("a")}, nil},
		{"a k that is no number", math.NaN(), 9, [][]Hit{ranked("a")}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, h := range Fuse(c.k, c.n, c.lists...) {
				got = append(got, h.ID)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestFuseCountsARepeatedIDAtItsFirstRank(t *testing.T) {
	if got := Fuse(60, 1, ranked("a", "b", "a")); got[0].ID != "a" || got[0].Score != 1./61 {
		t.Errorf("%v, want 1/61", got)
	}
}

func TestFuseKeepsTheOrderOfManyEquals(t *testing.T) {
	var lists [][]Hit
	var want []string // even numbers are in two lists, odd ones in one
	for i := range 100 {
		lists = append(lists, ranked(fmt.Sprint(i)))
		if i%2 == 0 {
			lists = append(lists, ranked(fmt.Sprint(i)))
			want = append(want, fmt.Sprint(i))
		}
	}
	for i := 1; i < 100; i += 2 {
		want = append(want, fmt.Sprint(i))
	}
	for i, h := range Fuse(60, 100, lists...) {
		if h.ID != want[i] {
			t.Fatalf("place %d: %v, want %s", i, h, want[i])
		}
	}
}
