package costmodel

import (
	"fmt"
	"math"
)

// Cartridge is a small trained KV cache that stands for a document (Cartridges,
// arXiv 2506.06266).
type Cartridge struct {
	Document int `json:"document_tokens"`
	// Compression is document tokens per cartridge token.
	Compression float64 `json:"compression"`
	// TrainingGPUSeconds is what training one cartridge costs.
	TrainingGPUSeconds float64 `json:"training_gpu_seconds"`
	// TrainingPrice is the price of a GPU second in training over that in
	// serving, e.g. 1/3 for idle GPUs at night.
	TrainingPrice float64 `json:"training_price"`
}

// PaperCartridge is a cartridge with the numbers of its paper: 38.6 times less
// memory, and 30 minutes on 8 H100, 14,400 GPU seconds, whatever the length of
// the document.
func PaperCartridge(document int) Cartridge {
	return Cartridge{Document: document, Compression: 38.6, TrainingGPUSeconds: 30 * 60 * 8, TrainingPrice: 1}
}

// Tokens is the length of the cartridge, rounded up.
func (c Cartridge) Tokens() int { return int(math.Ceil(float64(c.Document) / c.Compression)) }

func (c Cartridge) check() error {
	const where = "cartridge"
	if err := tokensOK(where, "document_tokens", c.Document, 1); err != nil {
		return err
	}
	if !(c.Compression >= 1) || math.IsInf(c.Compression, 0) {
		return badArgument(where, "compression", c.Compression, "document tokens per cartridge token, 1 or more; the paper's is 38.6")
	}
	if !(c.TrainingGPUSeconds >= 0) || math.IsInf(c.TrainingGPUSeconds, 0) {
		return badArgument(where, "training_gpu_seconds", c.TrainingGPUSeconds, "GPU seconds, 0 or more; the paper's are 14400")
	}
	if !(c.TrainingPrice > 0) || math.IsInf(c.TrainingPrice, 0) {
		return badArgument(where, "training_price", c.TrainingPrice, "a positive ratio of prices; 1 for the same price")
	}
	return nil
}

// Against compares a cartridge with one way of having the document in context.
type Against struct {
	InContext Throughput `json:"in_context"`
	Cartridge Throughput `json:"cartridge"`
	// Saved is GPU seconds per query, negative if the cartridge costs more.
	Saved float64 `json:"saved_gpu_seconds_per_query"`
	// Pays says whether the cartridge ever pays back, after Queries queries.
	Pays    bool    `json:"pays"`
	Queries float64 `json:"queries,omitempty"`
	// QueriesDecodeOnly is the same with no prefill counted on either side.
	QueriesDecodeOnly float64 `json:"queries_decode_only,omitempty"`
	Bound             Bound   `json:"bound"` // of the way in context
}

// BreakEven is the number of queries after which a cartridge has paid back its
// training, against three ways of having the document in context.
type BreakEven struct {
	Spec   Cartridge `json:"spec"`
	Tokens int       `json:"cartridge_tokens"`
	// Training in GPU seconds at serving prices, and in money if there is one.
	Training      float64 `json:"training"`
	TrainingMoney float64 `json:"training_money,omitempty"`

	Uncached Against `json:"uncached"` // prefilled for every query
	Cached   Against `json:"cached"`   // each user's own document, its KV kept
	Shared   Against `json:"shared"`   // one document (and one cartridge) for all

	Warnings []Warning `json:"warnings,omitempty"`
	LeftOut  []string  `json:"left_out,omitempty"`
}

var breakEvenLeftOut = []string{
	"quality of the answers", "that training time depends on model and document",
	"keeping KV or cartridge on disk between queries", "the first prefill of a document that is then cached",
}

// BreakEven = training GPU seconds x price ratio / (GPU seconds per query in
// context - GPU seconds per query with the cartridge), each at full load:
// (prefill of the batch + output x step) / batch. Uncached and Cached compare
// private documents with private cartridges, Shared one document with one
// cartridge. Source: the lecture's section 4.6 on the numbers of the
// Cartridges paper. Left out: see LeftOut.
func (e *Engine) BreakEven(c Cartridge, question, output int) (BreakEven, error) {
	document := Load{Context: c.Document, Question: question, Output: output}
	if err := firstError(c.check(), document.check()); err != nil {
		return BreakEven{}, err
	}
	b := BreakEven{Spec: c, Tokens: c.Tokens(), Training: c.TrainingGPUSeconds * c.TrainingPrice, LeftOut: breakEvenLeftOut}
	b.TrainingMoney = e.money(b.Training)
	small := document
	small.Context = b.Tokens
	shared, smallShared := document, small
	shared.Shared, shared.Context = shared.Context, 0
	smallShared.Shared, smallShared.Context = smallShared.Context, 0

	e.against(&b.Uncached, b.Training, document, small, false)
	e.against(&b.Cached, b.Training, document, small, true)
	e.against(&b.Shared, b.Training, shared, smallShared, true)

	b.Warnings = e.model.contextWarning(b.Warnings, document.prompt()+output)
	for _, t := range []struct {
		what string
		a    Against
	}{{"private document", b.Cached}, {"shared document", b.Shared}} {
		if t.a.InContext.Fit.Batch == 0 {
			b.Warnings = append(b.Warnings, Warning(fmt.Sprintf("%s: not one request of %d tokens fits in context, so there is nothing to pay back against", t.what, document.prompt()+output)))
		}
		if t.a.Cartridge.Fit.Batch == 0 {
			b.Warnings = append(b.Warnings, Warning(fmt.Sprintf("%s: not one request with a cartridge of %d tokens fits", t.what, b.Tokens)))
		}
	}
	return b, nil
}

// against compares two loads that differ in how they hold the document. The
// cartridge is always there; the document may have to be prefilled.
func (e *Engine) against(a *Against, training float64, document, cartridge Load, cached bool) {
	e.throughput(&a.InContext, document, cached)
	e.throughput(&a.Cartridge, cartridge, true)
	a.Bound = a.InContext.Bound
	if a.InContext.Fit.Batch == 0 || a.Cartridge.Fit.Batch == 0 {
		return
	}
	a.Saved = a.InContext.GPUSecondsPerRequest - a.Cartridge.GPUSecondsPerRequest
	if a.Pays = a.Saved > 0; a.Pays {
		a.Queries = training / a.Saved
	}
	gpus := float64(e.params.TensorParallel)
	decode := gpus * float64(document.Output) * (1/a.InContext.TokensPerSecond - 1/a.Cartridge.TokensPerSecond)
	if decode > 0 {
		a.QueriesDecodeOnly = training / decode
	}
}
