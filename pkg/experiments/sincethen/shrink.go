package sincethen

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"memlab/pkg/cartridge"
	"memlab/pkg/claims"
	"memlab/pkg/random"
)

// Shrunk is what the lecture's toy document (§4.5) still answers when its keys and
// values were made smaller without training.
type Shrunk struct {
	Kind Kind `json:"kind"`
	// Setting is the number of bits, of tokens that became one, or the rank.
	Setting int `json:"setting"`
	// Factor is the memory before over after, with numbers of 16 bits before.
	Factor   float64     `json:"times_smaller"`
	Accuracy claims.Mean `json:"accuracy"` // on questions in other words
}

// LowRank is a kind that only the toy has: keys and values as products of two
// narrow matrices.
const LowRank Kind = "low rank"

// The toy: 512 facts, keys and values of 64 numbers.
const (
	ToyFacts = 512
	dims     = 64
)

// maxSeeds bounds the work; a seed takes about a second.
const maxSeeds = 1000

// Shrink scores the toy's document made smaller in several ways and to several
// sizes, over seeds 0 to seeds-1.
//
// Quantised: each key and value gets a scale of 16 bits of its own. Dropped: the first
// tokens stay, which loses as much as any choice that does not know the questions. Merged:
// neighbours are averaged. Low rank: the nearest matrices of that rank (singular
// values). The toy's facts have nothing to do with each other: neighbours share nothing,
// and no rank is too many. That is the worst case for merging and low rank, and a kind one
// for few bits, since random directions are far apart.
func Shrink(seeds int) ([]Shrunk, error) {
	if seeds < 2 || seeds > maxSeeds {
		return nil, bad("seeds %d: an interval wants 2 or more, at most %d", seeds, maxSeeds)
	}
	ways := shrinkings()
	values := make([][]float64, len(ways))
	for seed := range seeds {
		text, err := cartridge.NewCorpus(ToyFacts, dims, random.Seed(seed).Stream("corpus"))
		if err != nil {
			return nil, fmt.Errorf("sincethen: %w", err)
		}
		ask, err := text.Rephrased(1, cartridge.DefaultDistance, cartridge.Anyhow, random.Seed(seed).Stream("ask"))
		if err != nil {
			return nil, fmt.Errorf("sincethen: %w", err)
		}
		for i, w := range ways {
			small, err := w.apply(text)
			if err != nil {
				return nil, fmt.Errorf("sincethen: %s to %d: %w", w.Kind, w.Setting, err)
			}
			reader, err := cartridge.DefaultModel().With(small)
			if err != nil {
				return nil, fmt.Errorf("sincethen: %w", err)
			}
			right, err := cartridge.Score(reader, ask, text.V)
			if err != nil {
				return nil, fmt.Errorf("sincethen: %w", err)
			}
			values[i] = append(values[i], right)
		}
	}
	out := make([]Shrunk, len(ways))
	for i, w := range ways {
		w.Accuracy = claims.ShareOf(values[i])
		out[i] = w.Shrunk
	}
	return out, nil
}

type shrinking struct {
	Shrunk
	apply func(*cartridge.Corpus) (*cartridge.Cartridge, error)
}

// shrinkings are all settings, each kind from little to much.
func shrinkings() []shrinking {
	var out []shrinking
	for _, bits := range []int{8, 4, 3, 2, 1} {
		out = append(out, shrinking{Shrunk{Kind: Quantise, Setting: bits, Factor: 16 / (float64(bits) + 16.0/dims)}, each2(func(m cartridge.Matrix) cartridge.Matrix { return quantised(m, bits) })})
	}
	for _, n := range []int{2, 4, 8, 16} {
		out = append(out,
			shrinking{Shrunk{Kind: Drop, Setting: n, Factor: float64(n)}, each2(func(m cartridge.Matrix) cartridge.Matrix { return m.Slice(0, m.Rows/n).Clone() })},
			shrinking{Shrunk{Kind: Merge, Setting: n, Factor: float64(n)}, each2(func(m cartridge.Matrix) cartridge.Matrix { return merged(m, n) })})
	}
	for _, rank := range []int{32, 16, 8, 4} {
		out = append(out, shrinking{Shrunk{Kind: LowRank, Setting: rank, Factor: ToyFacts * dims / float64(rank*(ToyFacts+dims))}, func(c *cartridge.Corpus) (*cartridge.Cartridge, error) {
			k, err := lowRank(c.K, rank)
			if err != nil {
				return nil, err
			}
			v, err := lowRank(c.V, rank)
			if err != nil {
				return nil, err
			}
			return &cartridge.Cartridge{K: k, V: v}, nil
		}})
	}
	return out
}

func each2(f func(cartridge.Matrix) cartridge.Matrix) func(*cartridge.Corpus) (*cartridge.Cartridge, error) {
	return func(c *cartridge.Corpus) (*cartridge.Cartridge, error) {
		return &cartridge.Cartridge{K: f(c.K), V: f(c.V)}, nil
	}
}

// quantised rounds each row to 2^bits evenly spaced levels, the outermost at its
// largest number on either side, and brings it back to its length.
func quantised(m cartridge.Matrix, bits int) cartridge.Matrix {
	out := m.Clone()
	steps := math.Exp2(float64(bits)) - 1
	for i := range out.Rows {
		row := out.Row(i)
		var top, before, after float64
		for _, x := range row {
			top, before = math.Max(top, math.Abs(float64(x))), before+float64(x)*float64(x)
		}
		if top == 0 {
			continue
		}
		for j, x := range row {
			level := math.Round((float64(x)/top + 1) / 2 * steps)
			row[j] = float32(2*level/steps - 1)
			after += float64(row[j]) * float64(row[j])
		}
		for j := range row {
			row[j] *= float32(math.Sqrt(before / after))
		}
	}
	return out
}

// merged averages n rows after each other.
func merged(m cartridge.Matrix, n int) cartridge.Matrix {
	out := cartridge.NewMatrix(m.Rows/n, m.Cols)
	for i := range out.Rows * n {
		row := out.Row(i / n)
		for j, x := range m.Row(i) {
			row[j] += x / float32(n)
		}
	}
	return out
}

// lowRank is the nearest matrix of a rank.
func lowRank(m cartridge.Matrix, rank int) (cartridge.Matrix, error) {
	dense := mat.NewDense(m.Rows, m.Cols, nil)
	for i := range m.Rows {
		for j, x := range m.Row(i) {
			dense.Set(i, j, float64(x))
		}
	}
	var svd mat.SVD
	if !svd.Factorize(dense, mat.SVDThin) {
		return cartridge.Matrix{}, bad("a matrix of %d x %d has no singular values: want finite numbers", m.Rows, m.Cols)
	}
	var u, v, near mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	sizes := svd.Values(nil)
	clear(sizes[rank:])
	near.Product(&u, mat.NewDiagDense(len(sizes), sizes), v.T())
	out := cartridge.NewMatrix(m.Rows, m.Cols)
	for i := range m.Rows {
		for j := range m.Cols {
			out.Row(i)[j] = float32(near.At(i, j))
		}
	}
	return out, nil
}
