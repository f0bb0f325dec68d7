package sincethen

import (
	"fmt"
	"math"

	"memlab/pkg/costmodel"
)

// Compression says how the KV cache of one document is made smaller.
type Compression struct {
	Document int `json:"document_tokens"`
	// Group is how many numbers share a scale and a zero point, of 16 bits each.
	Group int `json:"quantisation_group"`
	// Window is the number of queries whose attention decides which tokens go.
	Window int `json:"scoring_window_tokens"`
	// Left is how many times fewer tokens are left after dropping or merging.
	Left float64 `json:"times_fewer_tokens"`
	// Notes is how many times shorter notes in words are than the document.
	Notes float64 `json:"times_shorter_notes"`
	// Cheaper divides the price of training a cartridge: 1 is the paper's.
	Cheaper float64 `json:"times_cheaper_training"`
}

// DefaultCompression is the lecture's document. Group, Window and Notes are
// assumptions; fewer tokens than half lose quality fast, as the Cartridges paper
// reports.
func DefaultCompression() Compression {
	return Compression{Document: 128_000, Group: 64, Window: 64, Left: timesFewerTokens, Notes: 10, Cheaper: 1}
}

func (c Compression) check() error {
	return checkFields(
		field{"document_tokens", float64(c.Document), 1, maxTokens, "a number of tokens, 1 to 1e9"},
		field{"quantisation_group", float64(c.Group), 1, maxTokens, "a number of numbers, 1 or more"},
		field{"scoring_window_tokens", float64(c.Window), 1, float64(c.Document), "1 to document_tokens"},
		field{"times_fewer_tokens", c.Left, 1, float64(c.Document), "1 or more, at most document_tokens"},
		field{"times_shorter_notes", c.Notes, 1, float64(c.Document), "1 or more, at most document_tokens"},
		field{"times_cheaper_training", c.Cheaper, 1e-6, 1e9, "a positive number"},
	)
}

// Kind is a family of ways to make a KV cache smaller.
type Kind string

// The kinds, from the least work for each document to the most.
const (
	BuiltIn  Kind = "built in"  // the model was trained with it
	Quantise Kind = "quantise"  // fewer bits for each number
	Drop     Kind = "drop"      // fewer tokens, chosen
	Merge    Kind = "merge"     // fewer tokens, averaged
	Write    Kind = "write"     // notes in words instead of the document
	Train    Kind = "cartridge" // a KV cache by gradient descent
)

// Method is one way to make a KV cache smaller, with its price.
type Method struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
	// Factor is the KV cache before over after.
	Factor float64         `json:"times_smaller"`
	Bytes  costmodel.Bytes `json:"kv_bytes_per_token"` // per token of the document
	// GPUSeconds is the work for one document beside its prefill; 0 for what the
	// model was trained with.
	GPUSeconds float64 `json:"gpu_seconds"`
}

// Methods prices ways to make the KV cache of a document smaller, from no work for
// the document to much.
//
// Quantising reads the cache and writes the smaller one: bits per number b + 32 /
// Group. Dropping reads the keys, multiplies them with Window queries, and copies what
// is left; merging reads all and writes what is left. Time = max(FLOP / achieved FLOP/s,
// bytes / achieved bytes/s). Notes are generated at full load behind the cached
// document. Training is costmodel.PaperCartridge's. Left out: the quality of answers,
// and quantised weights. What is built in is compared with the engine's model
// shape by shape: an entry of a layer for one token, or the state for the whole
// document.
func Methods(e *costmodel.Engine, c Compression) ([]Method, error) {
	if err := checkEngine(e); err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	m := e.Model()
	kv := float64(m.KVBytes(c.Document))
	if !(kv > 0) || len(m.Attention) != 1 || m.Attention[0].Kind != costmodel.FullAttention || m.Attention[0].Latent {
		return nil, bad("model %q: want one with the same full attention in all layers, such as llama-3-8b", m.Name)
	}
	built, err := builtIn(m, c.Document)
	if err != nil {
		return nil, err
	}
	var out []Method
	add := func(name string, kind Kind, factor, seconds float64) {
		out = append(out, Method{name, kind, factor, costmodel.Bytes(kv / float64(c.Document) / factor), seconds})
	}
	for _, b := range built {
		add(b.Name, BuiltIn, b.Factor, 0)
	}
	for _, b := range []float64{8, 4, 2} {
		f := c.fewerBits(m, b)
		add(fmt.Sprintf("%g bit", b), Quantise, f, moved(e, kv+kv/f))
	}
	g := m.Attention[0]
	// Of the FLOP of a pair, the keys are half.
	scores := g.PrefillFLOPPerPair / 2 * float64(g.Layers) * float64(c.Window) * float64(c.Document) / (e.GPU().BF16 * e.Params().ComputeShare)
	add(fmt.Sprintf("%.3g× fewer tokens, dropped", c.Left), Drop, c.Left, math.Max(scores, moved(e, kv/2+2*kv/c.Left)))
	add(fmt.Sprintf("%.3g× fewer tokens, merged", c.Left), Merge, c.Left, moved(e, kv+kv/c.Left))

	notes, err := each(e, costmodel.Load{Context: c.Document, Output: int(math.Ceil(float64(c.Document) / c.Notes))}, true)
	if err != nil {
		return nil, err
	}
	add(fmt.Sprintf("notes of 1/%.3g", c.Notes), Write, c.Notes, notes)
	paper := costmodel.PaperCartridge(c.Document)
	add("cartridge", Train, paper.Compression, paper.TrainingGPUSeconds/c.Cheaper)
	return out, nil
}

// fewerBits is how many times smaller a KV cache is with that many bits a number, scales
// and zero points counted.
func (c Compression) fewerBits(m costmodel.Model, bits float64) float64 {
	return 8 * m.KVDType.Bytes() / (bits + 32/float64(c.Group))
}

// moved is the GPU seconds to read and write so many bytes, however many GPUs
// share them.
func moved(e *costmodel.Engine, bytes float64) float64 {
	return bytes / (e.GPU().Bandwidth * e.Params().BandwidthShare)
}

// builtIn compares shapes of known models with m's, layer by layer.
func builtIn(m costmodel.Model, document int) ([]Method, error) {
	own := float64(m.Attention[0].KVElements)
	var out []Method
	latent, err := costmodel.ModelByName("deepseek-v3")
	if err != nil {
		return nil, fmt.Errorf("sincethen: %w", err)
	}
	out = append(out, Method{Name: "latent of " + latent.Name + " (MLA)", Factor: own / float64(latent.Attention[0].KVElements)})
	for _, s := range []struct {
		name string
		full int
	}{
		{fmt.Sprintf("state, 1 layer of %d keeps all", jambaPeriod), m.Layers / jambaPeriod},
		{"state in every layer", 0},
	} {
		changed, err := WithState(m, s.full)
		if err != nil {
			return nil, err
		}
		out = append(out, Method{Name: s.name, Factor: float64(m.KVBytes(document) / changed.KVBytes(document))})
	}
	return out, nil
}
