package deepmemory

import "math"

// Rates are what a summariser and a reader get right or wrong, as probabilities
// from 0 to 1, each drawn anew.
type Rates struct {
	// Keep is that a fact survives one rewriting of the summary. A fact of the
	// last session is rewritten once, one of the first as often as there are
	// sessions.
	Keep float64 `json:"keep"`
	// Read is that a reader says the answer that is before it; drawn once for a
	// question. Else the answer is passed over.
	Read float64 `json:"read"`
	// Stop is that a reader who pages gives up after a page without the answer
	// although another page follows.
	Stop float64 `json:"stop"`
}

func (r Rates) check() error {
	for _, p := range []struct {
		name string
		got  float64
	}{{"Keep", r.Keep}, {"Read", r.Read}, {"Stop", r.Stop}} {
		if err := checkRate(p.name, p.got); err != nil {
			return err
		}
	}
	return nil
}

// Paging is the chance that paging answers right if the answer is on that page,
// from 0, of the results; of a negative page, on none, it is 0:
// Read x (1-Stop)^page.
func (r Rates) Paging(page int) float64 {
	if page < 0 {
		return 0
	}
	return r.Read * math.Pow(1-r.Stop, float64(page))
}

// PagingCalls is the mean number of calls of a question whose answer is on that
// page (negative: on none) of so many that may be read: one that answers, and one
// for each page, the next only without stopping.
func (r Rates) PagingCalls(page, pages int) float64 {
	upTo := func(n int) float64 {
		if r.Stop == 0 {
			return 1 + float64(max(0, n))
		}
		searches := 0.0
		for i := range n {
			before := searches
			searches += math.Pow(1-r.Stop, float64(i))
			if searches == before {
				break // what follows is smaller still
			}
		}
		return 1 + searches
	}
	if page < 0 {
		return upTo(pages)
	}
	return r.Read*upTo(page+1) + (1-r.Read)*upTo(pages)
}

// Survival is the chance that a fact of a session, from 0, is in the summary after
// the last one. Sessions have that many facts each; a summary holds capacity of
// them. Without a bound it is keep^(sessions after it + 1).
func Survival(facts []int, session, capacity int, keep float64) (float64, error) {
	if len(facts) == 0 {
		return 0, bad("session %d of none: want the facts of one session or more", session)
	}
	if session < 0 || session >= len(facts) {
		return 0, bad("session %d: want 0 to %d", session, len(facts)-1)
	}
	if facts[session] < 1 {
		return 0, bad("session %d has %d facts: want 1 or more", session, facts[session])
	}
	if capacity < 0 {
		return 0, bad("capacity of %d facts: want 0 or more", capacity)
	}
	if err := checkRate("keep", keep); err != nil {
		return 0, err
	}
	// others[n] is the chance that n other facts are in the summary and, from
	// its session on, that ours is too.
	others := []float64{1}
	for s, n := range facts {
		if n < 0 || n > maxCount {
			return 0, bad("session %d has %d facts: want 0 to %d", s, n, maxCount)
		}
		if len(others)+n > maxHeld {
			return 0, bad("session %d has %d facts, and the summary before it up to %d: want at most %d in all", s, n, len(others)-1, maxHeld-1)
		}
		if s == session {
			n--
		}
		others = thin(others, n, keep)
		others = bound(others, capacity, keep, s >= session)
	}
	total := 0.0
	for _, p := range others {
		total += p
	}
	return total, nil
}

// maxHeld bounds the time of Survival, which grows with its square, to about a
// second for each session.
const maxHeld = 10_000

// thin adds n facts and keeps each of all by chance.
func thin(held []float64, n int, keep float64) []float64 {
	out := make([]float64, len(held)+n)
	of := []float64{1} // of[k]: k of so many facts are kept
	for count := range len(held) + n {
		if count >= n {
			for k, p := range of {
				out[k] += held[count-n] * p
			}
		}
		next := make([]float64, len(of)+1)
		for k, p := range of {
			next[k] += p * (1 - keep)
			next[k+1] += p * keep
		}
		of = next
	}
	return out
}

// bound cuts to capacity, all facts alike; with ours among them, what is left is
// the chance that ours was kept and stayed.
func bound(others []float64, capacity int, keep float64, ours bool) []float64 {
	out := make([]float64, min(len(others)-1, capacity)+1)
	for n, p := range others {
		switch {
		case !ours:
			out[min(n, capacity)] += p
		case n < capacity:
			out[n] += p * keep
		case capacity > 0:
			out[capacity-1] += p * keep * float64(capacity) / float64(n+1)
		}
	}
	return out
}

// Sizes are lengths in tokens. Those of messages are the conversation's own.
type Sizes struct {
	System   int `json:"system"`   // MemGPT's instructions, in each of its prompts
	Question int `json:"question"` // a question, or what asks for a summary
	Fact     int `json:"fact"`     // one fact in a summary
	Summary  int `json:"summary"`  // what a summary may have
	Call     int `json:"call"`     // a function call
	Result   int `json:"result"`   // its result without the messages found
	Reply    int `json:"reply"`    // an answer
}

func (s Sizes) check() error {
	for _, n := range []struct {
		name      string
		got, from int
	}{
		{"System", s.System, 1}, {"Question", s.Question, 1}, {"Fact", s.Fact, 1}, {"Summary", s.Summary, 0},
		{"Call", s.Call, 1}, {"Result", s.Result, 1}, {"Reply", s.Reply, 1},
	} {
		if n.got < n.from || n.got > maxCount {
			return bad("%s of %d tokens: want %d to %d", n.name, n.got, n.from, maxCount)
		}
	}
	return nil
}

// capacity is how many facts a summary holds.
func (s Sizes) capacity() int { return s.Summary / s.Fact }
