package evidence_test

import (
	"bytes"
	"context"
	"fmt"

	"memlab/datasets"
	"memlab/pkg/dialogue/jsonl"
	"memlab/pkg/evidence"
)

func ExampleEvaluate() {
	dialogues, _, err := jsonl.Read(bytes.NewReader(datasets.SampleDialogue))
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := evidence.Evaluate(context.Background(), dialogues, evidence.Options{
		Methods: []evidence.Method{evidence.BM25},
		Chunks:  []int{evidence.Turn},
		Budgets: []int{50, 100},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Total.Questions, "questions,", r.Total.WithoutEvidence, "of them without evidence")
	for _, c := range r.Cells {
		if c.Kind == "" {
			fmt.Printf("%s finds %.0f%% of the evidence in %d tokens\n", c.Method, 100*c.Recall.Mean, c.Budget)
		}
	}
	// Output:
	// 12 questions, 2 of them without evidence
	// bm25 finds 65% of the evidence in 50 tokens
	// bm25 finds 85% of the evidence in 100 tokens
}
