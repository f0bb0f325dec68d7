package sincethen

import (
	"context"
	"errors"
	"fmt"
	"math"

	"memlab/pkg/costmodel"
	"memlab/pkg/experiments/playbook"
	"memlab/pkg/experiments/world"
)

// Change is what a development does to the costs of what it takes the place of: each
// number is after over before, 1 for no change.
type Change struct {
	Name    string `json:"name"`
	Against string `json:"against"`
	// Write is the work before the question comes, Read that of a question, in GPU
	// seconds or, where WriteTokens is set, in tokens generated.
	Write       float64 `json:"write"`
	WriteTokens bool    `json:"write_in_tokens,omitempty"`
	Read        float64 `json:"read"`
	// Memory is what one user's context occupies of the GPU while it is served.
	Memory  float64 `json:"memory"`
	Changes string  `json:"changes"` // which part of the context changes
}

// Changes computes the table of all developments: the toy's conversations for facts
// with validity, a sleep, the scripted playbook, and for what concerns the KV cache one
// private document with the question and answer of the engine's parameters.
func Changes(ctx context.Context, p world.Parameters, e *costmodel.Engine, s Sleep, c Compression) ([]Change, error) {
	if err := checkEngine(e); err != nil {
		return nil, err
	}
	// Before the toys are played, which takes seconds.
	if err := errors.Join(s.check(), c.check()); err != nil {
		return nil, err
	}
	facts, err := factChange(ctx, p, e)
	if err != nil {
		return nil, err
	}
	sleep, err := sleepChange(e, s)
	if err != nil {
		return nil, err
	}
	prompt, err := promptChange()
	if err != nil {
		return nil, err
	}
	kv, err := kvChanges(e, c)
	if err != nil {
		return nil, err
	}
	return append([]Change{facts, sleep, prompt}, kv...), nil
}

// factChange sets facts that are marked invalid against facts that are deleted.
func factChange(ctx context.Context, p world.Parameters, e *costmodel.Engine) (Change, error) {
	found, err := Products(ctx, p, e, 2)
	if err != nil {
		return Change{}, err
	}
	deleted, marked := found[2], found[3]
	return Change{
		Name: "facts with validity", Against: "facts deleted (mem0)",
		Write: marked.Write / deleted.Write, Read: marked.Each / deleted.Each, Memory: marked.ReadTokens.Mean / deleted.ReadTokens.Mean,
		Changes: "the part that is retrieved",
	}, nil
}

func sleepChange(e *costmodel.Engine, s Sleep) (Change, error) {
	b, err := s.Bill(e)
	if err != nil {
		return Change{}, err
	}
	prefill, err := e.Prefill(0, s.Context)
	if err != nil {
		return Change{}, fmt.Errorf("sincethen: %w", err)
	}
	once := float64(prefill.Time) * float64(e.Params().TensorParallel)
	m := e.Model()
	return Change{
		Name: "sleep-time compute", Against: "thinking when asked",
		Write: (once + b.Night) / once, Read: b.After / b.Awake,
		// The longest a request gets, thinking and answer included.
		Memory:  float64(m.KVBytes(s.Context+s.Notes+s.Question+s.Answer+int(float64(s.Thinking)/s.Less+0.5)) / m.KVBytes(s.Context+s.Question+s.Answer+s.Thinking)),
		Changes: "notes, once a night",
	}, nil
}

// promptChange sets an append-only playbook against one that is rewritten whole.
func promptChange() (Change, error) {
	p := playbook.DefaultParameters()
	e, err := p.Engine()
	if err != nil {
		return Change{}, fmt.Errorf("sincethen: %w", err)
	}
	var written, seconds, tokens [2]float64
	for i, v := range []playbook.Variant{playbook.Rewrite, playbook.Append} {
		run, err := playbook.Serve(p, 0, v)
		if err != nil {
			return Change{}, fmt.Errorf("sincethen: %w", err)
		}
		f, err := run.Figures(p.Block, e)
		if err != nil {
			return Change{}, fmt.Errorf("sincethen: %w", err)
		}
		written[i], seconds[i] = float64(run.Written), float64(f.Bill.Prefill)
		for _, n := range run.Tokens {
			tokens[i] += float64(n)
		}
	}
	return Change{
		Name: "append-only playbook", Against: "rewritten whole", Write: written[1] / written[0], WriteTokens: true,
		Read: seconds[1] / seconds[0], Memory: tokens[1] / tokens[0], Changes: "a line at its end",
	}, nil
}

// kvChanges are a state of fixed size, fewer bits and a cartridge against the whole
// document in the context, cached.
func kvChanges(e *costmodel.Engine, c Compression) ([]Change, error) {
	if _, err := Methods(e, c); err != nil { // the same conditions on model and sizes
		return nil, err
	}
	prefill, err := e.Prefill(0, c.Document)
	if err != nil {
		return nil, fmt.Errorf("sincethen: %w", err)
	}
	write := float64(prefill.Time) * float64(e.Params().TensorParallel)
	read, err := each(e, e.Load(c.Document), true)
	if err != nil {
		return nil, err
	}
	const against = "the document in context, cached"
	state, err := stateChange(e, c.Document, write, read)
	if err != nil {
		return nil, err
	}
	state.Against = against
	fewer, err := bitsChange(e, c, write, read)
	if err != nil {
		return nil, err
	}
	fewer.Against = against
	paper := costmodel.PaperCartridge(c.Document)
	trained, err := each(e, e.Load(paper.Tokens()), true)
	if err != nil {
		return nil, err
	}
	return []Change{state, fewer, {
		Name: "cartridge", Against: against, Write: (write + paper.TrainingGPUSeconds/c.Cheaper) / write, Read: trained / read,
		Memory: float64(e.Model().KVBytes(paper.Tokens()) / e.Model().KVBytes(c.Document)), Changes: "nothing, until it is trained anew",
	}}, nil
}

// fewBits is the quantised KV cache of the table.
const fewBits = 4

// bitsChange reads a KV cache of as many fewer numbers as its bits are fewer, scales
// included: the arithmetic of a step hardly ever decides.
func bitsChange(e *costmodel.Engine, c Compression, write, read float64) (Change, error) {
	m := e.Model()
	factor := c.fewerBits(m, fewBits)
	g := m.Attention[0]
	g.KVElements = int(math.Round(float64(g.KVElements) / factor))
	m.Attention = []costmodel.LayerGroup{g}
	small, err := costmodel.NewEngine(m, e.GPU(), e.Params())
	if err != nil {
		return Change{}, fmt.Errorf("sincethen: %w", err)
	}
	after, err := each(small, small.Load(c.Document), true)
	if err != nil {
		return Change{}, err
	}
	kv := float64(e.Model().KVBytes(c.Document))
	return Change{
		Name: fmt.Sprintf("KV cache in %d bits", fewBits), Write: (write + moved(e, kv+kv/factor)) / write, Read: after / read,
		Memory: float64(m.KVBytes(c.Document)) / kv, Changes: "nothing, but each number is coarser",
	}, nil
}

func stateChange(e *costmodel.Engine, document int, write, read float64) (Change, error) {
	m, err := WithState(e.Model(), 0)
	if err != nil {
		return Change{}, err
	}
	fixed, err := costmodel.NewEngine(m, e.GPU(), e.Params())
	if err != nil {
		return Change{}, fmt.Errorf("sincethen: %w", err)
	}
	prefill, err := fixed.Prefill(0, document)
	if err != nil {
		return Change{}, fmt.Errorf("sincethen: %w", err)
	}
	after, err := each(fixed, fixed.Load(document), true)
	if err != nil {
		return Change{}, err
	}
	return Change{
		Name: "state of fixed size in every layer", Write: float64(prefill.Time) * float64(e.Params().TensorParallel) / write, Read: after / read,
		Memory: float64(m.KVBytes(document) / e.Model().KVBytes(document)), Changes: "all of the state, at every token",
	}, nil
}
