package serving

import (
	"fmt"
	"slices"
)

// Ledger holds the calls of a system in their order. The zero value is an empty
// ledger. Calls are copied, in a compact form.
type Ledger struct {
	calls      []*record
	embeddings []Embedding
	streams    map[streamKey]*stream

	records arena[record]
	refs    arena[ref]
	spans   arena[span]
	marks   arena[class]

	items  []interned
	byHash map[uint64]ref
	names  map[uint64]ref // the first item of each kind and name
	real   bool           // some item has ids of a tokenizer
}

type streamKey struct{ tenant, name string }

// stream is what later calls of a stream are compared with.
type stream struct {
	last  int    // index of the last call
	items []bool // by ref: was in a prompt
	names []bool // by interned.name: was in a prompt in some version
}

// record is a call with its items replaced by references.
type record struct {
	call     Call // without prompt and output
	segments []span
	items    []ref
	output   []ref
	tokens   int
	previous int // call of the same stream, -1 for the first
	change   change
	classes  []class // of the items from change.item on
}

// span is a segment: items up to end, tokens up to tokenEnd.
type span struct {
	name          string
	kind          SegmentKind
	end, tokenEnd int
}

// class says how an item stands to the earlier prompts of its stream.
type class uint8

const (
	known   class = iota // was there
	fresh                // was not there, in no version
	revised              // was there in other versions
)

// Len is the number of calls.
func (l *Ledger) Len() int { return len(l.calls) }

// Add enters a call. On an error the ledger is as it was.
func (l *Ledger) Add(c Call) error {
	if err := l.add(c); err != nil {
		return fmt.Errorf("serving: call %d (%s %s, turn %d): %w", len(l.calls), c.Stream, c.Purpose, c.Turn, err)
	}
	return nil
}

func (l *Ledger) add(c Call) error {
	if err := c.checkFrame(); err != nil {
		return err
	}
	if l.streams == nil {
		l.streams = map[streamKey]*stream{}
		l.byHash = map[uint64]ref{}
		l.names = map[uint64]ref{}
	}
	s := l.streams[streamKey{c.Tenant, c.Stream}]
	if s == nil {
		s = &stream{last: -1}
	}
	r := &l.records.take(1)[0]
	r.call, r.previous = c, s.last
	r.call.Prompt, r.call.Output = nil, nil
	if err := l.enter(r, c.Prompt); err != nil {
		return err
	}
	r.output = l.refs.take(len(c.Output))
	for i := range c.Output {
		r.output[i] = l.intern(&c.Output[i])
	}
	if r.previous >= 0 {
		r.change = l.compare(l.calls[r.previous], r)
	}
	l.classify(r, s)
	s.last = len(l.calls)
	l.streams[streamKey{c.Tenant, c.Stream}] = s
	l.calls = append(l.calls, r)
	return nil
}

// enter fills in segments and items. Most items are those of the stream's last
// prompt in their order; only the others are checked and looked up.
func (l *Ledger) enter(r *record, p Prompt) error {
	var before []ref
	if r.previous >= 0 {
		before = l.calls[r.previous].items
	}
	n := 0
	for _, s := range p {
		n += len(s.Items)
	}
	r.items = l.refs.take(n)[:0]
	r.segments = l.spans.take(len(p))[:0]
	for _, s := range p {
		for j := range s.Items {
			it := &s.Items[j]
			if len(before) > 0 && l.items[before[0]].item.equal(it) {
				r.items = append(r.items, before[0])
				before = before[1:]
				r.tokens += it.Tokens
				continue
			}
			if err := it.Check(); err != nil {
				return fmt.Errorf("segment %q: item %d: %w", s.Name, j, err)
			}
			r.tokens = min(r.tokens+it.Tokens, maxTokens+1)
			known := l.intern(it)
			r.items = append(r.items, known)
			if i := slices.Index(before, known); i >= 0 {
				before = before[i+1:]
			}
		}
		r.segments = append(r.segments, span{s.Name, s.Kind, len(r.items), r.tokens})
	}
	return checkTotal(r.tokens)
}

// classify holds the changed part of the prompt against all earlier prompts of
// the stream, then enters it there.
func (l *Ledger) classify(r *record, s *stream) {
	s.items = append(s.items, make([]bool, len(l.items)-len(s.items))...)
	s.names = append(s.names, make([]bool, len(l.items)-len(s.names))...)
	rest := r.items[r.change.item:]
	r.classes = l.marks.take(len(rest))
	for i, it := range rest {
		switch {
		case s.items[it]:
		case s.names[l.items[it].name]:
			r.classes[i] = revised
		default:
			r.classes[i] = fresh
		}
	}
	for _, it := range rest {
		s.items[it], s.names[l.items[it].name] = true, true
	}
}

// Call returns a call as it was added; i is from 0 to Len()-1, as in a slice.
func (l *Ledger) Call(i int) Call {
	r := l.calls[i]
	c := r.call
	start := 0
	for _, s := range r.segments {
		c.Prompt = append(c.Prompt, Segment{s.name, s.kind, l.list(r.items[start:s.end])})
		start = s.end
	}
	c.Output = l.list(r.output)
	return c
}

func (l *Ledger) list(refs []ref) []Item {
	var items []Item
	for _, r := range refs {
		items = append(items, l.items[r].item)
	}
	return items
}

// Embed enters texts that were embedded, outside any call.
func (l *Ledger) Embed(e Embedding) error {
	err := checkPhase(e.Phase, e.Turn)
	if err == nil && (e.Texts < 1 || e.Tokens < 0) {
		err = bad("texts %d, tokens %d: want 1 or more texts of 0 or more tokens", e.Texts, e.Tokens)
	}
	if err != nil {
		return fmt.Errorf("serving: embedding %d (%s): %w", len(l.embeddings), e.Purpose, err)
	}
	l.embeddings = append(l.embeddings, e)
	return nil
}

// Embeddings are the embedded texts.
func (l *Ledger) Embeddings() []Embedding { return slices.Clone(l.embeddings) }
