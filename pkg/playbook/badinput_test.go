package playbook_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"memlab/pkg/playbook"
	"memlab/pkg/retrieve"
)

func TestJSONWithoutBulletsDoesNotEmptyAPlaybook(t *testing.T) {
	for _, text := range []string{"null", "{}", `{"bullets":null}`, `{"bulets":[]}`} {
		p := playbook.New(nil)
		p.Merge(playbook.Delta{Ops: []playbook.Op{{Kind: playbook.Add, Text: "Read the page."}}})
		if err := p.UnmarshalJSON([]byte(text)); !errors.Is(err, playbook.ErrOption) || p.Len() != 1 {
			t.Errorf("%s: %v, %d bullets are left", text, err, p.Len())
		}
	}
	var empty, back playbook.Playbook
	text, err := json.Marshal(&empty)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &back); err != nil {
		t.Errorf("%s: %v", text, err)
	}
}

func TestAScriptIsBounded(t *testing.T) {
	for _, s := range []playbook.Script{{Bullet: math.MaxInt}, {Bullet: 40, Marked: math.MaxInt}, {Bullet: 40, Output: math.MaxInt}} {
		if _, err := playbook.NewScripted(s, playbook.Layout{}, 1); !errors.Is(err, playbook.ErrOption) {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// alike embeds everything as the same vector.
type alike struct{}

func (alike) Dim() int { return 1 }

func (alike) Embed(_ context.Context, passages ...retrieve.Passage) ([][]float32, error) {
	out := make([][]float32, len(passages))
	for i := range out {
		out[i] = []float32{1}
	}
	return out, nil
}

// forgetful returns trajectories that do not say what task they are of.
type forgetful struct{ *playbook.Scripted }

func (f forgetful) Generate(ctx context.Context, t playbook.Task, b []playbook.Bullet) (playbook.Trajectory, error) {
	out, err := f.Scripted.Generate(ctx, t, b)
	out.Task = playbook.Task{}
	return out, err
}

func TestRefiningIsDueByTheLoopsOwnCount(t *testing.T) {
	s, err := playbook.NewScripted(playbook.Script{Add: 1, Bullet: 40}, playbook.Layout{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	d, err := playbook.NewDeduper(alike{}, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	l := playbook.Loop{
		Generator: forgetful{s}, Judge: s, Reflector: s, Curator: s, Playbook: playbook.New(nil),
		Calls: playbook.Calls{System: 1}, Refine: playbook.Refine{Deduper: d, Every: 2},
	}
	// The third task is not to be done; how many times the tasks are repeated
	// costs nothing.
	steps, err := l.Offline(context.Background(), []playbook.Task{{}, {}, {Tokens: -1}}, math.MaxInt)
	if !errors.Is(err, playbook.ErrOption) || len(steps) != 2 || len(steps[0].Joined) != 0 || len(steps[1].Joined) != 1 {
		t.Errorf("%+v, %v", steps, err)
	}
}
