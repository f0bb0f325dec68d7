package session

import (
	"math"
	"math/rand/v2"
	"strconv"

	"memlab/pkg/random"
	"memlab/pkg/serving"
)

// turn is everything random about one turn, drawn before the session starts.
type turn struct {
	user, reply serving.Item
	search      bool
	fact        bool
	now         float64 // stored at once if below StoreNow
	slot        float64 // which entry the fact replaces if the working context is full
	digest      float64 // and which one a digest replaces
}

// talk draws the conversation. Each kind of draw has its own stream, so that a
// change of one parameter leaves the others' draws alone.
func talk(p Parameters, seed int) []turn {
	stream := func(name string) *rand.Rand { return random.Seed(seed).Stream("session", name) }
	user, reply := stream("user length"), stream("reply length")
	search, fact, now := stream("search"), stream("fact"), stream("store now")
	slot, digest := stream("slot of fact"), stream("slot of digest")
	turns := make([]turn, p.Turns)
	for i := range turns {
		name := strconv.Itoa(i)
		turns[i] = turn{
			user:   serving.Item{Kind: "user", Name: name, Tokens: p.length(user, p.User)},
			reply:  serving.Item{Kind: "reply", Name: name, Tokens: p.length(reply, p.Reply)},
			search: search.Float64() < p.Search,
			fact:   fact.Float64() < p.Fact,
			now:    now.Float64(),
			slot:   slot.Float64(),
			digest: digest.Float64(),
		}
	}
	return turns
}

// length is log-normal with that mean, rounded.
func (p Parameters) length(r *rand.Rand, mean float64) int {
	s := p.sigma()
	return max(p.MinMessage, int(math.Round(mean*math.Exp(s*r.NormFloat64()-s*s/2))))
}
