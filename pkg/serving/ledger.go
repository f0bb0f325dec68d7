package serving

import (
	"fmt"
	"slices"
)

// Ledger holds the calls of a system in their order. The zero value is an empty
// ledger. Calls are stored compactly and may share the caller's items, which
// must not be changed in place afterwards.
type Ledger struct {
	calls      []record
	embeddings []Embedding
	streams    map[streamKey]*stream

	items []interned
	byKey map[itemKey]ref
	names map[nameKey]int32
	real  bool // some item has ids of a tokenizer
}

type ref int32

type interned struct {
	item Item
	hash uint64
	name int32 // same for all versions
}

type itemKey struct {
	kind, name      string
	version, tokens int
	real            bool
	ids             uint64
}

type nameKey struct{ kind, name string }

type streamKey struct{ tenant, name string }

// stream is what later calls of a stream are compared with.
type stream struct {
	last  int    // index of the last call
	items []bool // by ref: was in a prompt
	names []bool // by name: was in a prompt in some version
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
	if err := c.Check(); err != nil {
		return fmt.Errorf("serving: call %d (%s %s, turn %d): %w", len(l.calls), c.Stream, c.Purpose, c.Turn, err)
	}
	if l.streams == nil {
		l.streams = map[streamKey]*stream{}
		l.byKey = map[itemKey]ref{}
		l.names = map[nameKey]int32{}
	}
	s := l.streams[streamKey{c.Tenant, c.Stream}]
	if s == nil {
		s = &stream{last: -1}
		l.streams[streamKey{c.Tenant, c.Stream}] = s
	}
	r := record{call: c, previous: s.last}
	r.call.Prompt, r.call.Output = nil, nil
	l.enter(&r, c.Prompt)
	for i := range c.Output {
		r.output = append(r.output, l.intern(&c.Output[i]))
	}
	if r.previous >= 0 {
		r.change = l.compare(&l.calls[r.previous], &r)
	}
	l.classify(&r, s)
	s.last = len(l.calls)
	l.calls = append(l.calls, r)
	return nil
}

// enter fills in segments and items. What the stream's last prompt begins with
// is copied; only the rest is looked up.
func (l *Ledger) enter(r *record, p Prompt) {
	var before []ref
	if r.previous >= 0 {
		before = l.calls[r.previous].items
	}
	n := 0
	for _, s := range p {
		n += len(s.Items)
	}
	r.items = make([]ref, 0, n)
	r.segments = make([]span, 0, len(p))
	same := true
	for _, s := range p {
		for j := range s.Items {
			it := &s.Items[j]
			i := len(r.items)
			if same = same && i < len(before) && l.items[before[i]].item.equal(it); same {
				r.items = append(r.items, before[i])
			} else {
				r.items = append(r.items, l.intern(it))
			}
			r.tokens += it.Tokens
		}
		r.segments = append(r.segments, span{s.Name, s.Kind, len(r.items), r.tokens})
	}
}

func (l *Ledger) intern(it *Item) ref {
	k := itemKey{it.Kind, it.Name, it.Version, it.Tokens, it.IDs != nil, 0}
	if it.IDs != nil {
		l.real = true
		k.ids = it.idsHash()
	}
	if r, ok := l.byKey[k]; ok {
		return r
	}
	nk := nameKey{it.Kind, it.Name}
	name, ok := l.names[nk]
	if !ok {
		name = int32(len(l.names))
		l.names[nk] = name
	}
	r := ref(len(l.items))
	l.items = append(l.items, interned{*it, it.hash(), name})
	l.byKey[k] = r
	return r
}

// classify holds the changed part of the prompt against all earlier prompts of
// the stream, then enters it there.
func (l *Ledger) classify(r *record, s *stream) {
	s.items = append(s.items, make([]bool, len(l.items)-len(s.items))...)
	s.names = append(s.names, make([]bool, len(l.names)-len(s.names))...)
	rest := r.items[r.change.item:]
	r.classes = make([]class, len(rest))
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

// Call returns a call as it was added.
func (l *Ledger) Call(i int) Call {
	r := &l.calls[i]
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
