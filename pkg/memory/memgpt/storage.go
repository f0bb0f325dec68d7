package memgpt

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"memlab/pkg/dialogue"
	"memlab/pkg/retrieve"
)

// storage is what lies outside the window: recall (all messages) or archival
// (whatever the model put there).
type storage struct {
	search   Search
	role     retrieve.Role
	embedder retrieve.Embedder
	vectors  *retrieve.Vectors
	words    *retrieve.BM25
	records  []Record
	at       map[string]int
	indexed  int // records before this are in the index
	silent   int // records with nothing to search by
	embedded func(texts, tokens int) error
}

// Record is what a storage holds.
type Record struct {
	ID   string    `json:"id"`
	Time time.Time `json:"time,omitzero"`
	Role string    `json:"role,omitempty"`
	Text string    `json:"text"`

	tokens  int
	message *dialogue.Message
}

func newStorage(search Search, role retrieve.Role, e retrieve.Embedder) (*storage, error) {
	s := &storage{search: search, role: role, embedder: e, at: map[string]int{}}
	return s, s.reset()
}

func (s *storage) reset() (err error) {
	switch s.search {
	case ByVector:
		s.vectors, err = retrieve.NewVectors(s.embedder.Dim())
	case ByWords:
		s.words, err = retrieve.NewBM25()
	}
	return err
}

func (s *storage) add(r Record) {
	s.at[r.ID] = len(s.records)
	s.records = append(s.records, r)
}

// index enters what is not in the index yet, all at once: an endpoint takes many
// texts in one request.
func (s *storage) index(ctx context.Context) error {
	fresh := s.records[s.indexed:]
	if len(fresh) == 0 {
		return nil
	}
	if s.words != nil {
		for _, r := range fresh {
			if err := s.words.Add(r.ID, r.Text); err != nil {
				return err
			}
			s.indexed++
		}
	}
	if s.vectors == nil {
		s.indexed = len(s.records)
		return nil
	}
	passages := make([]retrieve.Passage, 0, len(fresh))
	for _, r := range fresh {
		if strings.TrimSpace(r.Text) != "" {
			passages = append(passages, retrieve.Passage{ID: r.ID, Role: s.role, Text: r.Text})
		}
	}
	vectors, known, err := s.embed(ctx, passages)
	if err != nil {
		return err
	}
	for i, p := range known {
		if err := s.vectors.Add(p.ID, vectors[i]); err != nil {
			for _, added := range known[:i] {
				s.vectors.Remove(added.ID) // all or nothing, so that it can be tried again
			}
			return err
		}
	}
	s.silent += len(fresh) - len(known)
	s.indexed = len(s.records)
	return nil
}

// embed leaves out texts that have nothing to embed, e.g. of emoji only.
func (s *storage) embed(ctx context.Context, passages []retrieve.Passage) ([][]float32, []retrieve.Passage, error) {
	if len(passages) == 0 {
		return nil, nil, nil
	}
	vectors, err := s.embedder.Embed(ctx, passages...)
	if nothing(err) && len(passages) > 1 {
		half := len(passages) / 2
		a, left, err := s.embed(ctx, passages[:half])
		if err != nil {
			return nil, nil, err
		}
		b, right, err := s.embed(ctx, passages[half:])
		return append(a, b...), append(left, right...), err
	}
	if nothing(err) {
		return nil, nil, nil
	}
	if err == nil && len(vectors) != len(passages) {
		err = fmt.Errorf("the embedder returned %d vectors for %d texts", len(vectors), len(passages))
	}
	if err != nil {
		return nil, nil, err
	}
	tokens := 0
	for _, p := range passages {
		tokens += s.records[s.at[p.ID]].tokens
	}
	return vectors, passages, s.embedded(len(passages), tokens)
}

// nothing reports that a text has nothing to search by.
func nothing(err error) bool {
	return errors.Is(err, retrieve.ErrEmpty) || errors.Is(err, retrieve.ErrZero)
}

// page is one page of what a query finds.
type page struct {
	records       []*Record
	number, pages int
	more          bool
}

// find searches and returns one page. A page that does not exist is
// retrieve.ErrPage.
func (s *storage) find(ctx context.Context, query retrieve.Passage, number, size int) (page, error) {
	if err := s.index(ctx); err != nil {
		return page{}, err
	}
	if s.vectors != nil {
		return s.findVector(ctx, query, number, size)
	}
	var found []*Record
	if s.words != nil && s.words.Len() > 0 {
		hits, err := s.words.Search(query.Text, s.words.Len(), nil)
		if err != nil {
			return page{}, err
		}
		found = s.named(hits)
	} else if s.words == nil {
		text := strings.ToLower(query.Text)
		for i := range s.records {
			if strings.Contains(strings.ToLower(s.records[i].Text), text) {
				found = append(found, &s.records[i])
			}
		}
	}
	cut, err := retrieve.Page(found, number, size)
	return page{cut.Items, cut.Page, cut.Pages, cut.More}, err
}

// findVector ranks everything, but lists no further than the page goes.
func (s *storage) findVector(ctx context.Context, query retrieve.Passage, number, size int) (page, error) {
	n := s.vectors.Len()
	cut, err := retrieve.Page(make([]struct{}, n), number, size)
	if err != nil || n == 0 {
		return page{number: cut.Page, pages: cut.Pages}, err
	}
	v, err := s.embedder.Embed(ctx, query)
	if err != nil {
		return page{}, err
	}
	if len(v) != 1 {
		return page{}, fmt.Errorf("the embedder returned %d vectors for 1 text", len(v))
	}
	hits, err := s.vectors.Search(v[0], number*size+len(cut.Items), nil)
	if err != nil {
		return page{}, err
	}
	return page{s.named(hits[number*size:]), cut.Page, cut.Pages, cut.More}, nil
}

func (s *storage) named(hits []retrieve.Hit) []*Record {
	out := make([]*Record, len(hits))
	for i, h := range hits {
		out[i] = &s.records[s.at[h.ID]]
	}
	return out
}

// remove erases records from the storage and its index.
func (s *storage) remove(gone func(*Record) bool) int {
	var kept []Record
	at := map[string]int{}
	indexed, n := 0, 0
	for i := range s.records {
		r := &s.records[i]
		if gone(r) {
			n++
			if s.vectors != nil {
				s.vectors.Remove(r.ID)
			}
			if s.words != nil {
				s.words.Remove(r.ID)
			}
			continue
		}
		if i < s.indexed {
			indexed++
		}
		at[r.ID] = len(kept)
		kept = append(kept, *r)
	}
	clear(s.records) // nobody holds the old ones
	s.records, s.at, s.indexed = kept, at, indexed
	return n
}
