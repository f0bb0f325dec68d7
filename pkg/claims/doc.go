// Package claims compares each number that the lecture prints with the one
// computed here, and says in words whether it holds. It is for the scoreboard,
// for lessons that quote a number, and for CI, which computes seed 0 again.
// Its main type is Judged, one Row with value, interval and verdict;
// Stored returns all of them in some milliseconds and runs nothing.
// A row is reproduced when the 95% interval of its mean over seeds (Student's t)
// meets the tolerance band; rows and bands are datasets/claims.csv, values
// come from the experiments that a Registry is given, and quoted numbers with
// their papers from datasets/paper_results.csv.
package claims
