package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"memlab/pkg/prefixcache"
)

// capacities is what --capacity asks for: a list, or the curve.
type capacities struct {
	curve bool
	list  []int // prefixcache.Unlimited among them
}

const (
	unlimited = "unlimited"
	curve     = "curve"
)

func parseCapacities(text string) (c capacities, err error) {
	if strings.TrimSpace(text) == curve {
		return capacities{curve: true}, nil
	}
	for entry := range strings.SplitSeq(text, ",") {
		entry = strings.TrimSpace(entry)
		switch entry {
		case unlimited:
			c.list = append(c.list, prefixcache.Unlimited)
			continue
		case curve:
			return c, fmt.Errorf("--capacity %s: %s stands alone, as it has its own capacities", text, curve)
		}
		n, err := strconv.Atoi(entry)
		if errors.Is(err, strconv.ErrRange) || n == prefixcache.Unlimited {
			return c, fmt.Errorf("--capacity %s: too large to count, want %s", entry, unlimited)
		}
		if err != nil {
			return c, fmt.Errorf("--capacity %q: want numbers of blocks, %s or %s, for example 1000,5859,%s", entry, unlimited, curve, unlimited)
		}
		if n < 1 {
			return c, fmt.Errorf("--capacity %d: want 1 block or more, %s or %s", n, unlimited, curve)
		}
		c.list = append(c.list, n)
	}
	return c, nil
}

// curveCapacities are 1, 2 and 5 in each decade up to the distinct blocks of a
// trace, and unlimited.
func curveCapacities(distinct int) []int {
	var points []int
	for decade := 1; ; decade *= 10 {
		for _, step := range []int{1, 2, 5} {
			if decade*step > distinct {
				return append(points, prefixcache.Unlimited)
			}
			points = append(points, decade*step)
		}
	}
}

// capacityName writes a capacity for a reader.
func capacityName(capacity int) string {
	if capacity == prefixcache.Unlimited {
		return unlimited
	}
	return strconv.Itoa(capacity)
}
