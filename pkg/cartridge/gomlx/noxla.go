//go:build !xla || !cgo

package gomlx

import "memlab/pkg/cartridge"

// XLA is the engine on Google's XLA. This build is without it: see ErrNoXLA.
func XLA(s cartridge.Setup) (cartridge.Engine, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return nil, ErrNoXLA
}
