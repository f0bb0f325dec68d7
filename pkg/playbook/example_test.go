package playbook_test

import (
	"context"
	"fmt"
	"log"

	"memlab/pkg/playbook"
	"memlab/pkg/retrieve"
)

// Two deltas that were made in parallel, a near duplicate, a budget.
func Example() {
	p := playbook.New(nil)
	p.Merge(
		playbook.Delta{Task: 1, Ops: []playbook.Op{{Kind: playbook.Add, Section: "HARD RULES", Text: "Read the page count before the pages."}}},
		playbook.Delta{Task: 2, Ops: []playbook.Op{{Kind: playbook.Add, Section: "HARD RULES", Text: "Before the pages, read the page count!", Helpful: 1}}},
	)
	report := p.Merge(playbook.Delta{Task: 3, Ops: []playbook.Op{
		{Kind: playbook.Count, ID: "hr-00002", Harmful: 1},
		{Kind: playbook.Add, Section: "COMMON MISTAKES", Text: "Ids are not places in a list."},
		{Kind: playbook.Remove, ID: "hr-00009"},
	}})
	for _, problem := range report.Problems {
		fmt.Println(problem)
	}

	embedder, err := retrieve.NewLexical(1024)
	if err != nil {
		log.Fatal(err)
	}
	deduper, err := playbook.NewDeduper(embedder, 0.9)
	if err != nil {
		log.Fatal(err)
	}
	joined, _, err := p.Dedup(context.Background(), deduper)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("joined:", joined[0].Gone.ID, "with", joined[0].Kept)
	fmt.Print(p.Text())

	cut, err := p.Fit(playbook.Budget{Tokens: 1000, Fixed: 980}, playbook.Layout{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d of %d tokens left, dropped: %s\n", cut.After, cut.Before, cut.Dropped[0].Text)
	// Output:
	// playbook: no such bullet: "hr-00009" (task 3, remove)
	// joined: hr-00002 with hr-00001
	// ## HARD RULES
	// [hr-00001] helpful=1 harmful=1 :: Read the page count before the pages.
	//
	// ## COMMON MISTAKES
	// [cm-00003] helpful=0 harmful=0 :: Ids are not places in a list.
	// 17 of 32 tokens left, dropped: Ids are not places in a list.
}

// A cheatsheet without its end is not accepted.
func ExampleReadSheet() {
	_, err := playbook.ReadSheet("<cheatsheet>\nRead the page count before the pages.\nSort by d")
	fmt.Println(err)
	// Output:
	// playbook: truncated cheatsheet: no </cheatsheet> after 48 bytes of the sheet: want the whole sheet, or a higher limit of the output
}
