package toy_test

import (
	"fmt"
	"log"

	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/toy"
)

// What does a user say about the gym in the course of a conversation, and what is
// asked about it at the end?
func Example() {
	for _, language := range toy.Languages() {
		w, err := toy.New(toy.DefaultParameters(), 1, 0, language)
		if err != nil {
			log.Fatal(err)
		}
		gym := map[string]string{"en": "gym", "zh": "健身房"}[language]
		for _, m := range w.Dialogue.Messages {
			for _, f := range m.Facts {
				if f.Relation == gym {
					fmt.Printf("%s, session %d: %s\n", m.ID, m.Session, m.Text)
				}
			}
		}
		for _, q := range w.Dialogue.Questions {
			if q.Path[0] == gym && (q.Kind == dialogue.Current || q.Kind == dialogue.Previous) {
				fmt.Println(q.Text, q.Answer)
			}
		}
	}
	// Output:
	// m0099, session 3: I left my towel at the gym, at Copper Barbell, of course.
	// m0363, session 10: At Second Wind Gym, where I work out, they play awful music.
	// m0513, session 13: My gym is Second Wind Gym; the showers are cold and the people warm.
	// Which gym do I go to? Second Wind Gym
	// Which gym did I go to before? Copper Barbell
	// m0099, session 3: 毛巾落在健身房了，对，就是惯性训练馆。
	// m0363, session 10: 我锻炼的地方叫铁砧俱乐部，放的音乐真难听。
	// m0513, session 13: 我去的健身房是铁砧俱乐部，水是凉的，人是热情的。
	// 我去哪家健身房？ 铁砧俱乐部
	// 我之前去哪家健身房？ 惯性训练馆
}
