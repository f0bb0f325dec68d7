package cartridge

import "math"

// expRow replaces each number x of a row by exp(factor (x - m)), m being the
// row's maximum, and returns m and the sum.
func expRow(row []float32, factor float32) (m, sum float32) {
	if vector {
		return expRowVector(row, factor)
	}
	return expRowPlain(row, factor)
}

func expRowPlain(row []float32, factor float32) (m, sum float32) {
	m = row[0]
	for _, x := range row {
		if x > m {
			m = x
		}
	}
	var s [lanes]float32
	rest := row
	for ; len(rest) >= lanes; rest = rest[lanes:] {
		for l := range lanes {
			e := power(split(factor * (rest[l] - m)))
			rest[l] = e
			s[l] += e
		}
	}
	for l, x := range rest {
		e := exp(factor * (x - m))
		rest[l] = e
		s[l] += e
	}
	return m, total(s)
}

// The constants of Cephes' expf: x = n ln 2 + r, exp(x) = 2^n P(r). ln 2 comes in
// two parts, the first with few bits, so that n times it is exact.
const (
	expLow    = -87 // what is smaller counts as this, 2e-38
	log2e     = 1.44269504088896341
	ln2High   = 0.693359375
	ln2Low    = -2.12194440e-4
	expP0     = 1.9875691500e-4
	expP1     = 1.3981999507e-3
	expP2     = 8.3334519073e-3
	expP3     = 4.1665795894e-2
	expP4     = 1.6666665459e-1
	expP5     = 5.0000001201e-1
	roundOff  = 3 << 22 // adding and taking it away again rounds to a whole number
	fractions = 23      // bits of a float32's fraction
	bias      = 127     // of its exponent
)

// exp is e^x of a number that is not above 88, within 2 units in the last place;
// NaN of what is not finite. It is cut in two so that both are inlined.
func exp(x float32) float32 { return power(split(x)) }

func split(x float32) (n, r, zero float32) {
	zero = x - x // NaN if x is not finite
	if x < expLow {
		x = expLow
	}
	n = float32(float32(x*log2e)+roundOff) - roundOff
	return n, float32(x-float32(n*ln2High)) - float32(n*ln2Low), zero
}

// power evaluates the polynomial in three pieces that do not wait for each other.
func power(n, r, zero float32) float32 {
	r2 := r * r
	p := float32((float32(expP0*r)+expP1)*r2) + (float32(expP2*r) + expP3)
	p = float32(p*r2) + (float32(expP4*r) + expP5 + zero)
	return (float32(p*r2) + r + 1) * math.Float32frombits(uint32(int32(n)+bias)<<fractions)
}
