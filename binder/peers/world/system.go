package main

import (
	"context"
	"fmt"

	"memlab/pkg/memory"
	"memlab/pkg/memory/fullcontext"
	"memlab/pkg/memory/mem0"
	"memlab/pkg/memory/memgpt"
	"memlab/pkg/memory/rag"
)

// systems are those of the lecture's main table.
var systems = []string{"full", "rag", "mem0", "mem0g", "mem0g+graph", "memgpt"}

// newSystem makes a fresh one, as experiments/world sets it up; but the window of full
// context is as long as the dialogue.
func (l *life) newSystem(name string, a *memory.Account) (memory.System, error) {
	switch name {
	case "full":
		o := fullcontext.Defaults()
		o.Window, o.Account = 1<<40, a
		return fullcontext.New(o)
	case "rag":
		o := rag.Defaults(l)
		o.Account = a
		return rag.New(o)
	case "mem0", "mem0g", "mem0g+graph":
		judge, err := mem0.Rule(mem0.DefaultRates(), l.Stream)
		if err != nil {
			return nil, err
		}
		o := mem0.Defaults()
		o.Embedder, o.Judge, o.Account = l, judge, a
		o.Graph, o.Hop = name != "mem0", name == "mem0g+graph"
		o.SummaryEvery = 20
		return mem0.New(o)
	case "memgpt":
		judge, err := memgpt.NewRuleJudge(memgpt.DefaultRates(), l.Stream)
		if err != nil {
			return nil, err
		}
		o := memgpt.Defaults(l, judge)
		o.Account = a
		return memgpt.New(o)
	}
	return nil, fmt.Errorf("system %q: want one of %q", name, systems)
}

// written is a system that was told the whole dialogue.
func (l *life) written(name string, a *memory.Account) (memory.System, error) {
	s, err := l.newSystem(name, a)
	if err != nil {
		return nil, err
	}
	return s, memory.Write(context.Background(), &l.dialogue, s)
}

// ask asks all questions and says how many answers were right.
func (l *life) ask(s memory.System) (int, error) {
	run, err := memory.Ask(context.Background(), &l.dialogue, s, memory.Strict{})
	return run.Score().Right, err
}
