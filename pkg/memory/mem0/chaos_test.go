package mem0_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory/mem0"
)

// noise is a model that answers with good replies, good ones with bytes changed or cut
// off, and operations at random.
func noise(r *rand.Rand) mem0.LLMJudge {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	return mem0.LLMJudge{Complete: func(_ context.Context, prompt string) (string, error) {
		var reply string
		if strings.Contains(prompt, `"facts"`) {
			f := func() string {
				return pick("a", "b", "喝茶", "") + "|" + pick("user", "Kim", "") + "|" + pick("city", "job") + "|" + pick("Lyon", "Bern", "茶")
			}
			reply = fact(f(), f())
		} else {
			var list []string
			for range r.IntN(4) {
				list = append(list, fmt.Sprintf(`{"op":%q,"id":%d,"text":%q,"subject":%q,"relation":"city","object":%q}`,
					pick("ADD", "UPDATE", "DELETE", "NOOP", "noop", "?"), r.IntN(5)-1, pick("", "x y", "茶"), pick("user", "Kim", ""), pick("Lyon", "Oslo", "")))
			}
			reply = ops(strings.Join(list, ","))
		}
		switch b := []byte(reply); r.IntN(6) {
		case 0:
			return reply[:r.IntN(len(reply))], nil
		case 1:
			b[r.IntN(len(b))] = byte(r.IntN(256))
			return string(b), nil
		}
		return reply, nil
	}}
}

// Whatever a model replies, nothing breaks: every memory is found by its id and its
// text, has its nodes, and what was forgotten is nowhere.
func TestAnyReplyIsSurvived(t *testing.T) {
	both(t, func(t *testing.T, graph bool) {
		for seed := range uint64(150) {
			r := draws(seed)
			m := build(t, noise(r), func(o *mem0.Options) { o.Graph, o.Hop, o.Hybrid = graph, graph, true })
			for i := range 15 {
				write(t, m, user(fmt.Sprintf("m%d", i), day(1+r.IntN(8)), "text"))
			}
			seen := map[string]bool{}
			for _, e := range m.Memories() {
				if seen[e.ID] || len(e.Sources) == 0 || e.Text == "" {
					t.Errorf("seed %d: %+v", seed, e)
				}
				seen[e.ID] = true
				if h := m.History(e.ID); len(h) == 0 || !h[len(h)-1].To.Equal(e.Invalid) {
					t.Errorf("seed %d: %+v held %v", seed, e, h)
				}
			}
			if got := read(t, m, dialogue.Query{ID: "q", Text: "喝茶 Kim", Past: true}); len(got.Memories) > len(seen) {
				t.Errorf("seed %d: read %d of %d memories", seed, len(got.Memories), len(seen))
			}
			nodes := len(m.Entities())
			if _, err := m.Forget(ctx, func(dialogue.Fact) bool { return true }); err != nil {
				t.Fatal(err)
			}
			if len(m.Memories()) != 0 || len(m.Entities()) != 0 || !graph && nodes != 0 {
				t.Errorf("seed %d: %d memories, %d entities after all is forgotten", seed, len(m.Memories()), len(m.Entities()))
			}
			for _, word := range []string{"Lyon", "Oslo", "茶"} {
				for _, where := range traces(m, word) {
					t.Errorf("seed %d: %q still in %s", seed, word, where)
				}
			}
			if t.Failed() {
				return
			}
		}
	})
}
