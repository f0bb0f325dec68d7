package serving

// Change is where a prompt first differs from the one before it.
type Change struct {
	// At is the number of tokens that both begin with.
	At int `json:"at"`
	// Broken: the earlier prompt went on there, so that what it held behind is
	// of no use any more. A prompt that only goes on is not broken.
	Broken  bool   `json:"broken"`
	Segment string `json:"segment,omitempty"` // that changed, if broken
	Cause   Cause  `json:"cause"`
}

// FirstChange finds the first change from one prompt to the next. Added text is
// new content at the end and an edit anywhere else.
func FirstChange(before, after Prompt) (Change, error) {
	var l Ledger
	for _, p := range []Prompt{before, after} {
		if err := l.Add(Call{Phase: Write, Prompt: p}); err != nil {
			return Change{}, err
		}
	}
	return l.calls[1].change.Change, nil
}

// change is a Change with the first item that is not, as a whole, the same, and
// the token it starts at.
type change struct {
	Change
	item, start int
}

func (l *Ledger) compare(before, after *record) change {
	c := change{Change: Change{Cause: Cause{Kind: NewContent}}}
	for c.item < min(len(before.items), len(after.items)) && before.items[c.item] == after.items[c.item] {
		c.At += l.items[before.items[c.item]].item.Tokens
		c.item++
	}
	if c.start = c.At; l.real {
		c.At += l.commonIDs(before.items[c.item:], after.items[c.item:])
	}
	c.Broken = c.At < before.tokens && c.At < after.tokens
	if !c.Broken {
		return c
	}
	s, evicted := l.changed(before, after, c.At)
	c.Segment, c.Cause = s.name, Cause{Edit, s.name}
	if evicted {
		c.Cause = Cause{Kind: Eviction}
	}
	return c
}

// commonIDs is the number of token ids that two rows of items begin with.
// Different items may begin alike if their ids come from a tokenizer.
func (l *Ledger) commonIDs(a, b []ref) int {
	var x, y []int
	for n := 0; ; n++ {
		if len(x) == 0 {
			if len(a) == 0 {
				return n
			}
			x, a = l.items[a[0]].item.AppendIDs(x), a[1:]
		}
		if len(y) == 0 {
			if len(b) == 0 {
				return n
			}
			y, b = l.items[b[0]].item.AppendIDs(y), b[1:]
		}
		if x[0] != y[0] {
			return n
		}
		x, y = x[1:], y[1:]
	}
}

// changed finds the segment that changed at a token where both prompts go on,
// and whether a queue lost what it held there.
func (l *Ledger) changed(before, after *record, at int) (span, bool) {
	old, now := before.at(at), after.at(at)
	s := after.segments[now]
	if o := before.segments[old]; o.name != s.name {
		i, j := before.find(s.name), after.find(o.name)
		switch {
		case j >= 0 && j < now: // the earlier segment lost its end
			s = after.segments[j]
		case j < 0 && i > old: // it is gone, and this one moved up
			s = o
		}
	}
	switch s.kind {
	case Snapshot:
		return s, true
	case Queue:
		lost := before.itemAt(l, at)
		i := before.find(s.name)
		if i < 0 || before.segments[old].name != s.name {
			return s, false // it grew in front of another segment
		}
		j := after.find(s.name)
		if j < 0 {
			return s, true
		}
		for _, it := range after.items[after.start(j):after.segments[j].end] {
			if l.items[it].name == l.items[lost].name {
				return s, false // something came in front of it, or another version
			}
		}
		return s, true
	}
	return s, false
}

// at is the segment that holds a token.
func (r *record) at(token int) int {
	for i, s := range r.segments {
		if token < s.tokenEnd {
			return i
		}
	}
	return len(r.segments) - 1
}

func (r *record) find(segment string) int {
	for i, s := range r.segments {
		if s.name == segment {
			return i
		}
	}
	return -1
}

func (r *record) start(segment int) int {
	if segment == 0 {
		return 0
	}
	return r.segments[segment-1].end
}

func (r *record) itemAt(l *Ledger, token int) ref {
	for _, it := range r.items {
		if token -= l.items[it].item.Tokens; token < 0 {
			return it
		}
	}
	return -1
}
