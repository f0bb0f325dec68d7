package costmodel

// Load is what each of many equal requests brings along.
type Load struct {
	Shared   int `json:"shared_tokens,omitempty"` // context that all requests have in common, stored once
	Context  int `json:"context_tokens"`          // private context of each request
	Question int `json:"question_tokens"`         // new in each request, never cached
	Output   int `json:"output_tokens"`

	// SharedPerRequest: without cascade attention every request reads the
	// shared context again in each step.
	SharedPerRequest bool `json:"shared_per_request,omitempty"`
}

func (l Load) check() error {
	if err := firstError(
		tokensOK("load", "shared_tokens", l.Shared, 0), tokensOK("load", "context_tokens", l.Context, 0),
		tokensOK("load", "question_tokens", l.Question, 0), tokensOK("load", "output_tokens", l.Output, 1),
	); err != nil {
		return err
	}
	if l.Shared+l.Context+l.Question == 0 {
		return badArgument("load", "context_tokens", 0, "at least one token of context or question")
	}
	return nil
}

// prompt is how many tokens a request has before its output.
func (l Load) prompt() int { return l.Shared + l.Context + l.Question }

// fresh is how many tokens must be prefilled when everything but the question
// is cached. Without a question the last token is computed again, as vLLM and
// SGLang do, because the first output needs its logits.
func (l Load) fresh() int { return max(l.Question, 1) }

// Answer is the time of one request alone on the engine.
type Answer struct {
	Load       Load    `json:"load"`
	Prefill    Prefill `json:"prefill"`
	Step       Step    `json:"step"` // at the mean length
	TTFT       Seconds `json:"ttft_seconds"`
	Decode     Seconds `json:"decode_seconds"`
	Time       Seconds `json:"seconds"`
	GPUSeconds float64 `json:"gpu_seconds"`
	Money      float64 `json:"money,omitempty"`
	Bound      Bound   `json:"bound"` // of the longer part

	Warnings []Warning `json:"warnings,omitempty"`
	LeftOut  []string  `json:"left_out,omitempty"`
}

// Answer is the time of one request alone: time to first token, of the whole
// prompt or (cached) of the question behind a cached context, and Output steps
// at the mean length, prompt + output/2. GPU seconds = seconds x GPUs.
// Source: the lecture's section 1.2. It leaves out that the first output token
// comes from the prefill itself, and what its parts leave out.
func (e *Engine) Answer(l Load, cached bool) (Answer, error) {
	if err := l.check(); err != nil {
		return Answer{}, err
	}
	a := Answer{Load: l, LeftOut: stepLeftOut}
	e.loadPrefill(&a.Prefill, l, cached)
	e.loadStep(&a.Step, 1, l)
	a.TTFT = a.Prefill.Time
	a.Decode = Seconds(l.Output) * a.Step.Time
	a.Time = a.TTFT + a.Decode
	a.GPUSeconds = float64(a.Time) * float64(e.params.TensorParallel)
	a.Money = e.money(a.GPUSeconds)
	a.Bound = a.Step.Bound
	if a.TTFT > a.Decode {
		a.Bound = a.Prefill.Bound
	}
	a.Warnings = e.model.contextWarning(nil, l.prompt()+l.Output)
	return a, nil
}

func (e *Engine) loadPrefill(p *Prefill, l Load, cached bool) {
	n := l.prompt()
	if cached {
		n = l.fresh()
	}
	e.prefill(p, 1, l.prompt()-n, n)
}

func (e *Engine) loadStep(s *Step, batch int, l Load) {
	e.step(s, batch, float64(l.Shared), float64(l.Context+l.Question)+float64(l.Output)/2, l.SharedPerRequest)
}
