//go:build !goexperiment.simd || !amd64

package retrieve

func dot(a, b []float32) float32 { return plainDot(a, b) }
