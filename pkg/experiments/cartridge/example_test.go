package cartridge_test

import (
	"context"
	"fmt"
	"log"

	"memlab/pkg/experiments/cartridge"
)

// What are 8 and 16 slots good for? A small document; the default parameters
// take minutes.
func Example() {
	p := cartridge.DefaultParameters()
	p.Facts, p.Slots, p.FewSlots, p.TruncatedSlots = 128, 16, 8, nil
	p.Steps, p.Batch = 400, 64
	points, err := cartridge.OverSlots(context.Background(), p, 0, []int{8, 16})
	if err != nil {
		log.Fatal(err)
	}
	for _, at := range points {
		fmt.Printf("p = %2d: truncation %.2f, memorised %.2f, self-study %.2f\n",
			at.Slots, at.Truncated, at.MemorizeRephrased, at.SelfStudy)
	}
	// Output:
	// p =  8: truncation 0.06, memorised 0.19, self-study 0.24
	// p = 16: truncation 0.12, memorised 0.46, self-study 0.53
}
