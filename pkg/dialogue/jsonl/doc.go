// Package jsonl reads and writes dialogues of one's own: one JSON object per line,
// either a message or a question.
// It is for measuring memory and retrieval on real conversations; lines that are
// wrong are named by number and field, and the rest stays in use.
// Its main functions are [Read], which returns dialogues and a [Report], and [Write],
// after which Read gives the same dialogues again.
// Reading costs some 15 us a line and holds the dialogues in memory.
// The format is our own, shown by datasets/sample_dialogue.jsonl; tokens that a line
// does not give are counted by [trace.Approximate].
//
// Fields of any line:
//   - dialogue: the name of the dialogue, so that a file may hold several and no line
//     depends on another; without it, the line belongs to the dialogue without a name.
//   - language: of the dialogue, "en" or "zh"; once is enough. Without it, a dialogue
//     in which at least every fifth letter is Chinese is "zh".
//   - comment: for people; a line may hold nothing else.
//
// Fields of a message:
//   - text: what was said (required).
//   - session: a whole number from 0 (required). Messages are put in the order of
//     sessions, and keep the order of the lines within one.
//   - speaker: a name; role: "user" or "assistant". One of them is required. A speaker
//     without a role has the one that other lines give to that name; otherwise who
//     speaks first in the dialogue is the user, and everybody else the assistant.
//   - time: "2031-03-02T09:10:00Z", "2031-03-02 09:10" (UTC) or "2031-03-02".
//   - id: what evidence refers to; without it L and the number of the line.
//   - tokens: the length of the text, from 1.
//   - facts: what the message states, as in [dialogue.Fact], for scripted judges.
//
// Fields of a question:
//   - question: its text (required).
//   - answer: text or a number; none if nobody said it.
//   - category: any word, for tables by category.
//   - evidence: a list of what one must find to answer, each the id of a message, or
//     a list of ids of which any will do. Ids of no message are left out and reported;
//     a question without evidence stays, and recall leaves it out.
//   - id: without it L and the number of the line.
//   - subject, path, past, near: as in [dialogue.Question], for scripted readers; in
//     evidence an object {"fact": ..., "messages": [...]} gives the fact itself.
package jsonl
