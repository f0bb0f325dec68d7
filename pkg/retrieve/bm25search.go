package retrieve

import "math"

// scores is the working memory of a search. Between searches all of sum is 0.
type scores struct {
	sum     []float64 // by document number
	touched []int32
}

// Search returns the k documents (or as many as share a term with text) with
// the highest score, of equal ones the one added first. A text without terms is
// [ErrEmpty]. Where keep is not nil, only ids that it accepts count; it is
// asked in no order, and only about those that would be among the k best. The
// cost is that of the postings of the query's terms.
func (x *BM25) Search(text string, k int, keep func(id string) bool) ([]Hit, error) {
	if err := checkCount("k", k); err != nil {
		return nil, err
	}
	terms := Terms(text)
	if len(terms) == 0 {
		return nil, fail(ErrEmpty, "the query %q has no letter, digit or symbol to search by", text)
	}
	s, ok := x.scratch.Get().(*scores)
	if !ok {
		s = &scores{}
	}
	defer x.scratch.Put(s)
	if len(s.sum) < len(x.docs) {
		s.sum = make([]float64, len(x.docs))
	}
	x.accumulate(s, terms)
	top := best{k: k}
	for _, doc := range s.touched {
		f := found{score: s.sum[doc], order: uint64(doc), row: int(doc)}
		s.sum[doc] = 0
		if top.admits(f) && (keep == nil || keep(x.docs[doc].id)) {
			top.add(f)
		}
	}
	s.touched = s.touched[:0]
	return top.hits(func(row int) string { return x.docs[row].id }), nil
}

// accumulate adds term by term, in the query's order, so that sums come out the
// same every time.
func (x *BM25) accumulate(s *scores, terms []string) {
	docs := float64(len(x.at))
	average := float64(x.total) / docs
	for _, term := range terms {
		list := x.postings[term]
		n := float64(len(list))
		idf := math.Log(1 + (docs-n+0.5)/(n+0.5))
		for _, p := range list {
			tf := float64(p.tf)
			length := float64(x.docs[p.doc].length) / average
			if s.sum[p.doc] == 0 {
				s.touched = append(s.touched, p.doc)
			}
			s.sum[p.doc] += idf * tf * (x.k1 + 1) / (tf + x.k1*(1-x.b+x.b*length))
		}
	}
}
