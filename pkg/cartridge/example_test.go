package cartridge_test

import (
	"context"
	"fmt"
	"log"

	"memlab/pkg/cartridge"
	"memlab/pkg/random"
)

// Compress 64 facts into 16 slots, and ask for them in other words.
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
	model := cartridge.DefaultModel()
	study := cartridge.Study{Model: model, Corpus: c, Distance: cartridge.DefaultDistance}
	trainer := cartridge.DefaultTrainer(study, 400, seed)
	trainer.Batch = 64
	trained, err := trainer.Train(context.Background(), start)
	if err != nil {
		log.Fatal(err)
	}

	ask, err := c.Rephrased(4, cartridge.DefaultDistance, cartridge.Anyhow, seed.Stream("ask"))
	if err != nil {
		log.Fatal(err)
	}
	for _, z := range []*cartridge.Cartridge{start, trained.Cartridge} {
		r, err := model.With(z)
		if err != nil {
			log.Fatal(err)
		}
		share, err := cartridge.Score(r, ask, c.V)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.2f\n", share)
	}
	// Output:
	// 0.25
	// 0.74
}

// Is the hand-written gradient right? Every parameter is compared.
func ExampleCheckGradient() {
	check, err := cartridge.CheckGradient(cartridge.SmallProblem())
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range check.Pairs {
		fmt.Printf("%s and %s agree within %g: %t\n", p.A, p.B, p.Tolerance, p.OK())
	}
	// Output:
	// literal loops and central differences agree within 1e-07: true
	// literal loops and hand-written agree within 1e-05: true
	// central differences and hand-written agree within 1e-05: true
}

// Two documents, trained apart, in one cache.
func ExampleConcat() {
	seed := random.Seed(1)
	c, err := cartridge.NewCorpus(20, 8, seed.Stream("corpus"))
	if err != nil {
		log.Fatal(err)
	}
	a, err := cartridge.FirstTokens(c, 4)
	if err != nil {
		log.Fatal(err)
	}
	b, err := cartridge.RandomTokens(c, 6, seed.Stream("tokens"))
	if err != nil {
		log.Fatal(err)
	}
	both, err := cartridge.Concat(a, b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(both.Slots(), "slots")
	_, err = cartridge.FirstTokens(c, 21)
	fmt.Println(err)
	// Output:
	// 10 slots
	// cartridge: bad input: p = 21 slots for 20 facts: want 1 to 20
}
