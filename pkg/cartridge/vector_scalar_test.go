//go:build !(goexperiment.simd && amd64)

package cartridge

func setForm(form) {}
