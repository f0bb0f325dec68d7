// Package deepmemory is MemGPT's deep memory retrieval as a small experiment:
// five sessions of dialogue, then a question whose answer one message of one of
// them has. It is for seeing what a recursive summary loses with each rewriting,
// what paging through all messages finds instead, and what either costs in calls
// and tokens. Its main type is [Config]; [Config.Run] asks both ways the same
// questions and gives a [Result] with the right answers by session. A dialogue
// with five questions costs about two milliseconds. The task is that of MemGPT
// (Packer et al. 2023, arXiv 2310.08560, section 3.1.1) on the conversations of
// dialogue/toy: what is found is found by the agent of memory/memgpt searching
// their text, and only the mistakes of [Rates] are drawn.
package deepmemory
