package mem0

import (
	"context"
	"errors"
	"unicode/utf8"
)

// LLMJudge asks a language model. It writes prompts in the language of the dialogue
// and reads the JSON in the replies, whatever stands around it.
type LLMJudge struct {
	// Complete returns the model's reply to a prompt.
	Complete func(ctx context.Context, prompt string) (string, error)
}

var errNoModel = errors.New("mem0: LLM judge without Complete: want a function that asks a model")

func (j LLMJudge) ask(ctx context.Context, prompt string) (string, error) {
	if j.Complete == nil {
		return "", errNoModel
	}
	return j.Complete(ctx, prompt)
}

// Extract implements Judge.
func (j LLMJudge) Extract(ctx context.Context, e Extraction) ([]Candidate, error) {
	reply, err := j.ask(ctx, ExtractPrompt(e))
	if err != nil {
		return nil, err
	}
	return parseFacts(reply, e.Pair)
}

// Update implements Judge.
func (j LLMJudge) Update(ctx context.Context, u Update) ([]Operation, error) {
	reply, err := j.ask(ctx, UpdatePrompt(u))
	if err != nil {
		return nil, err
	}
	return parseOperations(reply)
}

// Summarize implements Judge. The length is an estimate: a token for four bytes of
// text, or for each character of three bytes or more, as Chinese has.
func (j LLMJudge) Summarize(ctx context.Context, d Digest) (string, int, error) {
	text, err := j.ask(ctx, SummaryPrompt(d))
	if err != nil {
		return "", 0, err
	}
	wide, narrow := 0, 0
	for _, r := range text {
		if n := utf8.RuneLen(r); n >= 3 {
			wide++
		} else {
			narrow += n
		}
	}
	return text, wide + (narrow+3)/4, nil
}
