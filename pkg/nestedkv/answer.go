package nestedkv

import "math/rand/v2"

// Answer is what a reader said, and what it read for it.
type Answer struct {
	Value string // "": none found
	Calls int    // of the model
	Read  int    // prompt tokens of all calls, whether or not a prefix cache held them
}

// Fixed answers in one call with all pairs in the prompt.
func Fixed(t Task, r Rates, s Sizes, rng *rand.Rand) Answer {
	a := Answer{Calls: 1, Read: s.Question + len(t.Pairs)*s.Pair}
	if rng.Float64() >= r.Find {
		return a
	}
	a.Value, _ = t.Lookup(t.Key)
	for {
		next, isKey := t.Lookup(a.Value)
		if !isKey || rng.Float64() >= r.Follow {
			return a
		}
		a.Value = next
	}
}

// Paging answers with one lookup per call. Each asks for another call (MemGPT's
// heartbeat) until a lookup finds nothing, because the value is no key; one more
// call gives the answer. Prompts grow by each lookup and its pair.
func Paging(t Task, r Rates, s Sizes, rng *rand.Rand) Answer {
	var a Answer
	prompt := s.System + s.Question
	call := func() {
		a.Calls++
		a.Read += prompt
		prompt += s.Call
	}
	for key := t.Key; ; key = a.Value {
		call()
		value, found := t.Lookup(key)
		if !found || rng.Float64() >= r.Lookup {
			break
		}
		a.Value = value
		prompt += s.Pair
		if rng.Float64() < r.Stop {
			break
		}
	}
	call()
	return a
}
