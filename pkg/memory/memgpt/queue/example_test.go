package queue_test

import (
	"fmt"
	"log"

	"memlab/pkg/memory/memgpt/queue"
	"memlab/pkg/serving"
)

// A window of 1,000 tokens fills up, the model is warned and writes down a fact,
// and half the window leaves.
func Example() {
	m, err := queue.New(queue.Config{
		Window: 1000,
		System: []serving.Item{{Kind: "system", Tokens: 200}},
		Cap:    100, Summary: 50,
		Warn: 0.7, Flush: 1, Evict: queue.Share(0.5), Layout: queue.Front,
	})
	if err != nil {
		log.Fatal(err)
	}
	for turn := range 10 {
		name := fmt.Sprint(turn)
		if err := m.Append(queue.Message{Turn: turn, Items: []serving.Item{{Kind: "user", Name: name, Tokens: 100}}}); err != nil {
			log.Fatal(err)
		}
		_, evicted, err := m.Ready()
		if err != nil {
			log.Fatal(err)
		}
		s := m.State()
		fmt.Printf("turn %d: %4d of %d tokens", turn, s.Prompt, s.Window)
		if n := len(evicted.Messages); n > 0 {
			fmt.Printf(", %d messages went to recall storage", n)
		}
		if m.Pressure() {
			fmt.Print(", memory pressure")
			if err := m.Warn(queue.Message{Turn: turn, Items: []serving.Item{{Kind: "warning", Name: name, Tokens: 20}}}); err != nil {
				log.Fatal(err)
			}
			if err := m.Insert(serving.Item{Kind: "fact", Name: "lives in Ohio", Tokens: 30}); err != nil {
				log.Fatal(err)
			}
		}
		fmt.Println()
	}
	// Output:
	// turn 0:  300 of 1000 tokens
	// turn 1:  400 of 1000 tokens
	// turn 2:  500 of 1000 tokens
	// turn 3:  600 of 1000 tokens
	// turn 4:  700 of 1000 tokens
	// turn 5:  800 of 1000 tokens, memory pressure
	// turn 6:  950 of 1000 tokens
	// turn 7:  600 of 1000 tokens, 5 messages went to recall storage
	// turn 8:  700 of 1000 tokens
	// turn 9:  800 of 1000 tokens, memory pressure
}
