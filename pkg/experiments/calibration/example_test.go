package calibration_test

import (
	"context"
	"fmt"

	"memlab/pkg/claims"
	"memlab/pkg/experiments/calibration"
)

// Which parameters of the cost model does any row pin?
func Example() {
	rows, err := claims.Rows()
	if err != nil {
		fmt.Println(err)
		return
	}
	costs := calibration.Subjects()[:1]
	s, err := calibration.Sensitivity(context.Background(), rows, costs, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range s.Experiments[0].Parameters {
		fmt.Println(p.Name, p.Pinned())
	}
	// Output:
	// compute_share true
	// bandwidth_share true
	// memory_share true
	// step_overhead_seconds false
	// question_tokens false
}
