package session

import (
	"testing"

	"memlab/pkg/memory/memgpt/queue"
)

// plain is the session in bare token counts, without prompts, items or a cache:
// what the next call can reuse is the shorter of the previous prompt and the place
// of the first change since then.
type plain struct {
	p        Parameters
	turns    []int // tokens in the queue by turn, the oldest first
	first    int   // turn of turns[0]
	entries  int
	summary  int
	previous int // length of the last prompt
	change   int // first changed token since then
	cause    string
	warned   bool
	pending  []waiting

	calls, prompt, prefill, evictions int
	by                                map[string]int
	broken                            map[string]int
}

func (s *plain) working() int { return s.p.WorkingFixed + s.entries*s.p.Entry }

func (s *plain) length() int {
	n := s.p.System + s.working() + s.summary
	for _, t := range s.turns {
		n += t
	}
	return n
}

func (s *plain) put(turn, tokens int) {
	for s.first+len(s.turns) <= turn {
		s.turns = append(s.turns, 0)
	}
	s.turns[turn-s.first] += tokens
}

func (s *plain) broke(at int, cause string) {
	if at < s.change {
		s.change, s.cause = at, cause
	}
}

func (s *plain) call() {
	if s.length() > s.p.Window {
		removed := 0
		for float64(removed) < s.p.Evict*float64(s.p.Window) && len(s.turns) > 1 {
			removed += s.turns[0]
			s.turns = s.turns[1:]
			s.first++
		}
		s.broke(s.p.System+s.working(), "evict")
		s.summary = s.p.Summary
		s.warned = false
		s.evictions++
	}
	n := s.length()
	hit := min(s.previous, s.change) / s.p.Block * s.p.Block
	if s.calls == 0 {
		s.cause = "first"
	}
	s.calls++
	s.prompt += n
	s.prefill += n - hit
	s.by[s.cause] += n - hit
	s.broken[s.cause]++
	s.previous, s.change, s.cause = n, 1<<30, "new"
}

func (s *plain) edit(turn int, slot float64) {
	if s.working()+s.p.Entry <= s.p.WorkingCap {
		s.broke(s.p.System+s.working(), "edit")
		s.entries++
	} else {
		s.broke(s.p.System+s.p.WorkingFixed+int(slot*float64(s.entries))*s.p.Entry, "edit")
	}
	s.put(turn, s.p.Call)
	s.call()
}

func playPlain(p Parameters, seed int) *plain {
	s := &plain{p: p, change: 1 << 30, cause: "new", by: map[string]int{}, broken: map[string]int{}}
	for i, t := range talk(p, seed) {
		s.put(i, t.user.Tokens)
		if t.fact {
			s.pending = append(s.pending, waiting{i, t.slot})
		}
		s.call()
		if t.search {
			s.put(i, p.Call+p.Page)
			s.call()
		}
		if t.fact && t.now < p.StoreNow {
			s.pending = s.pending[:len(s.pending)-1]
			s.edit(i, t.slot)
		}
		s.put(i, t.reply.Tokens)
		if s.warned || float64(s.length()) <= p.Warn*float64(p.Window) {
			continue
		}
		s.warned = true
		s.put(i, p.Warning)
		var take []waiting
		for len(s.pending) > 0 && len(take) < p.EditsPerWarning {
			if s.pending[0].turn >= s.first {
				take = append(take, s.pending[0])
			}
			s.pending = s.pending[1:]
		}
		s.call()
		if len(take) == 0 {
			s.edit(i, t.digest)
		}
		for _, f := range take {
			if f.turn >= s.first {
				s.edit(i, f.slot)
			}
		}
	}
	return s
}

// The queue, the ledger and the cache together give what bare counting gives, to
// the last token.
func TestSessionIsWhatBareCountingGives(t *testing.T) {
	for seed := range 6 {
		for _, share := range []float64{0.1, 0.5, 0.75} {
			for _, block := range []int{1, 16} {
				p := DefaultParameters()
				p.Evict, p.Block = share, block
				s, f := figures(t, p, seed, Setting{share, queue.Front, p.StoreNow}, false)
				want := playPlain(p, seed)
				type sums struct{ calls, prompt, prefill, edits, evict, evictions int }
				got := sums{f.Totals.Calls, f.Totals.Prompt, f.Totals.Prefilled, f.WorkingPrefill, f.EvictPrefill, s.Evictions}
				if w := (sums{want.calls, want.prompt, want.prefill, want.by["edit"], want.by["evict"], want.evictions}); got != w {
					t.Errorf("seed %d, evict %g, block %d: %+v, want %+v", seed, share, block, got, w)
				}
				if x := float64(want.by["evict"]) / float64(want.broken["evict"]); x != f.PrefillPerEviction {
					t.Errorf("per eviction %g, want %g", f.PrefillPerEviction, x)
				}
			}
		}
	}
}

// A queue that warns at the last moment and whose function calls are long evicts
// between a warning and its edits: facts that have left by then are not stored.
func TestFactsThatLeftAreNotStored(t *testing.T) {
	p := DefaultParameters()
	p.Warn, p.Call, p.Fact, p.StoreNow, p.Evict = 0.98, 150, 0.5, 0, 0.75
	lost := 0
	for seed := range 5 {
		s, f := figures(t, p, seed, p.Setting(), false)
		want := playPlain(p, seed)
		if f.Totals.Calls != want.calls || f.Totals.Prefilled != want.prefill {
			t.Errorf("seed %d: %d calls, %d tokens, want %d, %d", seed, f.Totals.Calls, f.Totals.Prefilled, want.calls, want.prefill)
		}
		if s.Facts != s.OnWarning+s.Lost {
			t.Errorf("seed %d: %d facts are not %d + %d", seed, s.Facts, s.OnWarning, s.Lost)
		}
		lost += s.Lost
	}
	if lost == 0 {
		t.Error("no fact was lost: the test tests nothing")
	}
}

func figures(t *testing.T, p Parameters, seed int, setting Setting, outputs bool) (*Session, Figures) {
	t.Helper()
	s, err := Run(p, seed, setting)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Figures(outputs)
	if err != nil {
		t.Fatal(err)
	}
	return s, f
}
