package main

import (
	"testing"

	"memlab/pkg/memory"
)

// A life is a dialogue as any other: the whole of it answers all questions but those about
// what was never said in it, and what a system keeps of it grows.
func TestALifeIsADialogue(t *testing.T) {
	one, err := newLife(1)
	if err != nil {
		t.Fatal(err)
	}
	l, err := newLife(3)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.dialogue.Check(); err != nil {
		t.Fatal(err)
	}
	if got, want := len(l.dialogue.Messages), 3*len(one.dialogue.Messages); got != want {
		t.Errorf("%d messages, want %d", got, want)
	}
	for _, name := range systems {
		s, err := l.written(name, &memory.Account{})
		if err != nil {
			t.Fatal(err)
		}
		right, err := l.ask(s)
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		for _, q := range l.dialogue.Questions {
			if len(q.Needs) > 0 {
				asked++
			}
		}
		if right == 0 || name == "full" && right != asked {
			t.Errorf("%s: %d of %d right", name, right, asked)
		}
	}
}
