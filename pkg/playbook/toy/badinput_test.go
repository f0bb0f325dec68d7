package toy_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"memlab/pkg/playbook"
	"memlab/pkg/playbook/toy"
)

func TestImpossibleInputToTheToyIsAnError(t *testing.T) {
	w, err := toy.NewWorld(toy.DefaultParameters(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := toy.NewAgent(toy.Agent{World: w, Feedback: toy.Feedback{Signal: toy.Labels}, Reflector: true, Rounds: math.MaxInt}); !errors.Is(err, toy.ErrParameter) {
		t.Error(err)
	}
	if tasks := w.Tasks("a", -1); len(tasks) != 0 {
		t.Error(tasks)
	}
	a, err := toy.NewAgent(toy.Agent{World: w, Feedback: toy.Feedback{Signal: toy.Execution}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, odd := context.Background(), playbook.Trajectory{Task: w.Tasks("a", 1)[0], Answer: "sing"}
	_, reflected := a.Reflect(ctx, odd, playbook.Feedback{Correct: true})
	_, rewritten := a.Rewrite(ctx, nil, odd, playbook.Feedback{Correct: true})
	for _, err := range []error{reflected, rewritten} {
		if err == nil || !strings.Contains(err.Error(), `answer "sing" is none of the 8 actions`) {
			t.Error(err)
		}
	}
}
