// Package dialogue says what a long dialogue and the questions about it are: types
// and their checks, nothing else.
// It is for whatever makes dialogues (the toy world in dialogue/toy, the readers of
// real ones) and whatever remembers them (the memory systems).
// Its main type is [Dialogue]: messages in order, and questions of which each says
// what must be known to answer it.
// Checking a dialogue is linear in it; everything else is plain data.
// The kinds of questions are those of the lecture's toy (§3.3) with one more, about
// what was never said.
package dialogue
