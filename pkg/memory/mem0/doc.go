// Package mem0 is mem0 and its graph variant mem0g: it extracts facts from every
// pair of messages, merges each with the most similar memories, and reads only a few
// memories for a question.
// It is the system that pays when something is written; mem0 forgets what another
// value replaces, mem0g keeps it as a relation that no longer holds.
// Its main type is [Memory]; what a language model would decide is a [Judge], which
// may be a rule with error rates, a model, or a script.
// A pair costs a call, a fact one more and a pass over all memories, a question one
// call and a pass.
// It follows Chhikara et al. (arXiv:2504.19413, §2.1 and 2.2) and the lecture's §3.1;
// ordering by the time of what was said and late facts are Graphiti's, deletion from
// every copy is ours.
package mem0
