package mem0_test

import (
	"context"
	"fmt"

	"memlab/pkg/dialogue/toy"
	"memlab/pkg/memory"
	"memlab/pkg/memory/mem0"
	"memlab/pkg/random"
	"memlab/pkg/serving"
)

// A dialogue of 300 pairs is written into a mem0g whose judge never errs.
func Example() {
	world, _ := toy.New(toy.DefaultParameters(), random.Seed(0), 0, "en")
	judge, _ := mem0.Rule(mem0.Rates{Recall: 1}, world.Stream)
	o := mem0.Defaults()
	o.Embedder, o.Judge, o.Graph, o.Hop = world.Embedder(), judge, true, true
	m, err := mem0.New(o)
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := memory.Evaluate(context.Background(), &world.Dialogue, m, o.Account, memory.Strict{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("calls to write:", o.Account.Phase(serving.Write, "extract").Calls, "+", o.Account.Phase(serving.Write, "update").Calls)
	fmt.Println("accuracy:", run.Score().Accuracy())
	// Output:
	// calls to write: 300 + 96
	// accuracy: 1
}
