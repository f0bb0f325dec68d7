// Package locomo reads LOCOMO's conversations and questions as package dialogue
// has them: two speakers over months, sessions with dates, questions in five
// categories that name the turns they rest on.
// It is for measuring memory and retrieval on real text; the file holds slips, and
// each of them is named in the report while the rest stays in use.
// Its main function is [Read], which returns dialogues and a [Report].
// The whole file (2.8 MB, 5,882 turns, 1,986 questions) takes some 100 ms.
// The source is Maharana et al., Evaluating Very Long-Term Conversational Memory of
// LLM Agents (ACL 2024), data/locomo10.json of snap-research/LoCoMo (CC BY-NC 4.0,
// so no part of it is stored here).
//
// What becomes of a turn:
//   - Its id stays ("D1:3" is the third turn of session 1).
//   - The caption of an image belongs to the text, as " [image: CAPTION]" after what
//     was said; links and search terms of images are left out.
//   - All turns of a session carry the session's date and time, which the file gives
//     without a zone; it is read as UTC.
//   - speaker_a is the user and speaker_b the assistant, since a dialogue has such
//     roles; in LOCOMO both are people.
//   - Tokens are counted by [trace.Approximate], of the text without the speaker.
//
// What becomes of a question: its id is q and its place in the list from 1; every
// piece of evidence is a need of its own, without a fact in words. The wrong answer
// that an adversarial question suggests is counted only; its answer is empty, which
// says that nobody said it, unless the file gives one. Summaries, observations and
// events, which a model wrote, are left out.
package locomo
