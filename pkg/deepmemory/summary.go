package deepmemory

import (
	"math/rand/v2"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
)

// Answer is what a reader said, and what it read for it.
type Answer struct {
	Value string // "": none
	Calls int    // of the model
	Read  int    // prompt tokens of all calls, whether or not a prefix cache held them
}

// Summary is what is left of a dialogue, and what writing it took.
type Summary struct {
	Facts   []dialogue.Fact
	Calls   int // one after each session
	Read    int // prompt tokens: what was asked for, the summary so far, the session
	Written int // tokens of all summaries
}

// Summarize rewrites the summary after each session: every fact of the summary so
// far and of the session survives with Keep, and of those that do not fit chance
// decides, all alike. The rates and sizes are not checked; see Config.Run.
func Summarize(d *dialogue.Dialogue, r Rates, s Sizes, rng *rand.Rand) Summary {
	var sum Summary
	session, fresh := 0, []dialogue.Fact(nil)
	for i := range d.Messages {
		m := &d.Messages[i]
		session += m.Tokens
		fresh = append(fresh, m.Facts...)
		if i+1 < len(d.Messages) && d.Messages[i+1].Session == m.Session {
			continue
		}
		sum.Calls++
		sum.Read += s.Question + len(sum.Facts)*s.Fact + session
		sum.Facts = rewrite(append(sum.Facts, fresh...), r.Keep, s.capacity(), rng)
		sum.Written += len(sum.Facts) * s.Fact
		session, fresh = 0, nil
	}
	return sum
}

func rewrite(facts []dialogue.Fact, keep float64, capacity int, rng *rand.Rand) []dialogue.Fact {
	var kept []dialogue.Fact
	for _, f := range facts {
		if rng.Float64() < keep {
			kept = append(kept, f)
		}
	}
	if len(kept) > capacity {
		rng.Shuffle(len(kept), func(i, j int) { kept[i], kept[j] = kept[j], kept[i] })
		kept = kept[:capacity]
	}
	return kept
}

// Answer reads the summary, once.
func (sum Summary) Answer(q dialogue.Query, r Rates, s Sizes, rng *rand.Rand) Answer {
	a := Answer{Calls: 1, Read: s.Question + len(sum.Facts)*s.Fact}
	var m memory.Material
	for _, f := range sum.Facts {
		m.Memories = append(m.Memories, memory.Memory{Fact: f})
	}
	if reads := rng.Float64() < r.Read; reads {
		a.Value = memory.Strict{}.Answer(&dialogue.Question{Query: q}, &m).Value
	}
	return a
}
