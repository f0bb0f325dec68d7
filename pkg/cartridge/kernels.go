package cartridge

// The kernels that a step spends its time in come in a plain form and in vector
// forms for registers of 8 and of 16 numbers, each beside the other in files of
// one name (exp.go, exp_amd64.go). All forms do the same operations in the same
// order and round after each (no fused multiply-add), so that a training gives the
// same bytes with and without SIMD.

// lanes is how many partial sums a sum over a row has, whatever the registers.
const lanes = 8
