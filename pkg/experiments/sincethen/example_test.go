package sincethen_test

import (
	"fmt"

	"memlab/pkg/costmodel"
	"memlab/pkg/experiments/sincethen"
)

// From which context on a state of fixed size is smaller than the KV cache that it
// takes the place of.
func Example() {
	m, err := costmodel.ModelByName("llama-3-8b")
	if err != nil {
		fmt.Println(err)
		return
	}
	fixed, err := sincethen.WithState(m, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	from, ok := sincethen.CrossBytes(fixed, m)
	fmt.Println(fixed.KVBytesFixed(), from, ok)
	// Output: 33.6 MB 256 true
}
