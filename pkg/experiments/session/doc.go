// Package session is the experiment behind the lecture's numbers on serving MemGPT:
// a session of 600 turns in a window of 8,000 tokens (sections 2.3 and 10.3). It is
// for the scoreboard of claims and for the notebook that shows what edits of the
// working context, evictions and prompt layouts cost in prefill. Its main function
// is Run, one session under one Setting with the ledger of all its calls; Experiment
// yields 20 claims, Sweep compares eviction shares, layouts and habits of storing.
// A session takes some milliseconds, the experiment a few tens for each seed.
// The queue is package queue's, reuse and causes are package serving's; lengths and
// probabilities are calibrated, see Parameters.
package session
