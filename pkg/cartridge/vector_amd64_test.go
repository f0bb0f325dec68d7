//go:build goexperiment.simd && amd64

package cartridge

func setForm(f form) { vector, wide = f.vector, f.wide }
