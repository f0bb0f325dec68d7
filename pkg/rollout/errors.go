package rollout

import (
	"errors"
	"fmt"
	"math"
)

// ErrBadField is wrapped where a field or argument has an impossible value.
var ErrBadField = errors.New("bad value")

func bad(field string, value any, want string) error {
	return fmt.Errorf("rollout: %s %v: %w: want %s", field, value, ErrBadField, want)
}

// maxCount bounds lengths and numbers of samples, so that sums of tokens stay
// exact in a float64.
const maxCount = 1 << 26

// maxReplicas bounds what is kept of each replica, busy or not: some kilobytes.
const maxReplicas = 1 << 16

func whole(field string, v, least int) error {
	if v < least || v > maxCount {
		return bad(field, v, fmt.Sprintf("a whole number from %d to %d", least, maxCount))
	}
	return nil
}

func amount(field string, v float64) error {
	if !(v >= 0 && v <= 1e12) {
		return bad(field, v, "a number from 0 to 1e12")
	}
	return nil
}

func share(field string, v float64) error {
	if !(v >= 0 && v <= 1) || math.IsNaN(v) {
		return bad(field, v, "a share from 0 to 1")
	}
	return nil
}
