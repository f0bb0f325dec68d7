package playbook

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// buckets compares a vector only with those that share a bucket with it in at
// least one of several tables. The bucket of a table is a row of signs of random
// projections: two vectors at the angle a agree in each sign with probability
// 1 - a/pi, and in a whole row with that to the power of its length.
type buckets struct {
	threshold float64
	size      int // of the padded vectors, a power of two
	flips     [][]float32
	signs     int // in a row
	tables    []map[uint64][]int32
	held      []entry
	at        map[string]int32
	turned    []float32
	compared  int // cosines computed so far
}

type entry struct {
	id     string
	vector []float32 // nil: removed
	keys   []uint64
}

// missed is how many pairs just at the threshold are not found.
const missed = 0.02

// maxTables bounds memory and time; a low threshold gets shorter rows instead.
const maxTables = 128

// newBuckets chooses rows so long that unrelated vectors hardly meet, and as many
// tables as it takes not to miss more than that share.
func newBuckets(dim, n int, threshold float64) *buckets {
	x := &buckets{threshold: threshold - rounding, size: 1, signs: max(8, bits.Len(uint(n)))}
	for x.size < max(dim, 64) {
		x.size *= 2
	}
	tables := x.rows(threshold)
	for tables > maxTables && x.signs > 1 {
		x.signs--
		tables = x.rows(threshold)
	}
	x.tables = make([]map[uint64][]int32, tables)
	for i := range x.tables {
		x.tables[i] = map[uint64][]int32{}
	}
	x.at = map[string]int32{}
	r := rand.New(rand.NewPCG(1, 2)) // fixed: the same bullets meet in every run
	for range (tables*x.signs + x.size - 1) / x.size * rounds {
		flip := make([]float32, x.size)
		for i := range flip {
			flip[i] = float32(1 - 2*int(r.Uint64()&1))
		}
		x.flips = append(x.flips, flip)
	}
	x.turned = make([]float32, x.size)
	return x
}

// rows is how many tables find all but the missed share of pairs at the threshold.
func (x *buckets) rows(threshold float64) int {
	agree := math.Pow(1-math.Acos(threshold)/math.Pi, float64(x.signs))
	if agree >= 1 {
		return 1
	}
	return max(1, int(math.Ceil(math.Log(missed)/math.Log1p(-agree))))
}

// rounds of random signs and a Hadamard transform make one random rotation
// (Ailon and Chazelle 2009), which gives size projections at once.
const rounds = 3

func (x *buckets) keys(v []float32) []uint64 {
	keys := make([]uint64, len(x.tables))
	turn, free := 0, 0
	for i := range keys {
		for range x.signs {
			if free == 0 {
				x.rotate(v, turn)
				turn, free = turn+1, x.size
			}
			free--
			keys[i] = keys[i]<<1 | uint64(math.Float32bits(x.turned[free])>>31)
		}
	}
	return keys
}

func (x *buckets) rotate(v []float32, turn int) {
	clear(x.turned)
	copy(x.turned, v)
	for _, flip := range x.flips[turn*rounds : (turn+1)*rounds] {
		for i := range x.turned {
			x.turned[i] *= flip[i]
		}
		for h := 1; h < x.size; h *= 2 {
			for i := 0; i < x.size; i += 2 * h {
				a, b := x.turned[i:i+h], x.turned[i+h:i+2*h]
				for j := range a {
					a[j], b[j] = a[j]+b[j], a[j]-b[j]
				}
			}
		}
	}
}

func (x *buckets) add(id string, v []float32) error {
	keys := x.keys(v)
	n := int32(len(x.held))
	x.held = append(x.held, entry{id, v, keys})
	x.at[id] = n
	for i, k := range keys {
		x.tables[i][k] = append(x.tables[i][k], n)
	}
	return nil
}

func (x *buckets) remove(id string) {
	n, ok := x.at[id]
	if !ok {
		return
	}
	for i, k := range x.held[n].keys {
		bucket := x.tables[i][k]
		for j, m := range bucket {
			if m == n {
				bucket[j] = bucket[len(bucket)-1]
				x.tables[i][k] = bucket[:len(bucket)-1]
				break
			}
		}
	}
	x.held[n] = entry{}
	delete(x.at, id)
}

func (x *buckets) best(v []float32) (string, float64, error) {
	seen := map[int32]bool{}
	best, cosine := int32(-1), 0.0
	for i, k := range x.keys(v) {
		for _, n := range x.tables[i][k] {
			if seen[n] {
				continue
			}
			seen[n] = true
			x.compared++
			c := dot(v, x.held[n].vector)
			if c > cosine || c == cosine && n < best {
				best, cosine = n, c
			}
		}
	}
	if best < 0 || cosine < x.threshold {
		return "", 0, nil
	}
	return x.held[best].id, cosine, nil
}

func dot(a, b []float32) float64 {
	var s float32
	for i := range a {
		s += a[i] * b[i]
	}
	return float64(s)
}
