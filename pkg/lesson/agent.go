package lesson

import (
	"context"
	"fmt"

	"memlab/pkg/chart"
	"memlab/pkg/dialogue"
	"memlab/pkg/dialogue/toy"
	"memlab/pkg/experiments/world"
	"memlab/pkg/memory"
	"memlab/pkg/memory/memgpt"
)

// QuestionTrace is what MemGPT does for a question of one kind about a
// conversation: the first one for which it searches its storage, or the first of
// all if it never does.
func QuestionTrace(p world.Parameters, w *toy.World, kind dialogue.Kind, lang chart.Lang) (string, error) {
	ctx := context.Background()
	s, err := world.ParseSetting("memgpt", p)
	if err != nil {
		return "", fmt.Errorf("lesson: %w", err)
	}
	system, err := s.System(w, &memory.Account{})
	if err != nil {
		return "", fmt.Errorf("lesson: %w", err)
	}
	if err := memory.Write(ctx, &w.Dialogue, system); err != nil {
		return "", fmt.Errorf("lesson: %w", err)
	}
	first := ""
	for i := range w.Dialogue.Questions {
		q := &w.Dialogue.Questions[i]
		if q.Kind != kind {
			continue
		}
		_, trace, err := system.(*memgpt.Memory).Ask(ctx, q.Query)
		if err != nil {
			return "", fmt.Errorf("lesson: %w", err)
		}
		if first == "" || len(trace.Steps) > 1 {
			first = trace.Render(string(lang))
		}
		if len(trace.Steps) > 1 {
			return first, nil
		}
	}
	if first == "" {
		return "", fmt.Errorf("lesson: no question of kind %q: want one of %q", kind, dialogue.Kinds())
	}
	return first, nil
}
