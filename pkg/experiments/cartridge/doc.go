// Package cartridge is the experiment behind the lecture's numbers on training a
// block of KV (sections 4.5 and 10.6). It is for the scoreboard of claims and for
// the notebook that trains cartridges. Its main functions are Experiments, which
// yield 25 claims, and those that return curves: OverSlots, OverSteps, Leaks, Slots,
// Sensitivity, Jointly, Distances, Kinds and LowRank.
// On one core with SIMD a seed of the baselines takes a quarter of a second, of the
// trainings 20 seconds, of composition 12 and of the long document a minute.
// Gradients are package cartridge's hand-written ones, after a check against automatic
// differentiation, central differences and literal loops has passed in the same run;
// sizes are the lecture's, rates are calibrated, see Parameters.
package cartridge
