package toy_test

import (
	"context"
	"fmt"
	"log"

	"memlab/pkg/playbook"
	"memlab/pkg/playbook/toy"
)

// An agent learns 100 tasks online.
func Example() {
	world, err := toy.NewWorld(toy.DefaultParameters(), 1)
	if err != nil {
		log.Fatal(err)
	}
	agent, err := toy.NewAgent(toy.Agent{World: world, Feedback: toy.Feedback{Signal: toy.Labels}, Reflector: true, Rounds: 1})
	if err != nil {
		log.Fatal(err)
	}
	loop := &playbook.Loop{
		Generator: agent, Judge: agent, Reflector: agent, Curator: agent,
		Playbook: playbook.New(nil), Calls: playbook.Calls{System: 500},
	}
	if _, err := loop.Online(context.Background(), world.Tasks("learn", 100)); err != nil {
		log.Fatal(err)
	}
	bullets := loop.Playbook.Bullets()
	fmt.Printf("%.2f before, %.2f after with %d bullets, the first of which is\n%s\n",
		world.Accuracy(nil), world.Accuracy(bullets), len(bullets), bullets[0].Text)
	// Output:
	// 0.50 before, 0.76 after with 69 bullets, the first of which is
	// In case learn-0 (to archive old mail) the thing to do was: look up the owner id.
}
