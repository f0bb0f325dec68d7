package nestedkv

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"slices"
)

// Pair is a key and its value, two UUIDs.
type Pair struct{ Key, Value string }

// Task is one question: the value at the end of the chain that begins at Key.
type Task struct {
	Pairs  []Pair
	Key    string
	Answer string
	// Level is the number of values on the way that are keys; 0: the value of
	// Key is the answer.
	Level int

	values map[string]string
}

// New draws a task: pairs of random UUIDs, of which level+1 in random places
// make the chain.
func New(rng *rand.Rand, pairs, level int) (Task, error) {
	if err := checkLevel(pairs, level); err != nil {
		return Task{}, err
	}
	list := make([]Pair, pairs)
	for i := range list {
		list[i] = Pair{uuid(rng), uuid(rng)}
	}
	return nest(list, rng.Perm(pairs)[:level+1])
}

// Nest makes a task of pairs: the value of the pair at each place of order is
// replaced by the key at the next place, so that one place is level 0. The
// pairs given are not changed.
func Nest(pairs []Pair, order []int) (Task, error) {
	return nest(slices.Clone(pairs), order)
}

func nest(pairs []Pair, order []int) (Task, error) {
	if len(order) == 0 {
		return Task{}, fail(ErrTask, "no place in the order: want one for level 0")
	}
	for i, place := range order {
		if place < 0 || place >= len(pairs) {
			return Task{}, fail(ErrTask, "place %d: want 0 to %d, as there are %d pairs", place, len(pairs)-1, len(pairs))
		}
		if slices.Contains(order[:i], place) {
			return Task{}, fail(ErrTask, "place %d comes twice: the chain would have no end", place)
		}
		if i > 0 {
			pairs[order[i-1]].Value = pairs[place].Key
		}
	}
	first, last := pairs[order[0]], pairs[order[len(order)-1]]
	t := Task{Pairs: pairs, Key: first.Key, Answer: last.Value, Level: len(order) - 1, values: make(map[string]string, len(pairs))}
	for _, p := range pairs {
		if _, twice := t.values[p.Key]; twice {
			return Task{}, fail(ErrTask, "key %s comes twice: want one value per key", p.Key)
		}
		t.values[p.Key] = p.Value
	}
	if _, key := t.values[t.Answer]; key {
		return Task{}, fail(ErrTask, "the value %s at the end of the chain is a key", t.Answer)
	}
	return t, nil
}

// Lookup is the value of a key, as a search of the pairs by text finds it.
func (t Task) Lookup(key string) (value string, found bool) {
	value, found = t.values[key]
	return value, found
}

// uuid is a random one, version 4 of RFC 9562.
func uuid(rng *rand.Rand) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], rng.Uint64())
	binary.BigEndian.PutUint64(b[8:], rng.Uint64())
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	var text [36]byte
	hex.Encode(text[0:], b[:4])
	hex.Encode(text[9:], b[4:6])
	hex.Encode(text[14:], b[6:8])
	hex.Encode(text[19:], b[8:10])
	hex.Encode(text[24:], b[10:])
	for _, i := range []int{8, 13, 18, 23} {
		text[i] = '-'
	}
	return string(text[:])
}
