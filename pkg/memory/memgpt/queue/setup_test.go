package queue

import (
	"math"
	"strings"
)

func nan() float64 { return math.NaN() }

func contains(err error, text string) bool { return err != nil && strings.Contains(err.Error(), text) }
