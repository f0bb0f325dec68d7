// Package choice answers which way of remembering to take, from prices and
// accuracies that the other parts of the lab compute (the lecture's §6).
// It is for the systems view: the levels of memory, writing against reading over the
// number of questions, and the list of decisions, each with the number that decides.
// Its main types are [Way], one way of remembering with its price, and [Decision].
// A list of decisions costs about a second, nearly all of it the playing of
// conversations.
// Prices are GPU seconds at full load of package costmodel; accuracies are those of
// the toy world and say nothing of a real model; the criteria are stated with each
// decision.
package choice
