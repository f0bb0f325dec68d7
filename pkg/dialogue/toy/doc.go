// Package toy is the world without a language model of the lecture's §3.3: a long
// conversation about one user, with 16 attributes, 4 people known by their role, much
// chit-chat, and vectors for whatever is said. It is for comparing memory systems
// where the right answer, and the place where it got lost, are known. Its main type
// is [World], a dialogue with its questions in English or Chinese; [World.Embedder]
// gives the vectors, which follow from the facts and not from the words. A
// conversation of 300 pairs takes half a millisecond to draw and its message vectors
// some three. The sizes are the lecture's, which imitate LoCoMo; the probabilities
// and noises are calibrated, see [Parameters].
package toy
