// Package gomlx is the engine of package cartridge whose gradient comes from
// GoMLX's automatic differentiation, on its backend in pure Go. It is for training
// without trusting a derivation, and for checking the hand-written one: neither
// knows the other's formulas. Its main function is Engine, which a
// cartridge.Trainer takes; Plain is the same loss written as one would on paper.
// A step of 128 questions on 512 facts takes about 2 ms with Engine and 3 with
// Plain, 3.5 and 5 times what numpy takes; the first one compiles the graph.
// The library is github.com/gomlx/gomlx, and no other package of ours links it.
package gomlx
