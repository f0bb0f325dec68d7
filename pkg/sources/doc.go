// Package sources lists what the lecture is made from: papers, and the code one
// can read beside them. It is for the reading lists of notebook 11 and for tests
// that hold them against the repository, and has a home of its own because neither
// the claims nor a figure owns it. The main type is Source, a row of
// datasets/sources.csv; Quiz asks which number is from which paper. Reading takes
// some hundred microseconds and nothing is looked up on a network. Identifiers are
// the lecture's (section 11) or those printed on the papers; one that is not
// certain is left out.
package sources
