package random_test

import (
	"fmt"

	"memlab/pkg/random"
)

// Two systems see the same sizes, however many coins one of them tosses.
func Example() {
	seed := random.Seed(1)
	sizes, coins := seed.Stream("sizes"), seed.Stream("coins")
	first := sizes.IntN(100)
	for range 1000 {
		coins.Float64()
	}
	fmt.Println(first == seed.Stream("sizes").IntN(100), seed.Stream("coins") != coins)
	// Output: true true
}
