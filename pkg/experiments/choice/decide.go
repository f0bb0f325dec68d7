package choice

import (
	"context"
	"fmt"
	"math"

	"memlab/pkg/costmodel"
	"memlab/pkg/experiments/playbook"
	"memlab/pkg/experiments/world"
)

// Decision is one line of the list: a situation, the number that decides, and what
// it says.
type Decision struct {
	Situation string `json:"situation"`
	Choice    string `json:"choice"`
	Number    string `json:"number"`    // computed, with its unit
	Criterion string `json:"criterion"` // what the number means
}

// Sizes are the sizes of the situations.
type Sizes struct {
	Document  int `json:"document_tokens"` // of the manual and of the private document
	Question  int `json:"question_tokens"`
	Output    int `json:"output_tokens"`
	Queries   int `json:"queries"`   // about the private document
	Questions int `json:"questions"` // about one conversation of the lecture's length; longer ones get more
	Seeds     int `json:"seeds"`
	// Least is the accuracy that a long conversation asks for.
	Least float64 `json:"least_accuracy"`
	// Long is how many times as long as the lecture's a conversation is that
	// exceeds the window.
	Long int `json:"long"`
}

// DefaultSizes are the lecture's documents and LOCOMO's 200 questions.
func DefaultSizes() Sizes {
	return Sizes{Document: 128_000, Question: 50, Output: 200, Queries: 20_000, Questions: 200, Seeds: 3, Least: 0.6, Long: 8}
}

func (s Sizes) check() error {
	for _, n := range []struct {
		name string
		got  int
	}{{"queries", s.Queries}, {"questions", s.Questions}, {"seeds", s.Seeds}, {"long", s.Long}} {
		if n.got < 1 {
			return bad("%s %d: want 1 or more", n.name, n.got)
		}
	}
	if !(s.Least >= 0 && s.Least <= 1) {
		return bad("least_accuracy %g: want 0 to 1", s.Least)
	}
	return nil
}

// Decide goes through the lecture's situations (§6.4) and takes for each what the
// numbers say.
func Decide(ctx context.Context, p world.Parameters, e *costmodel.Engine, s Sizes) ([]Decision, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	private, shared, err := Documents(e, s.Document, s.Question, s.Output)
	if err != nil {
		return nil, err
	}
	manual, err := Cheapest(shared, float64(s.Queries), 0)
	if err != nil {
		return nil, fmt.Errorf("a document of %d tokens: %w", s.Document, err)
	}
	own, err := Cheapest(private, float64(s.Queries), 0)
	if err != nil {
		return nil, fmt.Errorf("a document of %d tokens: %w", s.Document, err)
	}
	cached, err := Named(private, Cached)
	if err != nil {
		return nil, err
	}
	trained, err := Named(private, Trained)
	if err != nil {
		return nil, err
	}
	out := []Decision{
		{
			"one manual for everybody", manual.Name, times(cached.Each / shared[0].Each),
			"cheaper per question than a private copy for each",
		},
		{
			"a private document, asked often, hardly changed", own.Name, count(From(cached, trained)),
			"questions until training has paid back",
		},
	}
	talk, err := Conversations(ctx, p, e, true, s.Seeds)
	if err != nil {
		return nil, err
	}
	short, err := Cheapest(talk, 1, 1)
	if err != nil {
		return nil, err
	}
	long, err := longest(ctx, p, e, s)
	if err != nil {
		return nil, err
	}
	learned, ratio, err := experience(e)
	if err != nil {
		return nil, err
	}
	return append(out,
		Decision{"a short conversation, and the money is there", short.Name, share(short.Accuracy), "right, the best there is"},
		Decision{"a conversation beyond the window, facts that change", long.Name, share(long.Accuracy), "right: the cheapest that reaches the accuracy asked for"},
		Decision{"an agent that gathers experience", learned, times(ratio), "more GPU time if it is rewritten whole"},
	), nil
}

// longest is the cheapest way that answers well enough where the dialogue no
// longer fits.
func longest(ctx context.Context, p world.Parameters, e *costmodel.Engine, s Sizes) (Way, error) {
	ways, err := Conversations(ctx, p.Scaled(s.Long), e, true, s.Seeds)
	if err != nil {
		return Way{}, err
	}
	return Cheapest(ways, float64(s.Questions*s.Long), s.Least)
}

func experience(e *costmodel.Engine) (string, float64, error) {
	p := playbook.DefaultParameters()
	seconds := map[playbook.Variant]float64{}
	for _, v := range []playbook.Variant{playbook.Append, playbook.Rewrite} {
		s, err := playbook.Serve(p, 0, v)
		if err != nil {
			return "", 0, fmt.Errorf("choice: %w", err)
		}
		f, err := s.Figures(p.Block, e)
		if err != nil {
			return "", 0, fmt.Errorf("choice: %w", err)
		}
		seconds[v] = f.Bill.GPUSeconds
	}
	best := playbook.Append
	if seconds[playbook.Rewrite] < seconds[playbook.Append] {
		best = playbook.Rewrite
	}
	other := map[playbook.Variant]playbook.Variant{playbook.Append: playbook.Rewrite, playbook.Rewrite: playbook.Append}[best]
	return map[playbook.Variant]string{playbook.Append: "playbook, append-only", playbook.Rewrite: "playbook, rewritten"}[best], seconds[other] / seconds[best], nil
}

func times(x float64) string { return fmt.Sprintf("%.1f×", x) }
func share(x float64) string { return fmt.Sprintf("%.0f%%", 100*x) }

func count(x float64) string {
	if math.IsInf(x, 1) {
		return "never"
	}
	return fmt.Sprintf("%.0f", math.Ceil(x))
}
