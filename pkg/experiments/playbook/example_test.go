package playbook_test

import (
	"fmt"
	"log"

	"memlab/pkg/experiments/playbook"
	"memlab/pkg/serving"
)

// What does a prefix cache reuse of a playbook that grows over 300 tasks, and what
// does it cost to write it anew instead?
func Example() {
	p := playbook.DefaultParameters()
	engine, err := p.Engine()
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range playbook.Variants() {
		s, err := playbook.Serve(p, 1, v)
		if err != nil {
			log.Fatal(err)
		}
		f, err := s.Figures(p.Block, engine)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-8s %4.1f%% reused, %7d tokens generated, %5.0f GPU seconds\n", v, 100*f.Reuse, f.Totals.Output, f.Bill.GPUSeconds)
	}
	// Output:
	// append   92.5% reused,   97040 tokens generated,   610 GPU seconds
	// counters 32.7% reused,   97040 tokens generated,   629 GPU seconds
	// dedup    90.1% reused,   97040 tokens generated,   607 GPU seconds
	// rewrite  11.5% reused, 1156040 tokens generated,  7453 GPU seconds
}

// An agent learns hidden rules, in a playbook and in a sheet that it rewrites.
func ExampleLearn() {
	l := playbook.DefaultLearner()
	for _, l.Memory = range []playbook.Memory{playbook.Nothing, playbook.Playbook, playbook.Cheatsheet} {
		c, err := playbook.Learn(l, 0)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-10s right in %.2f of new tasks, %4d tokens, %d collapses\n", l.Memory, c.End().Accuracy, c.End().Tokens, c.Collapses)
	}
	// Output:
	// nothing    right in 0.50 of new tasks,    0 tokens, 0 collapses
	// playbook   right in 0.89 of new tasks, 3563 tokens, 0 collapses
	// cheatsheet right in 0.42 of new tasks,  172 tokens, 4 collapses
}

// In which order should the parts of a prompt stand?
func ExampleChecklist() {
	parts := playbook.Checklist()
	before, err := serving.InOrder(parts)
	if err != nil {
		log.Fatal(err)
	}
	after, err := serving.Arrange(parts)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f tokens a call, then %.0f:\n", before.Prefill, after.Prefill)
	for _, part := range after.Parts {
		fmt.Printf("%-9s %5.1f prefilled\n", part.Segment, part.Prefill)
	}
	// Output:
	// 5060 tokens a call, then 507:
	// system      0.0 prefilled
	// knowledge   3.0 prefilled
	// history     4.0 prefilled
	// state     200.0 prefilled
	// task      300.0 prefilled
}
