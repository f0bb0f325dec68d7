// Package serving keeps account of every call that a memory system makes of a
// language model, and says what an inference server reuses of it and why it
// computes the rest. It is for comparing systems and prompt layouts by what they
// cost where they run: tokens of prompt, cached, prefilled and generated, by phase
// (write or read) and purpose, in tokens or priced in seconds by package costmodel.
// Its main type is Ledger: Add takes calls whose Prompt is made of named segments,
// Replay runs them through a prefix cache and gives each prefilled token one Cause.
// A call of a hundred items costs some microseconds to add and one to replay, since
// items are compared by their identity and token ids are derived only for a cache
// that reads them. The reuse rules are vLLM's (whole blocks, the last token is always
// computed) unless another cache of package prefixcache is given; the causes are ours.
package serving
