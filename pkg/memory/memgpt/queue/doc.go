// Package queue is MemGPT's queue manager: what the model has in front of it, and
// what leaves when the window is full. It is for running one and the same queue
// in a serving session, where the bill is of interest, and in a long dialogue, where
// the answers are. Its main type is Manager: Append adds messages, Insert and Replace
// edit the working context, Ready makes room and returns the prompt of the next call.
// An operation costs less than a microsecond, an eviction some more. Thresholds,
// batch eviction, recursive summary and the full working context's error are those of
// MemGPT (Packer et al. 2023, arXiv 2310.08560); ours are the policy ToFit, the
// layouts End and Log, and that a summary has a fixed length.
package queue
