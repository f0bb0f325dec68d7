// Package calibration asks what the numbers are worth that come out under
// parameters chosen to make them come out. It fits an experiment's free parameters
// to half of its fitted rows by a search that is written down, predicts the other
// half and counts hits and misses beside those of random parameters; and it moves
// one parameter at a time and names the rows that turn red. Its main function is
// HeldOut; Sensitivity is the other. Both take some minutes, so that their results
// are stored (package stored reads them); memlab claims --heldout --update computes
// them anew. The search is a (1+1) evolution strategy from the best of random draws;
// what each range stands for is written beside it.
package calibration
