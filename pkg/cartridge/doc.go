// Package cartridge trains a small block of keys and values to stand in for a
// document's KV cache, as the Cartridges paper does, in a toy that keeps what
// matters of it: facts are random pairs of a key and a value, the model is one
// frozen layer of softmax attention, and users ask in other words than the text. It
// is for seeing why memorising fails and self-study works, what initialisation,
// chunks and composition do, and for training on keys and values of one's own. Its
// main type is Trainer, which makes a Cartridge from a Study of a Corpus with an
// Engine that computes gradients: ByHand here, automatic differentiation in package
// gomlx; CheckGradient proves them against each other, and Score compares with
// in-context learning, truncation and the linear memories. A step of 128
// questions on 512 facts takes about 1 ms with SIMD and 5 without, the lecture's 3,000 steps
// a few seconds; corpus, questions and batches come from streams of package random.
// The source is arXiv:2506.06266, sections 3 to 5; sizes and rates are calibrated to
// the lecture's numbers.
package cartridge
