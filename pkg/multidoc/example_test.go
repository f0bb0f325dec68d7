package multidoc_test

import (
	"fmt"

	"memlab/pkg/multidoc"
	"memlab/pkg/random"
)

// Further documents help until the window is full; cutting them to fit more hurts.
func ExampleConfig_Run() {
	c := multidoc.DefaultConfig()
	c.Retrieved = []int{10, 40, 160}
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
		fmt.Printf("%3d documents: among them %2.0f%%, right %2.0f%%, cut to fit %2.0f%%, paging %2.0f%% in %.1f calls\n", r.Retrieved,
			100*r.Recall.Mean, 100*r.Fixed.Accuracy.Mean, 100*r.Truncated.Accuracy.Mean, 100*r.Paging.Accuracy.Mean, r.Paging.Calls.Mean)
	}
	// Output:
	//  10 documents: among them 50%, right 46%, cut to fit 46%, paging 68% in 3.8 calls
	//  40 documents: among them 76%, right 69%, cut to fit 69%, paging 68% in 3.8 calls
	// 160 documents: among them 93%, right 69%, cut to fit 20%, paging 68% in 3.8 calls
}
