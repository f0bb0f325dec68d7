package serving

// arena hands out short slices that live as long as each other, from few
// allocations. The zero value is ready.
type arena[T any] struct{ free []T }

// take gives n zero values that no other slice reaches.
func (a *arena[T]) take(n int) []T {
	if n > len(a.free) {
		a.free = make([]T, max(n, 1024))
	}
	s := a.free[:n:n]
	a.free = a.free[n:]
	return s
}
