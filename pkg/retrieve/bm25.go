package retrieve

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// BM25 is an inverted index with Okapi BM25 scores:
//
//	score = sum over query terms of idf * tf*(k1+1) / (tf + k1*(1 - b + b*len/avg))
//	idf   = ln(1 + (N - n + 0.5) / (n + 0.5))
//
// tf is how often the term occurs in the document, len the document's terms (see
// [Terms]) and avg their mean, N the documents and n those with the term. The idf
// is Lucene's, which is never negative; the factor k1+1, which Lucene leaves out,
// changes no order. A term that the query repeats counts as often.
//
// A document is also found by a single character of an unspaced script (茶
// finds 喝绿茶, whose terms are 喝绿 and 绿茶); such characters do not count in
// len.
type BM25 struct {
	k1, b    float64
	docs     []document // by number; a removed one is empty
	at       map[string]int32
	postings map[string][]posting // by rising document number
	total    int                  // terms of all documents
	removed  int
	scratch  sync.Pool // of *scores
}

type document struct {
	id       string
	length   int
	distinct []string
}

type posting struct {
	doc, tf int32
}

// BM25Option changes a parameter of [NewBM25].
type BM25Option func(*BM25)

// WithK1 sets how fast a repeated term saturates: 0 counts presence only.
// The default is 1.2.
func WithK1(k1 float64) BM25Option { return func(x *BM25) { x.k1 = k1 } }

// WithB sets how much long documents are held back: from 0, not at all, to 1.
// The default is 0.75.
func WithB(b float64) BM25Option { return func(x *BM25) { x.b = b } }

// NewBM25 is an empty index.
func NewBM25(options ...BM25Option) (*BM25, error) {
	x := &BM25{k1: 1.2, b: 0.75, at: map[string]int32{}, postings: map[string][]posting{}}
	for _, set := range options {
		set(x)
	}
	if !(x.k1 >= 0 && x.k1 <= math.MaxFloat32) {
		return nil, fail(ErrOption, "k1 %g: want a number from 0, usually 1.2", x.k1)
	}
	if !(x.b >= 0 && x.b <= 1) {
		return nil, fail(ErrOption, "b %g: want a number from 0 to 1, usually 0.75", x.b)
	}
	return x, nil
}

// Len is how many documents the index holds.
func (x *BM25) Len() int { return len(x.at) }

// Add stores the terms of text. An id that is held already ([ErrDuplicate]) is
// refused. A text without terms is held and never found.
func (x *BM25) Add(id, text string) error {
	if _, taken := x.at[id]; taken {
		return fail(ErrDuplicate, "document %q is in the index: remove it first", id)
	}
	if len(x.docs) == math.MaxInt32 {
		return fail(ErrCount, "document %q: the index is full with %d documents", id, len(x.docs))
	}
	n := int32(len(x.docs))
	doc := document{id: id}
	for _, t := range scan(text) {
		if t.kind != inner {
			doc.length++
		}
		list := x.postings[t.text]
		if last := len(list) - 1; last >= 0 && list[last].doc == n {
			list[last].tf++
			continue
		}
		doc.distinct = append(doc.distinct, t.text)
		x.postings[t.text] = append(list, posting{n, 1})
	}
	x.docs = append(x.docs, doc)
	x.at[id] = n
	x.total += doc.length
	return nil
}

// Remove takes a document out with all that was stored of it, and says whether
// it was there. Terms that no other document has leave the index too.
func (x *BM25) Remove(id string) bool {
	n, ok := x.at[id]
	if !ok {
		return false
	}
	for _, term := range x.docs[n].distinct {
		list := x.postings[term]
		i, _ := slices.BinarySearchFunc(list, n, func(p posting, n int32) int { return cmp.Compare(p.doc, n) })
		if list = slices.Delete(list, i, i+1); len(list) == 0 {
			delete(x.postings, term)
		} else {
			x.postings[term] = list
		}
	}
	x.total -= x.docs[n].length
	x.docs[n] = document{}
	delete(x.at, id)
	x.removed++
	if x.removed > 64 && x.removed > len(x.at) {
		x.compact()
	}
	return true
}

// compact renumbers the documents without the removed ones, in the same order.
func (x *BM25) compact() {
	number := make([]int32, len(x.docs))
	var docs []document
	for i, d := range x.docs {
		if n, ok := x.at[d.id]; ok && n == int32(i) {
			number[i] = int32(len(docs))
			docs = append(docs, d)
		}
	}
	for i, d := range docs {
		x.at[d.id] = int32(i)
	}
	for _, list := range x.postings {
		for i := range list {
			list[i].doc = number[list[i].doc]
		}
	}
	x.docs, x.removed = docs, 0
}
