// Package sincethen puts the developments that the lecture lists after its four
// systems (§7) into the same table of costs: who pays, when, and in which memory.
// It is for notebook 07, where a student turns the assumptions, and for anybody who
// weighs idle hours, a fixed state or a smaller KV cache against a long context.
// Its main types are [Sleep], thinking before the question comes, [Method], a way to
// make a KV cache smaller, and [Change], one line of the table of all.
// Prices take microseconds; [Products] plays conversations and [Shrink] scores
// some thousand questions of the toy, some tenths of a second for each seed.
// Prices come from package costmodel, conversations from package world, the toy from
// package cartridge; what a paper reports stands in [Reports] with its source, and
// every other number that is not computed is a field to be set.
package sincethen
