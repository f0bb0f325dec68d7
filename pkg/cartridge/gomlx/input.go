package gomlx

import "memlab/pkg/cartridge"

// input is a matrix that a graph takes. It is written once for all steps or anew
// for each.
type input struct {
	shape func(s cartridge.Setup) (rows, cols int)
	once  func(to []float32, s cartridge.Setup)
	each  func(to []float32, s cartridge.Setup, z *cartridge.Cartridge, b *cartridge.Batch)
}

// What graphs take: each matrix also transposed, or times a constant of the model,
// where that saves the graph the work in every step.
var (
	keys = input{
		shape: func(s cartridge.Setup) (int, int) { return s.Slots, s.KeyDim },
		each: func(to []float32, _ cartridge.Setup, z *cartridge.Cartridge, _ *cartridge.Batch) {
			copy(to, z.K.Data)
		},
	}
	values = input{
		shape: func(s cartridge.Setup) (int, int) { return s.Slots, s.Candidates.Cols },
		each: func(to []float32, _ cartridge.Setup, z *cartridge.Cartridge, _ *cartridge.Batch) {
			copy(to, z.V.Data)
		},
	}
	valuesT = input{
		shape: func(s cartridge.Setup) (int, int) { return s.Candidates.Cols, s.Slots },
		each: func(to []float32, _ cartridge.Setup, z *cartridge.Cartridge, _ *cartridge.Batch) {
			transpose(to, z.V, 1)
		},
	}
	questions = input{
		shape: func(s cartridge.Setup) (int, int) { return s.Batch, s.KeyDim },
		each: func(to []float32, _ cartridge.Setup, _ *cartridge.Cartridge, b *cartridge.Batch) {
			copy(to, b.Q.Data)
		},
	}
	questionsBeta = input{
		shape: questions.shape,
		each: func(to []float32, s cartridge.Setup, _ *cartridge.Cartridge, b *cartridge.Batch) {
			for i, x := range b.Q.Data {
				to[i] = float32(s.Model.Beta) * x
			}
		},
	}
	questionsBetaT = input{
		shape: func(s cartridge.Setup) (int, int) { return s.KeyDim, s.Batch },
		each: func(to []float32, s cartridge.Setup, _ *cartridge.Cartridge, b *cartridge.Batch) {
			transpose(to, b.Q, float32(s.Model.Beta))
		},
	}
	means = input{
		shape: func(s cartridge.Setup) (int, int) { return s.Batch, s.Candidates.Cols },
		each: func(to []float32, _ cartridge.Setup, _ *cartridge.Cartridge, b *cartridge.Batch) {
			copy(to, b.Mean.Data)
		},
	}
	candidates = input{
		shape: func(s cartridge.Setup) (int, int) { return s.Candidates.Rows, s.Candidates.Cols },
		once:  func(to []float32, s cartridge.Setup) { copy(to, s.Candidates.Data) },
	}
	candidatesGammaT = input{
		shape: func(s cartridge.Setup) (int, int) { return s.Candidates.Cols, s.Candidates.Rows },
		once: func(to []float32, s cartridge.Setup) {
			transpose(to, s.Candidates, float32(s.Model.Gamma))
		},
	}
)

// transpose writes m transposed, times a factor, some rows at a time, so that what
// it writes is still in the cache when the next column needs it.
func transpose(to []float32, m cartridge.Matrix, by float32) {
	const rows = 16
	for from := 0; from < m.Rows; from += rows {
		end := min(from+rows, m.Rows)
		for j := range m.Cols {
			column := to[j*m.Rows : (j+1)*m.Rows]
			for i := from; i < end; i++ {
				column[i] = by * m.Data[i*m.Cols+j]
			}
		}
	}
}

// meanEntropy is the part of a batch's loss that no cartridge changes.
func meanEntropy(b *cartridge.Batch) float64 {
	var sum float64
	for _, x := range b.NegEntropy {
		sum += float64(x)
	}
	return sum / float64(len(b.NegEntropy))
}
