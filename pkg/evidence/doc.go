// Package evidence measures retrieval without a language model: of the messages that
// a question rests on, how many lie in the text that is retrieved for it.
// It is for choosing how to retrieve (by which method, in chunks of which size) on
// LOCOMO or on dialogues of one's own before any reader is paid for.
// Its main function is [Evaluate], which returns a [Result]: recall by method, chunk,
// budget and category with intervals, and the methods compared pair by pair.
// LOCOMO (1,986 questions) takes some seconds on two cores for three methods and four
// chunk sizes at any number of budgets; memory is that of the indexes at work.
// The measure is LOCOMO's evidence recall (Maharana et al., ACL 2024, §6) at a budget
// of tokens instead of a number of chunks, so that sizes of chunks can be compared;
// intervals are Student's over conversations.
//
// Chunks are consecutive messages of one session; a chunk is closed as soon as it has
// as many tokens as asked for. Each message is searched as "SPEAKER: TEXT". The chunks
// of a ranking are written one after the other and the text is cut, between two
// messages, where the budget ends; a budget counts the messages' own tokens, without
// speakers and dates. What is found is not yet answered: recall bounds what a reader
// that relies on the text can know, and says nothing of a question without evidence,
// which is left out and counted.
package evidence
