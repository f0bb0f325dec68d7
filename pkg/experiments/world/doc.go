// Package world asks the same questions about the same long dialogues of every
// memory system: full context, RAG, mem0, its graph variant and MemGPT, in the
// calibrated toy of the lecture's §3.3.
// It is for the rows of 3.3 and 10.2 of the claims, for the figures of the lesson,
// and for comparing systems with other settings on the command line.
// Its main types are [Setting], a system as "rag:128x16" names it, and [Result],
// what it came to on one group of conversations; [Compare] does that over seeds.
// A group of ten conversations costs some tens of milliseconds for each system.
// Sources: the lecture's numbers; the papers of mem0 (2025) and MemGPT (2023) for
// what the systems do; the parameters of the toy are calibrated, see Parameters.
package world
