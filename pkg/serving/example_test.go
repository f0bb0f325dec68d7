package serving_test

import (
	"fmt"
	"log"

	"memlab/pkg/serving"
)

// What does an assistant pay that keeps its notes in front of the conversation,
// and writes a new note every third turn? And with the notes behind it?
func Example() {
	play := func(notesFirst bool) serving.Replay {
		system := serving.Segment{Name: "system", Items: []serving.Item{{Kind: "system", Tokens: 500}}}
		notes := serving.Segment{Name: "notes"}
		talk := serving.Segment{Name: "talk", Kind: serving.Queue}
		var ledger serving.Ledger
		for turn := range 30 {
			name := fmt.Sprint(turn)
			talk.Items = append(talk.Items, serving.Item{Kind: "user", Name: name, Tokens: 50})
			prompt := serving.Prompt{system, talk, notes}
			if notesFirst {
				prompt = serving.Prompt{system, notes, talk}
			}
			reply := serving.Item{Kind: "reply", Name: name, Tokens: 60}
			err := ledger.Add(serving.Call{Phase: serving.Read, Purpose: "answer", Turn: turn, Prompt: prompt, Output: []serving.Item{reply}})
			if err != nil {
				log.Fatal(err)
			}
			talk.Items = append(talk.Items, reply)
			if turn%3 == 2 {
				notes.Items = append(notes.Items, serving.Item{Kind: "note", Name: name, Tokens: 20})
			}
		}
		r, err := ledger.Replay(serving.Options{})
		if err != nil {
			log.Fatal(err)
		}
		return r
	}
	first, last := play(true), play(false)
	fmt.Printf("notes first: %.0f%% saved, %d tokens prefilled\n", 100*first.Totals.Saved(), first.Totals.Prefilled)
	for _, l := range first.Causes {
		fmt.Printf("  %5d %v\n", l.Tokens, l.Cause)
	}
	d, err := serving.Compare(first, last, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("notes last: %+d tokens, of which edits of notes %+d\n", d.Prefilled, d.Causes[1].Tokens)
	fmt.Printf("largest saving: turn %d, %+d tokens\n", d.Calls[0].A.Turn, d.Calls[0].Tokens)
	// Output:
	// notes first: 73% saved, 18410 tokens prefilled
	//    3498 new content
	//   14362 edit of notes
	//     550 first visit
	// notes last: -11776 tokens, of which edits of notes -14362
	// largest saving: turn 27, -2752 tokens
}
