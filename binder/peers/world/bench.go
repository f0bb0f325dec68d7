package main

import (
	"fmt"

	"memlab/binder/peers/runner"
	"memlab/pkg/memory"
)

// benches are the work of a dialogue that many times as long as the lecture's: making it,
// and per system telling it and asking about it. There is nothing to compare but costs, so
// no bench has a check.
func benches(times int) []runner.Bench {
	list := []runner.Bench{{Name: "world/generate", New: func() (runner.Work, error) {
		return func() (int, any, error) {
			l, err := newLife(times)
			if err != nil {
				return 0, nil, err
			}
			return len(l.dialogue.Messages), nil, nil
		}, nil
	}}}
	for _, name := range systems {
		list = append(list,
			runner.Bench{Name: "world/write/" + name, New: func() (runner.Work, error) { return writing(times, name) }},
			runner.Bench{Name: "world/read/" + name, New: func() (runner.Work, error) { return reading(times, name) }})
	}
	return append(list, runner.Bench{Name: "world/bare-scan", New: func() (runner.Work, error) { return scanning(times) }})
}

// writing counts messages.
func writing(times int, name string) (runner.Work, error) {
	l, err := newLife(times)
	return func() (int, any, error) {
		_, err := l.written(name, &memory.Account{})
		return len(l.dialogue.Messages), nil, err
	}, err
}

// reading counts questions.
func reading(times int, name string) (runner.Work, error) {
	l, err := newLife(times)
	if err != nil {
		return nil, err
	}
	s, err := l.written(name, &memory.Account{})
	return func() (int, any, error) {
		right, err := l.ask(s)
		if err == nil && right == 0 {
			err = fmt.Errorf("%s: no answer is right", name)
		}
		return len(l.dialogue.Questions), nil, err
	}, err
}
