package gomlx_test

import (
	"context"
	"fmt"
	"log"

	"memlab/pkg/cartridge"
	"memlab/pkg/cartridge/gomlx"
	"memlab/pkg/random"
)

// Train as in package cartridge, with gradients that nobody derived.
func Example() {
	seed := random.Seed(1)
	c, err := cartridge.NewCorpus(64, 32, seed.Stream("corpus"))
	if err != nil {
		log.Fatal(err)
	}
	start, err := cartridge.FirstTokens(c, 16)
	if err != nil {
		log.Fatal(err)
	}
	study := cartridge.Study{Model: cartridge.DefaultModel(), Corpus: c, Distance: cartridge.DefaultDistance}
	trainer := cartridge.DefaultTrainer(study, 100, seed)
	byHand, err := trainer.Train(context.Background(), start)
	if err != nil {
		log.Fatal(err)
	}
	trainer.Engine = gomlx.Engine
	automatic, err := trainer.Train(context.Background(), start)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f %.3f\n", byHand.Losses[99], automatic.Losses[99])
	// Output: 1.700 1.700
}
