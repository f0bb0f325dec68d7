package rollout_test

import (
	"fmt"

	"memlab/pkg/rollout"
)

// Two replicas, one step a second. Three answers of 10 tokens and one of 100:
// while the last is written, the other replica has nothing to do.
func Example() {
	s := rollout.Setup{
		Prompts: 2, Samples: 2, Replicas: 2, Slots: 8,
		Lengths: rollout.Lengths{Shape: rollout.Lognormal, Median: 10, Cap: 100},
		Speed:   rollout.Speed{Fixed: 1},
	}
	o, err := rollout.Wait(s, [][]int{{10, 10}, {10, 100}})
	if err != nil {
		panic(err)
	}
	fmt.Printf("half done after %.0f s, all after %.0f s, idle %.0f%%\n", o.Half, o.Generation, 100*o.IdleShare())
	// Output: half done after 10 s, all after 100 s, idle 45%
}
