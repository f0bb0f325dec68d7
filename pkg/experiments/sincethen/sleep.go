package sincethen

import (
	"fmt"

	"memlab/pkg/costmodel"
)

// Sleep is a context that a model thinks about before anybody asks (sleep-time
// compute, arXiv 2504.13171). All lengths are tokens.
type Sleep struct {
	Context  int `json:"context_tokens"`  // already cached when a question comes
	Question int `json:"question_tokens"` // of each question
	Answer   int `json:"answer_tokens"`
	Thinking int `json:"thinking_tokens"` // generated before each answer
	// Less is how many times less is thought per question afterwards.
	Less float64 `json:"times_less"`
	// Night is generated in the idle hours, once; Notes of it stay beside the
	// context and are read with each question.
	Night int `json:"night_tokens"`
	Notes int `json:"notes_tokens"`
	// Price is that of an idle GPU second over a busy one.
	Price float64 `json:"night_price"`
}

// DefaultSleep is an example: the sizes are assumptions, the price is that of the
// lecture's exercise 4, and how much less is thought is what the paper reports.
func DefaultSleep() Sleep {
	return Sleep{Context: 8_000, Question: 50, Answer: 200, Thinking: 4_000, Less: timesLessThinking, Night: 20_000, Notes: 2_000, Price: 1. / 3}
}

func (s Sleep) check() error {
	const count = "a number of tokens, 0 to 1e9"
	return checkFields(
		field{"context_tokens", float64(s.Context), 1, maxTokens, "a number of tokens, 1 to 1e9"},
		field{"question_tokens", float64(s.Question), 0, maxTokens, count},
		field{"answer_tokens", float64(s.Answer), 1, maxTokens, "a number of tokens, 1 to 1e9"},
		field{"thinking_tokens", float64(s.Thinking), 0, maxTokens, count},
		field{"times_less", s.Less, 1, maxTokens, "1 or more: how many times less is thought"},
		field{"night_tokens", float64(s.Night), 1, maxTokens, "a number of tokens, 1 to 1e9"},
		field{"notes_tokens", float64(s.Notes), 0, float64(s.Night), "0 to night_tokens, for notes are written at night"},
		field{"night_price", s.Price, 0, 1e6, "a ratio of prices, 0 or more"},
	)
}

// SleepBill is what a context costs with sleep and without, in GPU seconds at the
// price of the day.
type SleepBill struct {
	Spec  Sleep   `json:"spec"`
	Night float64 `json:"night"` // once
	Awake float64 `json:"awake"` // per question, without sleep
	After float64 `json:"after"` // per question, after it
	// What one who asks alone waits for, from question to end of answer.
	WaitAwake costmodel.Seconds `json:"wait_awake_seconds"`
	WaitAfter costmodel.Seconds `json:"wait_after_seconds"`
	// Pays says whether sleep ever pays back, after Questions questions.
	Pays      bool    `json:"pays"`
	Questions float64 `json:"questions,omitempty"`
}

// Bill prices a sleep: per question at full load, (prefill of the question + output x
// step) / batch with everything before the question cached; the night is one prefill
// of the context and Night steps behind it, at full load too, x Price. Questions =
// night / (awake - after). It leaves out the prefill of the notes when they are
// first read, keeping caches between night and question, and the quality of answers.
func (s Sleep) Bill(e *costmodel.Engine) (SleepBill, error) {
	b := SleepBill{Spec: s}
	if err := checkEngine(e); err != nil {
		return b, err
	}
	if err := s.check(); err != nil {
		return b, err
	}
	awake := costmodel.Load{Context: s.Context, Question: s.Question, Output: s.Thinking + s.Answer}
	after := costmodel.Load{Context: s.Context + s.Notes, Question: s.Question, Output: int(float64(s.Thinking)/s.Less+0.5) + s.Answer}
	var err error
	if b.Awake, err = each(e, awake, true); err != nil {
		return b, err
	}
	if b.After, err = each(e, after, true); err != nil {
		return b, err
	}
	if b.Night, err = each(e, costmodel.Load{Context: s.Context, Output: s.Night}, false); err != nil {
		return b, err
	}
	b.Night *= s.Price
	for _, w := range []struct {
		load costmodel.Load
		to   *costmodel.Seconds
	}{{awake, &b.WaitAwake}, {after, &b.WaitAfter}} {
		a, err := e.Answer(w.load, true)
		if err != nil {
			return b, fmt.Errorf("sincethen: %w", err)
		}
		*w.to = a.Time
	}
	if saved := b.Awake - b.After; saved > 0 {
		b.Pays, b.Questions = true, b.Night/saved
	}
	return b, nil
}

// Average is the cost per question, the night shared by so many.
func (b SleepBill) Average(questions float64) float64 { return b.Night/questions + b.After }

// Saving is how many times less a question costs with sleep, the night included.
func (b SleepBill) Saving(questions float64) float64 { return b.Awake / b.Average(questions) }

// each is the GPU seconds that fall to one request at full load.
func each(e *costmodel.Engine, l costmodel.Load, cached bool) (float64, error) {
	t, err := e.Throughput(l, cached)
	if err != nil {
		return 0, fmt.Errorf("sincethen: %w", err)
	}
	if t.Fit.Batch == 0 {
		return 0, bad("not one request of %d tokens fits beside %s: want a shorter context, a larger GPU or more of them", l.Context+l.Question+l.Output, e.Model().Name)
	}
	return t.GPUSecondsPerRequest, nil
}
