// Package playbook is the experiment behind the lecture's numbers on serving an
// evolving playbook (sections 5.4 and 10.5), and tries in a toy what ACE claims of
// learning with one (5.1 to 5.3). It is for the scoreboard of claims and for the
// notebook that shows growth, collapse, pollution and what the prefix cache reuses.
// Its main functions are Serve, 300 tasks of a scripted agent under one Variant with
// the ledger of its calls, and Learn, the same loop with an agent that learns hidden
// rules; Experiment yields 9 claims, Curve runs learners over seeds with intervals.
// A run costs some milliseconds, one that rewrites or deduplicates some tens.
// Bullets, merges and cheatsheets are package playbook's, reuse package serving's,
// seconds package costmodel's; the scripted rates are the lecture's, the learner's are ours.
package playbook
