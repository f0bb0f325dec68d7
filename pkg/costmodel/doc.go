// Package costmodel computes what the context of a language model costs on a
// GPU: bytes of KV cache, seconds of prefill and decode, requests per batch,
// tokens per second, and the number of queries after which a trained cartridge
// pays back.
// It is for comparing ways of remembering (in context, cached, shared,
// compressed) on any model that has a Hugging Face config.json, with formulas
// that a pocket calculator can check.
// Its main type is [Engine], a [Model] on a [GPU] under [Params]; [Engine.Evaluate]
// gives everything about one [Load].
// One evaluation takes about a microsecond and allocates nothing unless it has
// something to warn of.
// The formulas are the roofline counts of Llama-style inference (arithmetic
// against bytes moved); the default parameters are those that reproduce the
// lecture's numbers for Llama-3-8B on one H100, and each result lists what it
// leaves out.
//
// Units: [Bytes] and [Seconds] carry theirs, tokens are int, work is float64
// FLOP. Prefixes are powers of ten throughout: the 80 GB of an H100 are 80e9
// bytes, and 128 KiB of KV per token print as 131 kB.
package costmodel
