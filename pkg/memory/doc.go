// Package memory says what a memory system for long dialogues is, asks it
// questions, and finds the step in which each wrong answer was lost.
// It is for comparing systems on the same dialogues: what they remember, what they
// cost when something is written and when it is read, and why they fail.
// Its main types are [System], which the packages below this one implement, and
// [Run], what [Evaluate] makes of one dialogue; an [Account] counts every call.
// Asking costs what the system costs; attribution is linear in what a question
// needs and what was read for it.
// The readers are those of the lecture's toy (§3.3); attribution follows the
// sources that systems carry along with every fact, and never compares texts.
package memory
