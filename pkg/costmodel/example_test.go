package costmodel_test

import (
	"fmt"
	"log"

	"memlab/pkg/costmodel"
)

// What does it cost to put a book of 128,000 tokens into the context?
func Example() {
	model, err := costmodel.ModelByName("llama-3.1-8b")
	if err != nil {
		log.Fatal(err)
	}
	gpu, err := costmodel.GPUByName("h100")
	if err != nil {
		log.Fatal(err)
	}
	engine, err := costmodel.NewEngine(model, gpu, costmodel.DefaultParams())
	if err != nil {
		log.Fatal(err)
	}
	for _, context := range []int{1000, 128000} {
		r, err := engine.Evaluate(engine.Load(context))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%6d tokens: %s of KV, first token after %s (cached %s), %d requests fit, %.0f tokens/s, bound by %s\n",
			context, r.KVBytes, r.TTFT, r.TTFTCached, r.Batch, r.TokensPerSecond, r.Bound)
	}
	// Output:
	//   1000 tokens: 131 MB of KV, first token after 23.8 ms (cached 6.09 ms), 341 requests fit, 13523 tokens/s, bound by bandwidth
	// 128000 tokens: 16.8 GB of KV, first token after 8.80 s (cached 12.3 ms), 3 requests fit, 121 tokens/s, bound by bandwidth
}

// After how many queries does a trained cartridge pay back?
func ExampleEngine_BreakEven() {
	model, err := costmodel.ModelByName("llama-3-8b")
	if err != nil {
		log.Fatal(err)
	}
	gpu, err := costmodel.GPUByName("h100")
	if err != nil {
		log.Fatal(err)
	}
	engine, err := costmodel.NewEngine(model, gpu, costmodel.DefaultParams())
	if err != nil {
		log.Fatal(err)
	}
	b, err := engine.BreakEven(costmodel.PaperCartridge(128000), 50, 200)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("uncached %.0f, cached %.0f, shared %.0f queries\n", b.Uncached.Queries, b.Cached.Queries, b.Shared.Queries)
	// Output:
	// uncached 1383, cached 8894, shared 636095 queries
}
