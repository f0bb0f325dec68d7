package retrieve

import "fmt"

// Vectors is an exact index of vectors under cosine similarity: a search looks
// at every one. Vectors are scaled to length 1 when they are added, so that the
// cosine is a dot product; it is summed in float32, in one fixed order on every
// processor, and is good to about six digits (a vector with itself may score
// 0.9999999).
type Vectors struct {
	dim    int
	stride int       // dim, padded with zeros to whole lanes of the dot product
	rows   []float32 // stride numbers for each id
	ids    []string
	order  []uint64 // when each was added: rows move on removal
	next   uint64
	at     map[string]int
}

// NewVectors is an empty index of vectors of dim numbers.
func NewVectors(dim int) (*Vectors, error) {
	if err := checkDim(dim); err != nil {
		return nil, err
	}
	return &Vectors{dim: dim, stride: (dim + lanes - 1) / lanes * lanes, at: map[string]int{}}, nil
}

// Dim is the dimension of the vectors.
func (x *Vectors) Dim() int { return x.dim }

// Len is how many vectors the index holds.
func (x *Vectors) Len() int { return len(x.ids) }

// Add stores a copy of v, scaled to length 1. An id that is held already
// ([ErrDuplicate]), another dimension ([ErrDim]), numbers that are not finite
// ([ErrNotFinite]) and vectors without a direction ([ErrZero]) are refused and
// change nothing.
func (x *Vectors) Add(id string, v []float32) error {
	if _, taken := x.at[id]; taken {
		return fail(ErrDuplicate, "vector %q is in the index: remove it first", id)
	}
	row, err := x.unitRow(v)
	if err != nil {
		return fmt.Errorf("retrieve: vector %q: %w", id, err)
	}
	x.grow()
	x.at[id] = len(x.ids)
	x.rows = append(x.rows, row...)
	x.ids = append(x.ids, id)
	x.order = append(x.order, x.next)
	x.next++
	clear(row)
	return nil
}

// grow makes room for one more row. append would leave a copy of all vectors
// behind, which Remove could no longer erase.
func (x *Vectors) grow() {
	if len(x.rows)+x.stride <= cap(x.rows) {
		return
	}
	old := x.rows
	x.rows = append(make([]float32, 0, max(2*len(old), 16*x.stride)), old...)
	clear(old)
}

// unitRow is v of length 1, padded.
func (x *Vectors) unitRow(v []float32) ([]float32, error) {
	if len(v) != x.dim {
		return nil, fmt.Errorf("%w: %d numbers, want %d", ErrDim, len(v), x.dim)
	}
	row := make([]float32, x.stride)
	copy(row, v)
	return row, unit(row[:x.dim])
}

// Remove erases a vector and says whether it was there. Its numbers are
// overwritten: none of them stays in the index's memory.
func (x *Vectors) Remove(id string) bool {
	i, ok := x.at[id]
	if !ok {
		return false
	}
	last := len(x.ids) - 1
	if i != last {
		copy(x.row(i), x.row(last))
		x.ids[i], x.order[i] = x.ids[last], x.order[last]
		x.at[x.ids[i]] = i
	}
	clear(x.row(last))
	x.ids[last], x.order[last] = "", 0
	x.rows, x.ids, x.order = x.rows[:last*x.stride], x.ids[:last], x.order[:last]
	delete(x.at, id)
	return true
}

func (x *Vectors) row(i int) []float32 { return x.rows[i*x.stride : (i+1)*x.stride] }

// Search returns the k vectors (or as many as there are) with the largest cosine
// to v, of equal ones the one added first. Where keep is not nil, only ids that
// it accepts count; it is asked in no order, and only about those that would be
// among the k best.
func (x *Vectors) Search(v []float32, k int, keep func(id string) bool) ([]Hit, error) {
	if err := checkCount("k", k); err != nil {
		return nil, err
	}
	query, err := x.unitRow(v)
	if err != nil {
		return nil, fmt.Errorf("retrieve: the query: %w", err)
	}
	top := best{k: k}
	for i, id := range x.ids {
		score := float64(dot(query, x.row(i)))
		if top.full() && score < top.heap[0].score {
			continue // the usual case, kept short
		}
		f := found{score: score, order: x.order[i], row: i}
		if top.admits(f) && (keep == nil || keep(id)) {
			top.add(f)
		}
	}
	return top.hits(func(row int) string { return x.ids[row] }), nil
}

// Score is the cosine of v and the vector of id, exactly as Search gives it.
func (x *Vectors) Score(id string, v []float32) (float64, error) {
	if _, ok := x.at[id]; !ok {
		return 0, fail(ErrUnknown, "no vector %q among %d", id, len(x.ids))
	}
	score, err := x.Scorer(v)
	if err != nil {
		return 0, err
	}
	s, _ := score(id)
	return s, nil
}

// Scorer scales v once, and gives its cosine with the vector of any id, exactly as
// Search does; false if there is none of that id. It sees what is added and removed.
func (x *Vectors) Scorer(v []float32) (func(id string) (float64, bool), error) {
	query, err := x.unitRow(v)
	if err != nil {
		return nil, fmt.Errorf("retrieve: the query: %w", err)
	}
	return func(id string) (float64, bool) {
		i, ok := x.at[id]
		if !ok {
			return 0, false
		}
		return float64(dot(query, x.row(i))), true
	}, nil
}
