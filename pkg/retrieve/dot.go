package retrieve

// lanes is the width of the dot product: rows are padded to a multiple of it.
const lanes = 8

// plainDot sums a[i]*b[i] in the order of the SIMD kernel, so that both give the
// same bits on every processor: block n of 8 products goes to accumulator n mod 4,
// lane by lane; the accumulators are added as (0+1)+(2+3), the lanes as below.
// Both slices have one length, a multiple of lanes.
func plainDot(a, b []float32) float32 {
	b = b[:len(a)]
	var sum [lanes]float32
	for lane := range sum {
		var s0, s1, s2, s3 float32
		i := lane
		for ; i+3*lanes < len(a); i += 4 * lanes {
			// The conversions forbid a fused multiply-add, which rounds differently.
			s0 += float32(a[i] * b[i])
			s1 += float32(a[i+lanes] * b[i+lanes])
			s2 += float32(a[i+2*lanes] * b[i+2*lanes])
			s3 += float32(a[i+3*lanes] * b[i+3*lanes])
		}
		if i < len(a) {
			s0 += float32(a[i] * b[i])
		}
		if i += lanes; i < len(a) {
			s1 += float32(a[i] * b[i])
		}
		if i += lanes; i < len(a) {
			s2 += float32(a[i] * b[i])
		}
		sum[lane] = (s0 + s1) + (s2 + s3)
	}
	return addLanes(sum)
}

func addLanes(s [lanes]float32) float32 {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}
