package session_test

import (
	"fmt"
	"log"

	"memlab/pkg/experiments/session"
	"memlab/pkg/memory/memgpt/queue"
)

// Where does the prefill of a session come from, and what would another layout
// or another eviction share have made of the same conversation?
func Example() {
	p := session.DefaultParameters()
	for _, setting := range session.Grid([]float64{0.1, 0.5}, queue.Layouts(), []float64{p.StoreNow}) {
		s, err := session.Run(p, 1, setting)
		if err != nil {
			log.Fatal(err)
		}
		f, err := s.Figures(false)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("evict %2.0f%%, %-5s: %d calls, %2d evictions, %.2f saved, %4dk tokens prefilled\n",
			100*setting.Evict, setting.Layout, f.Totals.Calls, s.Evictions, f.Saved, f.Totals.Prefilled/1000)
	}
	// Output:
	// evict 10%, front: 898 calls, 88 evictions, 0.78 saved, 1474k tokens prefilled
	// evict 10%, end  : 898 calls, 88 evictions, 0.82 saved, 1188k tokens prefilled
	// evict 10%, log  : 898 calls, 88 evictions, 0.91 saved,  585k tokens prefilled
	// evict 50%, front: 766 calls, 19 evictions, 0.88 saved,  522k tokens prefilled
	// evict 50%, end  : 766 calls, 19 evictions, 0.85 saved,  651k tokens prefilled
	// evict 50%, log  : 766 calls, 19 evictions, 0.97 saved,  135k tokens prefilled
}
