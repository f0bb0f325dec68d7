package exercise

import (
	"slices"
	"testing"

	"memlab/pkg/dialogue/toy"
	"memlab/pkg/experiments/world"
	"memlab/pkg/random"
)

// In every conversation that 10.8 draws, counting the rows of the story and the
// different values in them gives the answer, in either language.
func TestTheStoryTellsWhatToErase(t *testing.T) {
	p := world.DefaultParameters()
	for talk := range talks {
		found, err := copiesIn(talk)
		if err != nil {
			t.Fatal(err)
		}
		for _, lang := range []string{"en", "zh"} {
			w, err := toy.New(p.World, random.Seed(talk), 0, lang)
			if err != nil {
				t.Fatal(err)
			}
			about := world.About(world.MostSaid(w))
			rows, changes, last := 0, 0, ""
			for _, m := range w.Dialogue.Messages {
				for _, f := range m.Facts {
					if about(f) {
						rows++
						if f.Object != last {
							changes, last = changes+1, f.Object
						}
					}
				}
			}
			m, err := world.Remembered(p, w, true)
			if err != nil {
				t.Fatal(err)
			}
			if c := world.Count(w, m, world.MostSaid(w)); c != found {
				t.Errorf("conversation %d: %+v in %s, %+v in English", talk, c, lang, found)
			}
			if told := rows+changes == found.Messages+found.Memories; told == slices.Contains(untold, talk) {
				t.Errorf("conversation %d in %s: %d rows and %d values, %+v", talk, lang, rows, changes, found)
			}
		}
	}
}
