package serving

import (
	"errors"
	"fmt"

	"memlab/pkg/prefixcache"
)

// server answers how many tokens of a call's prompt are held, and keeps it.
type server interface {
	serve(l *Ledger, r *record, outputs bool) (int, error)
}

var errRefused = errors.New("refused: the prompt does not fit into the cache")

// servers are the cache of a replay and the one that keeps everything.
func (l *Ledger) servers(o Options) (cache, ideal server, err error) {
	if absent(o.Cache) {
		return nil, nil, fmt.Errorf("serving: cache: a nil %T: want a cache, or a plain nil for one that keeps everything", o.Cache)
	}
	lru, isLRU := o.Cache.(*prefixcache.PrefixLRU)
	switch {
	case isLRU && o.CacheOutputs:
		return nil, nil, fmt.Errorf("serving: cache_outputs: PrefixLRU knows the blocks of prompts only: want BlockHash or Radix")
	case isLRU:
		if cache, err = newEngine(lru, o.Block); err != nil {
			return nil, nil, err
		}
		all, err := prefixcache.NewPrefixLRU(prefixcache.Unlimited, o.Block)
		if err != nil {
			return nil, nil, err
		}
		ideal, err = newEngine(all, o.Block)
		return cache, ideal, err
	case l.real:
		all, err := prefixcache.NewBlockHash(prefixcache.Unlimited, o.Block)
		if err != nil {
			return nil, nil, err
		}
		if ideal, err = newEngine(all, o.Block); err != nil {
			return nil, nil, err
		}
	default:
		ideal = newKeepAll(l, o.Block)
	}
	if o.Cache != nil {
		cache, err = newEngine(o.Cache, o.Block)
	}
	return cache, ideal, err
}

// absent: a constructor failed and its error was not looked at.
func absent(c prefixcache.Cache) bool {
	switch c := c.(type) {
	case *prefixcache.PrefixLRU:
		return c == nil
	case *prefixcache.BlockHash:
		return c == nil
	case *prefixcache.Radix:
		return c == nil
	}
	return false
}

// engine is a cache of package prefixcache that serves calls of a ledger.
type engine struct {
	cache  prefixcache.Cache
	block  int
	blocks *prefixcache.BlockIDs // for PrefixLRU only
}

func newEngine(c prefixcache.Cache, block int) (*engine, error) {
	e := &engine{cache: c, block: block}
	var err error
	if _, ok := c.(*prefixcache.PrefixLRU); ok {
		e.blocks, err = prefixcache.NewBlockIDs(block)
	}
	return e, err
}

func (e *engine) serve(l *Ledger, r *record, outputs bool) (int, error) {
	request := prefixcache.Request{Tenant: r.call.Tenant, Tokens: make([]int, 0, r.tokens)}
	for _, it := range r.items {
		request.Tokens = l.items[it].item.AppendIDs(request.Tokens)
	}
	if outputs {
		for _, it := range r.output {
			request.Output = l.items[it].item.AppendIDs(request.Output)
		}
	}
	if e.blocks != nil {
		request.Blocks = e.blocks.Of(r.call.Tenant, request.Tokens)
	}
	use, err := e.cache.Serve(request)
	switch {
	case err != nil:
		return 0, err
	case use.Refused:
		return 0, errRefused
	case use.Blocks != (r.tokens-1)/e.block+1 || use.HitTokens != min(use.HitBlocks*e.block, r.tokens):
		return 0, fmt.Errorf("block %d: the cache cut a prompt of %d tokens into %d blocks and reused %d tokens in %d: want the block size that the cache was made with",
			e.block, r.tokens, use.Blocks, use.HitTokens, use.HitBlocks)
	}
	// Mooncake's cache finds a whole prompt; its last token is computed all the same.
	return min(use.HitTokens, r.tokens-1), nil
}
