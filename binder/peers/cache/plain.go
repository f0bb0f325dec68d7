package main

import (
	"container/list"
	"slices"

	"memlab/binder/peers/cache/workload"
)

// plain is the cache that one writes with the standard library: a map of list elements.
type plain struct {
	capacity int
	order    *list.List // most recent first
	at       map[uint64]*list.Element
}

func newPlain(capacity int) (workload.Cache, error) {
	return &plain{capacity, list.New(), map[uint64]*list.Element{}}, nil
}

func (c *plain) Access(ids []uint64) (hits int) {
	for hits < len(ids) && c.at[ids[hits]] != nil {
		hits++
	}
	for _, id := range slices.Backward(ids) {
		if e := c.at[id]; e != nil {
			c.order.MoveToFront(e)
			continue
		}
		if len(c.at) == c.capacity {
			delete(c.at, c.order.Remove(c.order.Back()).(uint64))
		}
		c.at[id] = c.order.PushFront(id)
	}
	return hits
}
