package toy

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestImpossibleParametersAreNamed(t *testing.T) {
	for field, spoil := range map[string][]func(*Parameters){
		"scale":          {func(p *Parameters) { p.Scale = 0 }, func(p *Parameters) { p.Scale = -1 }, func(p *Parameters) { p.Scale = math.MaxInt }},
		"pairs":          {func(p *Parameters) { p.Pairs = 0 }, func(p *Parameters) { p.Pairs = 50 }},
		"session_pairs":  {func(p *Parameters) { p.SessionPairs = 0 }},
		"min_changes":    {func(p *Parameters) { p.MinChanges = -1 }},
		"max_changes":    {func(p *Parameters) { p.MaxChanges = 0 }, func(p *Parameters) { p.MaxChanges = 40 }},
		"min_replaced":   {func(p *Parameters) { p.MinReplaced = -1 }},
		"max_replaced":   {func(p *Parameters) { p.MinReplaced = 4 }, func(p *Parameters) { p.MaxReplaced = 30 }},
		"restated":       {func(p *Parameters) { p.Restated = -0.1 }, func(p *Parameters) { p.Restated = math.NaN() }},
		"p_topic":        {func(p *Parameters) { p.Topics = 1.2 }, func(p *Parameters) { p.Topics = -0.1 }, func(p *Parameters) { p.Topics = math.NaN() }},
		"tokens":         {func(p *Parameters) { p.Tokens = 0 }, func(p *Parameters) { p.Tokens = math.Inf(1) }},
		"spread":         {func(p *Parameters) { p.Spread = -1 }, func(p *Parameters) { p.Spread = math.NaN() }},
		"min_tokens":     {func(p *Parameters) { p.MinTokens = 0 }},
		"message_noise":  {func(p *Parameters) { p.MessageNoise = -1 }},
		"chunk_noise":    {func(p *Parameters) { p.ChunkNoise = math.NaN() }},
		"memory_noise":   {func(p *Parameters) { p.MemoryNoise = math.Inf(1) }},
		"query_noise":    {func(p *Parameters) { p.QueryNoise = -1 }},
		"type_weight":    {func(p *Parameters) { p.TypeWeight = -1 }},
		"name_weight":    {func(p *Parameters) { p.NameWeight = math.NaN() }},
		"near_weight":    {func(p *Parameters) { p.NearWeight = -0.5 }},
		"never":          {func(p *Parameters) { p.Never = 17 }, func(p *Parameters) { p.Never = -1 }},
		"16 with max_ch": {func(p *Parameters) { p.Scale = 16 }},
	} {
		for i, f := range spoil {
			p := DefaultParameters()
			f(&p)
			for _, language := range Languages() {
				w, err := New(p, 1, 0, language)
				if !errors.Is(err, ErrParameter) || !strings.Contains(err.Error(), field) || !strings.Contains(err.Error(), "want") || w != nil {
					t.Errorf("%s, case %d: %v", field, i, err)
				}
			}
		}
	}
}

func TestUnknownLanguagesAndNumbersAreRefused(t *testing.T) {
	for _, language := range []string{"", "de", "EN", "zh-CN"} {
		if _, err := New(DefaultParameters(), 1, 0, language); !errors.Is(err, ErrParameter) || !strings.Contains(err.Error(), "language") {
			t.Errorf("%q: %v", language, err)
		}
	}
	if _, err := New(DefaultParameters(), 1, -1, "en"); !errors.Is(err, ErrParameter) || !strings.Contains(err.Error(), "number -1") {
		t.Error(err)
	}
}

// Whatever the vocabulary says it serves, it serves: no draw runs out of words.
func TestTheLargestServedConversationsCanBeDrawn(t *testing.T) {
	for name, set := range map[string]func(p *Parameters, n int){
		"longer":       func(p *Parameters, n int) { p.Scale, p.MinReplaced = n, p.MaxReplaced },
		"more changes": func(p *Parameters, n int) { p.Scale, p.MaxChanges, p.MaxReplaced = 2, n, 0 },
		"more persons": func(p *Parameters, n int) { p.MaxReplaced, p.MinReplaced = n, n },
	} {
		for _, language := range Languages() {
			served := 0
			for n := 1; n < 100; n++ {
				p := DefaultParameters()
				p.Restated = 0
				set(&p, n)
				p.MinChanges = p.MaxChanges
				if _, err := New(p, 1, 0, language); err == nil {
					served = n
				}
			}
			if served < 8 || served > 40 {
				t.Errorf("%s, %s: served up to %d", name, language, served)
			}
		}
	}
}

func TestZerosThatMeanNoneAreAllowed(t *testing.T) {
	p := DefaultParameters()
	p.MinChanges, p.MaxChanges, p.MaxReplaced, p.Restated, p.Topics, p.Never = 0, 0, 0, 0, 0, 0
	p.Spread, p.MessageNoise, p.ChunkNoise, p.MemoryNoise, p.QueryNoise = 0, 0, 0, 0, 0
	w := world(t, p, 1, 0, "en")
	if err := w.Dialogue.Check(); err != nil {
		t.Error(err)
	}
	statements := 0
	for i := range w.Dialogue.Messages {
		statements += len(w.Dialogue.Messages[i].Facts)
		if w.Dialogue.Messages[i].Tokens != 43 {
			t.Fatalf("%d tokens without any spread: want 43", w.Dialogue.Messages[i].Tokens)
		}
	}
	if statements != 16+4+8 || len(w.Dialogue.Questions) != 28 {
		t.Errorf("%d statements, %d questions: want 28 of each", statements, len(w.Dialogue.Questions))
	}
}
