package choice

import (
	"context"

	"memlab/pkg/costmodel"
	"memlab/pkg/experiments/world"
)

// Level is one level of the hierarchy of memory, for one conversation.
type Level struct {
	Name string `json:"name"`
	Like string `json:"like"` // what a computer has in its place
	// Holds is how many tokens it holds of the conversation, Reads how many of
	// them a question brings before the model, Calls the calls that it takes.
	Holds float64 `json:"holds_tokens"`
	Reads float64 `json:"reads_tokens"`
	Calls float64 `json:"calls"`
	// Bytes is what it occupies of the GPU's memory while it is in the prompt.
	Bytes costmodel.Bytes `json:"kv_bytes"`
	// Changes says which part of a prompt changes when something is remembered.
	Changes string `json:"changes"`
}

// Levels are the levels from the nearest to the farthest, from the conversations
// of seed 0.
func Levels(ctx context.Context, p world.Parameters, m costmodel.Model) ([]Level, error) {
	g, err := world.NewGroup(p, 0, "en")
	if err != nil {
		return nil, err
	}
	settings, err := world.ParseSettings(p, "full", "memgpt", "mem0g+graph")
	if err != nil {
		return nil, err
	}
	var results []*world.Result
	for _, s := range settings {
		r, err := g.Evaluate(ctx, s)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	var tokens, stored float64
	for _, w := range g.Conversations {
		tokens += float64(w.Dialogue.Tokens())
		memories, err := world.Remembered(p, w, true)
		if err != nil {
			return nil, err
		}
		for _, e := range memories.Memories() {
			stored += float64(e.Tokens)
		}
	}
	n := float64(len(g.Conversations))
	tokens, stored = tokens/n, stored/n
	full, paging, facts := results[0].Score, results[1].Score, results[2].Score
	cartridge := float64(costmodel.PaperCartridge(int(tokens)).Tokens())
	working := float64(p.Entries * memoryTokens)
	levels := []Level{
		{Name: "full context", Like: "main memory", Holds: tokens, Reads: full.TokensEach(), Calls: 1, Changes: "the end: only appended"},
		{Name: "MemGPT's working context", Like: "pinned pages", Holds: working, Reads: working, Calls: 1, Changes: "the front, at every edit"},
		{Name: "MemGPT's queue and recall storage", Like: "pages and disk", Holds: tokens, Reads: paging.TokensEach() - working, Calls: paging.CallsEach(), Changes: "the whole queue, when it evicts"},
		{Name: "mem0g's store", Like: "an index that is kept up", Holds: stored, Reads: facts.TokensEach(), Calls: 1, Changes: "the part that is retrieved"},
		{Name: "cartridge", Like: "a compiled program", Holds: cartridge, Reads: cartridge, Calls: 1, Changes: "nothing, until it is trained anew"},
	}
	for i := range levels {
		levels[i].Bytes = m.KVBytes(int(levels[i].Reads + 0.5))
	}
	return levels, nil
}

// memoryTokens is the length of a memory in the toy.
const memoryTokens = 20
