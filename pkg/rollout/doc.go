// Package rollout simulates one stage of reinforcement learning for reasoning
// models: prompts are answered several times each, and the next update of the
// weights waits for the slowest answer. It is for seeing what a long tail of
// lengths costs a set of GPUs, and what the ways not to wait for it save and cost.
// The main types are Setup (what is asked, of which replicas) and Outcome (times,
// busy and idle GPU seconds, what was thrown away or stale); each way is a function
// from the one to the other: Wait, Overlap, Gather, CutTail, Continue. A million
// samples take less than a second, since a replica is moved from one finished
// sample to the next by a closed form and not step by step. The stages and the ideas of
// overlapping them and of gathering the tail are those of HybridFlow (arXiv 2409.19256)
// and RLHFuse (arXiv 2409.13221).
//
// What is ours and not theirs: the distribution of lengths, every number of
// DefaultSetup, the fluid model of scoring and training (work that any idle
// replica may take, in pieces as small as need be), and the rules by which
// Gather and CutTail choose. Left out: resharding the model between the stages,
// communication within a stage, pipeline bubbles in training, the time to send
// new weights to the replicas, tools and environments that answer slowly.
package rollout
