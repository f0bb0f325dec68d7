package prefixcache_test

import (
	"fmt"
	"log"
	"slices"

	"memlab/pkg/prefixcache"
)

// tokens are made-up ids: from, from+1, ...
func tokens(from, n int) []int {
	t := make([]int, n)
	for i := range t {
		t[i] = from + i
	}
	return t
}

// Two users ask about the same document of 1,000 tokens.
func Example() {
	cache, err := prefixcache.NewBlockHash(200, 16)
	if err != nil {
		log.Fatal(err)
	}
	document := tokens(0, 1000)
	for _, question := range [][]int{tokens(5000, 30), tokens(6000, 50)} {
		use, err := cache.Serve(prefixcache.Request{Tokens: slices.Concat(document, question)})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d tokens: %d reused, %d prefilled\n", use.PromptTokens, use.HitTokens, use.Prefilled())
	}
	fmt.Printf("hit rate %.3f\n", cache.Stats().HitRate())
	// Output:
	// 1030 tokens: 0 reused, 1030 prefilled
	// 1050 tokens: 992 reused, 58 prefilled
	// hit rate 0.477
}

// How large must the cache be? One pass answers for every capacity.
func ExampleLRUCurve() {
	ids, err := prefixcache.NewBlockIDs(16)
	if err != nil {
		log.Fatal(err)
	}
	var requests []prefixcache.Request
	for i := range 30 { // three documents in turn
		prompt := tokens(1000*(i%3), 320)
		requests = append(requests, prefixcache.Request{Tokens: prompt, Blocks: ids.Of("", prompt)})
	}
	curve, err := prefixcache.LRUCurve(requests, 16, 0)
	if err != nil {
		log.Fatal(err)
	}
	for _, capacity := range []int{20, 45, 60, prefixcache.Unlimited} {
		fmt.Println(curve.At(capacity).HitRate)
	}
	fmt.Printf("%d blocks are enough\n", curve.Largest())
	// Output:
	// 0
	// 0.225
	// 0.9
	// 0.9
	// 60 blocks are enough
}

// Why was nothing reused?
func ExampleExplainer() {
	cache, err := prefixcache.NewBlockHash(100, 784)
	if err != nil {
		log.Fatal(err)
	}
	explainer, err := prefixcache.NewExplainer(cache, 784)
	if err != nil {
		log.Fatal(err)
	}
	for _, question := range []int{10000, 20000} {
		prompt := slices.Concat(tokens(0, 240), tokens(question, 800))
		_, why, err := explainer.Serve(prefixcache.Request{Tokens: prompt})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(why)
	}
	// Output:
	// 0 of 1040 prompt tokens reused: no earlier prompt begins with the same token.
	// 0 of 1040 prompt tokens reused: the shared prefix of 240 tokens is shorter than one block of 784, and only full blocks are cached.
}
