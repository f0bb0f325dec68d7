package deepmemory_test

import (
	"fmt"

	"memlab/pkg/deepmemory"
	"memlab/pkg/random"
)

// The same questions, to a summary and to an agent that pages.
func ExampleConfig_Run() {
	var seeds []random.Seed
	for i := range 20 {
		seeds = append(seeds, random.Seed(i))
	}
	r, err := deepmemory.DefaultConfig().Run(seeds...)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range r.Summary.Sessions {
		s, p := r.Summary.Sessions[i], r.Paging.Sessions[i]
		fmt.Printf("session %d: summary %2.0f%% (expected %2.0f%%), paging %2.0f%% (expected %2.0f%%) in %.1f calls\n",
			i+1, 100*s.Accuracy.Mean, 100*s.Expected, 100*p.Accuracy.Mean, 100*p.Expected, p.Calls.Mean)
	}
	// Output:
	// session 1: summary 12% (expected 11%), paging 96% (expected 97%) in 2.3 calls
	// session 2: summary 16% (expected 17%), paging 97% (expected 97%) in 2.2 calls
	// session 3: summary 31% (expected 27%), paging 97% (expected 97%) in 2.2 calls
	// session 4: summary 44% (expected 41%), paging 98% (expected 97%) in 2.2 calls
	// session 5: summary 70% (expected 64%), paging 97% (expected 97%) in 2.2 calls
}
