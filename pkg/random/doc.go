// Package random gives every purpose its own stream of random numbers. It is for
// simulations that must come out alike under one seed and of which one part can
// draw more without shifting another, so that two systems share the draws they
// have in common. Its main type is Seed; Seed.Stream names a purpose and returns a
// *rand.Rand. A stream costs half a microsecond to make and some nanoseconds for
// each draw. Streams are PCG generators of math/rand/v2, whose 128 bits of state are
// the SHA-256 of seed and names.
package random
