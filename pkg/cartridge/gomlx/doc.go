// Package gomlx is the engine of package cartridge whose gradient comes from
// GoMLX's automatic differentiation, on its backend in pure Go or on Google's XLA.
// It is for training without trusting a derivation, and for checking the
// hand-written one: neither knows the other's formulas. Its main function is
// Engine, which a cartridge.Trainer takes; Plain is the same loss written as one
// would on paper, and XLA, in builds with cgo and the tag xla, takes 16 steps of it
// in a call, the teacher's answers included. A step takes Engine 2 to 4 times what numpy
// takes, Plain 6 times, and XLA .7 times (binder/bench measures them in turn); the
// first one compiles the graph, for about a second on XLA.
// The library is github.com/gomlx/gomlx, and no other package of ours links it.
package gomlx
