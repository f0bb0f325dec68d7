package retrieve_test

import (
	"context"
	"fmt"
	"log"

	"memlab/pkg/retrieve"
)

var memories = []retrieve.Passage{
	{ID: "m1", Role: retrieve.Memory, Text: "Alex drinks green tea every morning"},
	{ID: "m2", Role: retrieve.Memory, Text: "Alex's sister plays the violin"},
	{ID: "m3", Role: retrieve.Memory, Text: "小林周末去爬山"},
}

// Both indexes hold the same memories; reciprocal ranks join their lists. To BM25
// drink and drinks are two words, to Lexical they are spelled alike: m1 is second
// and first, 1/62 + 1/61.
func Example() {
	ctx := context.Background()
	embedder, err := retrieve.NewLexical(256)
	if err != nil {
		log.Fatal(err)
	}
	vectors, err := retrieve.NewVectors(embedder.Dim())
	if err != nil {
		log.Fatal(err)
	}
	words, err := retrieve.NewBM25()
	if err != nil {
		log.Fatal(err)
	}
	embedded, err := embedder.Embed(ctx, memories...)
	if err != nil {
		log.Fatal(err)
	}
	for i, m := range memories {
		if err := vectors.Add(m.ID, embedded[i]); err != nil {
			log.Fatal(err)
		}
		if err := words.Add(m.ID, m.Text); err != nil {
			log.Fatal(err)
		}
	}
	for _, question := range []string{"What does Alex drink?", "谁去爬山？"} {
		query, err := embedder.Embed(ctx, retrieve.Passage{Role: retrieve.Query, Text: question})
		if err != nil {
			log.Fatal(err)
		}
		near, err := vectors.Search(query[0], 2, nil)
		if err != nil {
			log.Fatal(err)
		}
		shared, err := words.Search(question, 2, nil)
		if err != nil {
			log.Fatal(err)
		}
		best := retrieve.Fuse(retrieve.RankConstant, 1, near, shared)[0]
		fmt.Printf("%s %s %.4f\n", question, best.ID, best.Score)
	}
	// Output:
	// What does Alex drink? m1 0.0325
	// 谁去爬山？ m3 0.0328
}

func ExampleTerms() {
	fmt.Printf("%q\n", retrieve.Terms("Alex's cat 喜欢喝牛奶, don't ask 1,000 times!"))
	// Output: ["alex" "cat" "喜欢" "欢喝" "喝牛" "牛奶" "dont" "ask" "1000" "times"]
}

func ExamplePage() {
	found := []string{"a", "b", "c", "d", "e"}
	last, err := retrieve.Page(found, 1, 3)
	fmt.Println(last.Items, last.More, err)
	_, err = retrieve.Page(found, 2, 3)
	fmt.Println(err)
	// Output:
	// [d e] false <nil>
	// retrieve: no such page: page 2: there are 2 pages, numbers 0 to 1
}

func ExampleVectors_Remove() {
	vectors, err := retrieve.NewVectors(2)
	if err != nil {
		log.Fatal(err)
	}
	for id, v := range map[string][]float32{"east": {1, 0}, "north-east": {1, 1}} {
		if err := vectors.Add(id, v); err != nil {
			log.Fatal(err)
		}
	}
	vectors.Remove("east")
	hits, err := vectors.Search([]float32{1, 0}, 5, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, h := range hits {
		fmt.Printf("%s %.3f\n", h.ID, h.Score)
	}
	// Output: north-east 0.707
}

func ExampleCheckDim() {
	embedder, err := retrieve.NewLexical(256)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(retrieve.CheckDim(embedder, 1536))
	// Output: retrieve: wrong dimension: the embedder makes vectors of 256 numbers, the store holds vectors of 1536: use one dimension for both
}
