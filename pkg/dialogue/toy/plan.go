package toy

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// A plan is a conversation without its words: who states what and when. It is the
// same in every language.
type plan struct {
	attributes [attributes][]float64 // when each value begins to hold, from 0 to 1
	roles      [roles][]float64      // when each person begins to hold the role
	base       [roles]int            // number of the first person of a role
	persons    int
	statements []statement // in the order of the conversation
	topics     []meaning   // what the user's message of each pair is about
	tokens     []int       // of each message
	never      []int       // near which attributes nothing was said
}

// A statement is a fact said by the user.
type statement struct {
	about   meaning
	version int // which value of the attribute
	at      float64
	pair    int
}

// draw makes the plan. Each purpose has its own stream.
func draw(p Parameters, stream func(names ...string) *rand.Rand) (plan, error) {
	var d plan
	d.drawChanges(p, stream("world", "changes"), stream("world", "times"))
	d.drawStatements(p, stream("world", "times of first"), stream("world", "restated"))
	if err := d.drawPairs(p, stream("world", "pairs"), stream("world", "topics")); err != nil {
		return plan{}, err
	}
	d.drawTokens(p, stream("world", "tokens"))
	d.never = stream("world", "never").Perm(attributes)[:p.Never]
	return d, nil
}

// drawChanges says how many values each key takes and when each begins to hold.
func (d *plan) drawChanges(p Parameters, changes, times *rand.Rand) {
	begin := func(from, end int) []float64 {
		n := 1
		for range p.Scale {
			n += from + changes.IntN(end-from+1)
		}
		at := make([]float64, n)
		for i := range at {
			at[i] = times.Float64()
		}
		slices.Sort(at)
		return at
	}
	for i := range d.attributes {
		if i < statics {
			d.attributes[i] = []float64{times.Float64()}
		} else {
			d.attributes[i] = begin(p.MinChanges, p.MaxChanges)
		}
	}
	for j := range d.roles {
		d.roles[j] = begin(p.MinReplaced, p.MaxReplaced)
		d.base[j] = d.persons
		d.persons += len(d.roles[j])
	}
}

// drawStatements says when the facts are said: each value when it begins to hold and,
// unless it never changes, again while it holds; a person's facts once each, while
// the person holds the role.
func (d *plan) drawStatements(p Parameters, facts, restated *rand.Rand) {
	say := func(about meaning, version int, at float64) {
		d.statements = append(d.statements, statement{about: about, version: version, at: at})
	}
	again := distuv.Poisson{Lambda: p.Restated, Src: restated}
	repeat := func(about meaning, version int, from, end float64) {
		for range int(again.Rand()) {
			say(about, version, from+(end-from)*restated.Float64())
		}
	}
	for i, times := range d.attributes {
		about := meaning{topic: attribute, index: i}
		for n, from := range times {
			say(about, n, from)
			if i >= statics {
				repeat(about, n, from, ending(times, n))
			}
		}
	}
	for j, times := range d.roles {
		for n, from := range times {
			who, end := d.base[j]+n, ending(times, n)
			about := meaning{topic: holder, index: j, person: who}
			say(about, n, from)
			repeat(about, n, from, end)
			for t := range types {
				say(meaning{topic: personal, index: t, person: who}, 0, from+(end-from)*facts.Float64())
			}
		}
	}
	slices.SortStableFunc(d.statements, func(a, b statement) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
}

// ending is when version n stops to hold.
func ending(times []float64, n int) float64 {
	if n+1 < len(times) {
		return times[n+1]
	}
	return 1
}

// drawPairs gives each statement a pair of its own, in their order, and topics to the
// others.
func (d *plan) drawPairs(p Parameters, pairs, topics *rand.Rand) error {
	total := p.Scale * p.Pairs
	if len(d.statements) > total {
		return bad("pairs %d: %d statements do not fit into %d pairs: want more pairs, fewer changes or fewer restatements",
			p.Pairs, len(d.statements), total)
	}
	d.topics = make([]meaning, total)
	for i := range d.topics {
		// Both draws in any case: a statement elsewhere changes no topic here.
		mention, key := topics.Float64() < p.Topics, topics.IntN(attributes+roles)
		switch {
		case !mention:
		case key < attributes:
			d.topics[i] = meaning{topic: attribute, index: key}
		default:
			d.topics[i] = meaning{topic: role, index: key - attributes}
		}
	}
	taken := pairs.Perm(total)[:len(d.statements)]
	slices.Sort(taken)
	for i, pair := range taken {
		d.statements[i].pair = pair
		d.topics[pair] = d.statements[i].about
	}
	return nil
}

func (d *plan) drawTokens(p Parameters, r *rand.Rand) {
	d.tokens = make([]int, 2*p.Scale*p.Pairs)
	length := func() float64 { return p.Tokens }
	if p.Spread > 0 {
		shape := 1 / (p.Spread * p.Spread)
		length = distuv.Gamma{Alpha: shape, Beta: shape / p.Tokens, Src: r}.Rand
	}
	for i := range d.tokens {
		d.tokens[i] = max(p.MinTokens, int(math.Round(length())))
	}
}
