// Package trace reads streams of requests for a prefix cache: Mooncake's block
// traces, token ids, and logs of OpenAI-style chat requests, each one JSON
// value per line.
// It is for replaying what a real service saw; lines that are wrong are named
// by number and counted, and the rest stays usable.
// Its main type is [Trace], which [Read] makes and whose requests go into the
// caches of package prefixcache, as block ids or as tokens.
// The Mooncake trace of 288,500 blocks takes some 20 ms to parse, and 8 bytes
// per block to hold.
// The sources are the formats of kvcache-ai/Mooncake (FAST'25) and of OpenAI's
// chat completions; a chat log without a tokenizer is counted by an
// approximation that [Trace.Notes] states.
package trace
