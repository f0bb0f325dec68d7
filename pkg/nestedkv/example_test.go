package nestedkv_test

import (
	"fmt"

	"memlab/pkg/nestedkv"
	"memlab/pkg/random"
)

// The same questions, once with all pairs in the prompt and once with lookups.
func ExampleConfig_Run() {
	c := nestedkv.DefaultConfig()
	c.MaxLevel = 3
	var seeds []random.Seed
	for i := range 20 {
		seeds = append(seeds, random.Seed(i))
	}
	results, err := c.Run(seeds...)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range results {
		fmt.Printf("level %d: fixed %3.0f%% (expected %3.0f%%) in 1 call, paging %3.0f%% (expected %3.0f%%) in %.1f calls\n", r.Level,
			100*r.Fixed.Accuracy.Mean, 100*r.Fixed.Expected, 100*r.Paging.Accuracy.Mean, 100*r.Paging.Expected, r.Paging.Calls.Mean)
	}
	// Output:
	// level 0: fixed  98% (expected  98%) in 1 call, paging  99% (expected 100%) in 3.0 calls
	// level 1: fixed  26% (expected  29%) in 1 call, paging  98% (expected  98%) in 4.0 calls
	// level 2: fixed   9% (expected   9%) in 1 call, paging  96% (expected  97%) in 4.9 calls
	// level 3: fixed   4% (expected   3%) in 1 call, paging  96% (expected  95%) in 5.9 calls
}
