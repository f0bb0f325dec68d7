package mem0

import (
	"encoding/json"
	"strings"
	"unicode"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
)

// wording is what the prompts say in one language.
type wording struct {
	extract, update, digest                        string
	summary, recent, pair, known, fact, empty, end string
	speakers                                       map[dialogue.Role]string
}

var english = wording{
	extract: `You keep the memory of a long conversation. List the facts about the user, and about the people in their life, that the new messages state and that will still matter later.
- One memory for one topic. Two topics in a sentence are two facts: never merge them.
- Keep the language of the messages. Translate nothing: names, foods and places stay as they were written.
- The summary and the earlier messages only help to understand the new ones. Take no facts out of them.
- Small talk, questions and guesses state nothing. If nothing is stated, the list is empty.
Give each fact as a short sentence and as a triple. The user is called "user" as a subject. Use the same name for the same relation each time. "type" is "person" if the object is one, else leave it out. "source" is the number of the message.
Reply with JSON only:
{"facts": [{"source": 1, "text": "...", "subject": "user", "relation": "...", "object": "...", "type": "person"}]}`,
	update: `You keep the memory of a long conversation. Compare the new fact with the existing memories and decide.
- ADD: it is new. It may be about another topic than everything below; then the memories below stay as they are.
- UPDATE: one memory on the same topic is to say this instead. Give its number and the whole new text.
- DELETE: one memory on the same topic is no longer true. Give its number. If the new fact takes its place, ADD as well.
- NOOP: a memory says the same already, in whatever words. Give its number. The same fact again is never a reason to DELETE.
One memory for one topic: do not merge different topics, and do not overwrite one with another. Facts about different people are different topics.
Keep the language of the fact. Translate nothing.
Use only the numbers shown. Reply with JSON only:
{"operations": [{"op": "ADD"}]} or {"operations": [{"op": "UPDATE", "id": 0, "text": "...", "subject": "user", "relation": "...", "object": "..."}]} or {"operations": [{"op": "DELETE", "id": 0}, {"op": "ADD"}]} or {"operations": [{"op": "NOOP", "id": 0}]}`,
	digest:  `Write a short summary, a paragraph at most, of what the conversation has been about, from the previous summary and the messages since. Keep the language of the messages. Reply with the summary only.`,
	summary: "Summary so far:", recent: "Earlier messages:", pair: "New messages:",
	known: "Existing memories:", fact: "New fact:", empty: "(none)", end: ": ",
	speakers: map[dialogue.Role]string{dialogue.User: "user", dialogue.Assistant: "assistant"},
}

var chinese = wording{
	extract: `你负责维护一段长对话的记忆。请列出新消息中陈述的、以后仍然有用的事实，包括关于用户本人和用户身边的人的事实。
- 一条记忆只写一个主题。一句话里有两个主题，就是两条事实，不要合并。
- 保持消息原来的语言，不要翻译：人名、食物、地点都照原文写。
- 摘要和之前的消息只用来帮助理解新消息，不要从中抽取事实。
- 闲聊、提问和猜测不算陈述。没有陈述任何事实时，列表为空。
每条事实写成一个短句，同时写成三元组。主语是用户时写作 "user"。同一种关系每次用同一个名称。宾语是人时 "type" 写 "person"，否则省略。"source" 是消息的编号。
只回复 JSON：
{"facts": [{"source": 1, "text": "……", "subject": "user", "relation": "……", "object": "……", "type": "person"}]}`,
	update: `你负责维护一段长对话的记忆。请把新事实与已有记忆比较，然后决定怎么做。
- ADD：这是新的事实。它的主题可以与下面的记忆都不同，这时下面的记忆保持不变。
- UPDATE：同一主题的某条记忆应改成这个内容。给出它的编号和完整的新文本。
- DELETE：同一主题的某条记忆已经不成立。给出它的编号。如果由新事实取代它，再加一个 ADD。
- NOOP：已有记忆说的是同一件事，不论措辞如何。给出它的编号。同一事实再说一遍，绝不是 DELETE 的理由。
一条记忆只写一个主题：不要合并不同的主题，也不要用一个主题覆盖另一个。不同的人的事实是不同的主题。
保持事实原来的语言，不要翻译。
只能使用列出的编号。只回复 JSON：
{"operations": [{"op": "ADD"}]} 或 {"operations": [{"op": "UPDATE", "id": 0, "text": "……", "subject": "user", "relation": "……", "object": "……"}]} 或 {"operations": [{"op": "DELETE", "id": 0}, {"op": "ADD"}]} 或 {"operations": [{"op": "NOOP", "id": 0}]}`,
	digest:  `请根据之前的摘要和其后的消息，写一段简短的摘要（最多一段），说明这段对话谈了什么。保持消息原来的语言。只回复摘要本身。`,
	summary: "目前的摘要：", recent: "之前的消息：", pair: "新消息：",
	known: "已有记忆：", fact: "新事实：", empty: "（无）", end: "：",
	speakers: map[dialogue.Role]string{dialogue.User: "用户", dialogue.Assistant: "助手"},
}

// wordingFor is Chinese where Han characters make a good part of the letters and no
// kana are among them. A Han character is about a word, so a fifth of the letters is
// most of the text.
func wordingFor(texts ...string) *wording {
	han, letters := 0, 0
	for _, text := range texts {
		for _, r := range text {
			switch {
			case unicode.In(r, unicode.Hiragana, unicode.Katakana):
				return &english
			case unicode.Is(unicode.Han, r):
				han++
				letters++
			case unicode.IsLetter(r):
				letters++
			}
		}
	}
	if han > 0 && han*5 >= letters {
		return &chinese
	}
	return &english
}

// ExtractPrompt is what a model reads to extract facts: instructions, summary, the
// recent messages and the pair with the messages numbered from 1.
func ExtractPrompt(e Extraction) string {
	w := wordingFor(textsOf(e.Pair)...)
	var b strings.Builder
	b.WriteString(w.extract)
	w.part(&b, w.summary, e.Summary)
	w.part(&b, w.recent, w.lines(e.Recent))
	w.part(&b, w.pair, w.numbered(e.Pair))
	return b.String()
}

// UpdatePrompt is what a model reads to decide on a fact: instructions, the existing
// memories numbered from 0, whatever their ids are, and the fact.
func UpdatePrompt(u Update) string {
	w := wordingFor(u.Candidate.Text)
	var b strings.Builder
	b.WriteString(w.update)
	lines := make([]string, len(u.Existing))
	for i, m := range u.Existing {
		lines[i] = line(shown{ID: &i, Text: m.Text, Subject: m.Fact.Subject, Relation: m.Fact.Relation, Object: m.Fact.Object})
	}
	w.part(&b, w.known, strings.Join(lines, "\n"))
	f := u.Candidate.Fact
	w.part(&b, w.fact, line(shown{Text: u.Candidate.Text, Subject: f.Subject, Relation: f.Relation, Object: f.Object}))
	return b.String()
}

// SummaryPrompt is what a model reads to make the summary anew.
func SummaryPrompt(d Digest) string {
	w := wordingFor(append(textsOf(d.Messages), d.Previous)...)
	var b strings.Builder
	b.WriteString(w.digest)
	w.part(&b, w.summary, d.Previous)
	if len(d.Memories) > 0 {
		w.part(&b, w.known, strings.Join(memoryTexts(d.Memories), "\n"))
	}
	w.part(&b, w.recent, w.lines(d.Messages))
	return b.String()
}

// shown is a memory as a model sees it.
type shown struct {
	ID       *int   `json:"id,omitempty"`
	Text     string `json:"text"`
	Subject  string `json:"subject,omitempty"`
	Relation string `json:"relation,omitempty"`
	Object   string `json:"object,omitempty"`
}

// line is JSON in which every character stands as it is written, not as \uXXXX.
func line(s shown) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return s.Text // strings and a number always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (w *wording) part(b *strings.Builder, title, text string) {
	if text == "" {
		text = w.empty
	}
	b.WriteString("\n\n" + title + "\n" + text)
}

func (w *wording) lines(messages []*dialogue.Message) string {
	lines := make([]string, len(messages))
	for i, m := range messages {
		lines[i] = w.speaker(m) + w.end + m.Text
	}
	return strings.Join(lines, "\n")
}

func (w *wording) numbered(pair []*dialogue.Message) string {
	lines := make([]string, len(pair))
	for i, m := range pair {
		lines[i] = string(rune('1'+i)) + ". " + w.speaker(m) + w.end + m.Text
	}
	return strings.Join(lines, "\n")
}

func (w *wording) speaker(m *dialogue.Message) string {
	if m.Speaker != "" {
		return m.Speaker
	}
	return w.speakers[m.Role]
}

func textsOf(messages []*dialogue.Message) []string {
	out := make([]string, len(messages))
	for i, m := range messages {
		out[i] = m.Text
	}
	return out
}

func memoryTexts(memories []memory.Memory) []string {
	out := make([]string, len(memories))
	for i := range memories {
		out[i] = memories[i].Text
	}
	return out
}
