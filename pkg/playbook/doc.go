// Package playbook holds what an agent learns from its tasks as a list of bullets
// that small deltas change, by the three roles of ACE (generator, reflector,
// curator), and beside it a cheatsheet that a model rewrites as a whole.
// It is for measuring what an evolving context gains, when it collapses, and what a
// prefix cache makes of it, with any model behind the roles or none.
// Its main types are Playbook, whose Merge applies deltas, Dedup joins near
// duplicates and Fit enforces a budget, and Loop, which runs the roles over tasks.
// Merging costs about a microsecond for each operation whatever the length, a
// prompt some nanoseconds for each bullet, and deduplication one embedding for each new bullet.
// Sources: ACE (Zhang et al., arXiv 2510.04618) and Dynamic Cheatsheet (Suzgun et
// al., 2025); the budget, the escapes of the text form and the index are ours.
package playbook
