// Package nestedkv is MemGPT's nested key-value retrieval as a small
// experiment: 140 pairs of UUIDs, where the value of a key may itself be a key,
// and the question is for the value at the end of that chain. It is for seeing
// why one reading of everything fails with each further level while lookups,
// one per call, do not, and what they cost in calls and tokens. Its main type is
// [Config]; [Config.Run] asks both ways the same questions and gives a [Result]
// per level, and [Open] reads the task's real data. A question costs some 50
// microseconds, nearly all of it the making of its pairs. The task is that of
// MemGPT (Packer et al. 2023, arXiv 2310.08560, section 3.2.2), on the pairs of
// Liu et al. (2023, arXiv 2307.03172); no model runs here: what a reader gets
// right is drawn with the probabilities of [Rates].
package nestedkv
