package retrieve

import "slices"

// RankConstant is the k of [Fuse] in Cormack, Clarke and Büttcher (SIGIR 2009).
const RankConstant = 60.0

// Fuse joins ranked lists by reciprocal rank: a document scores the sum, over
// the lists that hold it, of 1 / (k + rank), ranks from 1. The scores of the
// lists are not used, so that a cosine and a BM25 score need no common scale.
// The n best are returned; of equals, the one met first, list by list. An id
// that a list repeats counts there at its first rank. Without a k from 0 and an
// n from 1 there is nothing to rank by, and nil is returned.
func Fuse(k float64, n int, lists ...[]Hit) []Hit {
	if !(k >= 0) || n < 1 {
		return nil
	}
	type fused struct{ at, list int } // place in out, last list that counted
	seen := map[string]fused{}
	var out []Hit
	for l, list := range lists {
		for rank, hit := range list {
			f, ok := seen[hit.ID]
			switch {
			case !ok:
				f.at = len(out)
				out = append(out, Hit{ID: hit.ID})
			case f.list == l:
				continue
			}
			f.list = l
			seen[hit.ID] = f
			out[f.at].Score += 1 / (k + float64(rank+1))
		}
	}
	slices.SortStableFunc(out, func(a, b Hit) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return slices.Clip(out[:min(n, len(out))])
}
