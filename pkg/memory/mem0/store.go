package mem0

import (
	"errors"
	"slices"
	"strconv"

	"memlab/pkg/dialogue"
	"memlab/pkg/retrieve"
)

// store holds the memories and finds them: by id, by subject, by vector and by words.
type store struct {
	entries []*entry // in the order in which they were added
	byID    map[string]*entry
	about   map[string][]*entry // those with a triple, by its subject
	keyed   map[dialogue.Key][]*entry
	vectors *retrieve.Vectors // by entry.key
	words   *retrieve.BM25    // by entry.key; nil without Hybrid
	byKey   map[string]*entry
	next    int
}

func (s *store) init(dim int, hybrid bool) (err error) {
	s.byID, s.byKey = map[string]*entry{}, map[string]*entry{}
	s.about, s.keyed = map[string][]*entry{}, map[dialogue.Key][]*entry{}
	if s.vectors, err = retrieve.NewVectors(dim); err != nil {
		return err
	}
	if hybrid {
		s.words, err = retrieve.NewBM25()
	}
	return err
}

// key names the present text of an entry in the indexes.
func (e *entry) key() string {
	if e.version == 0 {
		return e.ID
	}
	return e.ID + "@" + strconv.Itoa(e.version)
}

// add enters a new memory. On an error nothing is entered.
func (s *store) add(e *entry, v []float32) error {
	if err := s.index(e, v); err != nil {
		return err
	}
	e.number = s.next
	s.next++
	s.entries = append(s.entries, e)
	s.byID[e.ID] = e
	s.list(e)
	return nil
}

// index enters the present text of a memory.
func (s *store) index(e *entry, v []float32) error {
	key := e.key()
	if err := s.vectors.Add(key, v); err != nil {
		return err
	}
	if s.words != nil {
		if err := s.words.Add(key, e.Text); err != nil {
			s.vectors.Remove(key)
			return err
		}
	}
	s.byKey[key] = e
	return nil
}

// unindex erases a text.
func (s *store) unindex(key string) {
	s.vectors.Remove(key)
	if s.words != nil {
		s.words.Remove(key)
	}
	delete(s.byKey, key)
}

// list enters a memory under its fact, in the order of adding.
func (s *store) list(e *entry) {
	if isTriple(e.Fact) {
		enlist(s.about, e.Fact.Subject, e)
		enlist(s.keyed, e.Fact.Key(), e)
	}
}

// unlist takes a memory out that is listed under a fact.
func (s *store) unlist(e *entry, under dialogue.Fact) {
	delist(s.about, under.Subject, e)
	delist(s.keyed, under.Key(), e)
}

func enlist[K comparable](lists map[K][]*entry, key K, e *entry) {
	known := lists[key]
	i := len(known)
	for i > 0 && known[i-1].number > e.number {
		i--
	}
	lists[key] = slices.Insert(known, i, e)
}

func delist[K comparable](lists map[K][]*entry, key K, e *entry) {
	same := func(o *entry) bool { return o == e }
	if left := slices.DeleteFunc(lists[key], same); len(left) > 0 {
		lists[key] = left
	} else {
		delete(lists, key)
	}
}

// remove erases a memory with its present text.
func (s *store) remove(e *entry) {
	s.unindex(e.key())
	s.unlist(e, e.Fact)
	delete(s.byID, e.ID)
	if i := slices.Index(s.entries, e); i >= 0 {
		s.entries = slices.Delete(s.entries, i, i+1)
	}
}

// find is the memory of a triple, valid or not; nil if there is none.
func (s *store) find(f dialogue.Fact) *entry {
	if !isTriple(f) {
		return nil
	}
	for _, e := range s.keyed[f.Key()] {
		if !e.gone && e.Fact.Same(f) {
			return e
		}
	}
	return nil
}

func valid(e *entry) bool   { return e.Invalid.IsZero() }
func invalid(e *entry) bool { return !e.Invalid.IsZero() }
func either(*entry) bool    { return true }

// search is the k memories most like a vector, or fused with those most like a text,
// of those that keep accepts. A vector that is nil is like none.
func (s *store) search(v []float32, text string, k int, keep func(*entry) bool) ([]*entry, error) {
	if k == 0 || len(s.entries) == 0 {
		return nil, nil
	}
	accept := func(key string) bool {
		e := s.byKey[key]
		return !e.gone && key == e.key() && keep(e)
	}
	n := k
	if s.words != nil {
		n = len(s.byKey) // what is far down in one list may be first in the other
	}
	var hits []retrieve.Hit
	if v != nil {
		var err error
		if hits, err = s.vectors.Search(v, n, accept); err != nil {
			return nil, err
		}
	}
	if s.words != nil {
		worded, err := s.words.Search(text, n, accept)
		if err != nil && !errors.Is(err, retrieve.ErrEmpty) {
			return nil, err
		}
		hits = retrieve.Fuse(retrieve.RankConstant, k, hits, worded)
	}
	out := make([]*entry, len(hits))
	for i, h := range hits {
		out[i] = s.byKey[h.ID]
	}
	return out, nil
}
