// Package memgpt is MemGPT: a model whose window is its main memory, and which moves
// what does not fit between the window and two storages by calling functions.
// It is for watching one turn of such an agent ([Memory.Handle] and its [Trace]) and
// for comparing it with other memory systems on whole dialogues, as a memory.System.
// Its main type is [Memory], on the queue manager of memgpt/queue; who decides is a
// [Judge]: a rule with rates of mistakes, a script, or a language model.
// A conversation of 600 messages with 39 questions takes some milliseconds plus what
// the embedder takes; a search is linear in what was said.
// Functions, heartbeats, events and pages are MemGPT's (Packer et al. 2023, arXiv
// 2310.08560); the cap on chains, errors as results for every bad call, and the rule
// that what was searched for is always given back are ours.
package memgpt
