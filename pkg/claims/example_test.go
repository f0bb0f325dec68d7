package claims_test

import (
	"fmt"
	"testing"

	"memlab/pkg/claims"
)

func Example() {
	judged, err := claims.Stored()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, j := range judged {
		if j.ID == "prefill-128k" {
			fmt.Printf("lecture %s %s, computed %s: %s\n", j.Lecture, j.Unit, claims.Number(*j.Value), j.Verdict)
			fmt.Println(j.Reason)
		}
	}
	// Output:
	// lecture 8.8 s, computed 8.802: reproduced
	// 8.802 s lies in 8.8 ± 0.1; deterministic: one seed, interval of zero width
}

func ExampleRegistry() {
	rows, err := claims.Rows()
	if err != nil {
		fmt.Println(err)
		return
	}
	byHand := claims.Experiment{
		Name: "by hand", Version: 1, Seeds: 1, Deterministic: true,
		Yields: []claims.Yield{{ID: "kv-bytes-llama3-8b"}},
		Run: func(int) (claims.Values, error) {
			return claims.Values{"kv-bytes-llama3-8b": claims.One(32 * 8 * 128 * 2 * 2)}, nil
		},
	}
	registry, err := claims.NewRegistry(rows, byHand)
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := registry.Run(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range results.Rows {
		fmt.Println(r.ID, r.Values[0], r.Verdict)
	}
	// Output:
	// kv-bytes-llama3-8b [131072] reproduced
}

func BenchmarkStored(b *testing.B) {
	for b.Loop() {
		if _, err := claims.Stored(); err != nil {
			b.Fatal(err)
		}
	}
}
