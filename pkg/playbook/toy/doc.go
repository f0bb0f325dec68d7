// Package toy is a small world for agents that learn: tasks of which each follows a
// hidden rule, feedback of set reliability, and agents that keep what they learn in
// a playbook or a cheatsheet of real text. It is for seeing how such contexts grow,
// collapse or are polluted, where everything is known and a seed takes milliseconds.
// Its main types are World, which draws tasks and knows what is right, and Agent,
// which plays generator, judge, reflector, curator and rewriter in it.
// A task costs some microseconds; World.Accuracy reads a context and computes what
// it is worth, without trying tasks.
// The mechanisms are stated at the fields of Parameters; their sizes are ours and
// measure nothing, so that only orders and shapes may be compared with the papers.
package toy
