// Package prefixcache says exactly which tokens of a prompt are reused from the
// KV cache of earlier prompts, and which are prefilled again.
// It is for replaying a stream of requests (block hashes, token ids or chat
// logs, see the package trace) through the cache of a serving engine, at one
// capacity or, for LRU, at all of them in one pass ([LRUCurve]).
// Its main type is [Cache], which [PrefixLRU] (block ids only), [BlockHash]
// (vLLM) and [Radix] (SGLang) implement; [BlockHash] and [Radix] also run
// requests step by step, with blocks that a running request holds.
// On a trace of 1e7 blocks a replay costs 12 to 20 ns per block in PrefixLRU if
// ids number the blocks by first appearance, 27 to 50 if they are hashes, and 100
// to 150 in BlockHash; the curve of every capacity costs 25 to 130 ns, and
// PrefixLRU holds less than 32 bytes per distinct block. Time grows with the trace
// as memory does that no longer fits the processor's caches: at 1e8 blocks to 35
// and 117 ns, where one dependent read costs some 400.
// The sources are Mooncake (FAST'25), vLLM 0.33.0's KVCacheManager and SGLang
// 0.5.23's RadixCache, whose returned integers are reproduced one by one, and
// Mattson's stack distances (IBM Systems Journal 9(2), 1970).
//
// Units: tokens are int; a block (vLLM, Mooncake) or page (SGLang) is a fixed
// number of tokens; a hit rate is a share of tokens, never of requests.
package prefixcache
