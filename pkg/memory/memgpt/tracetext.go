package memgpt

import (
	"fmt"
	"strings"
)

// words are what a trace says in one language.
type words struct {
	turn, step, page, none, nothing, stop string
	kinds                                 map[Kind]string
	purposes                              map[string]string
	stops                                 map[string]string
	leaving                               string
}

var english = words{
	turn: "turn %d: %s", step: "step %d, %s: %d tokens read, %d written", page: "page %d of %d, numbered from 0:",
	none: "found nothing", nothing: "calls no function", stop: "ended: %s",
	kinds:    map[Kind]string{Message: "message", Login: "login", Timer: "timer", Warning: "warning"},
	purposes: map[string]string{},
	stops: map[string]string{
		StoppedBySteps: "the event has had all the steps it may have", StoppedByWindow: "another call does not fit the window",
	},
	leaving: "leaving the queue",
}

var chinese = words{
	turn: "第 %d 轮：%s", step: "第 %d 步，%s：读入 %d token，生成 %d token", page: "第 %d 页，共 %d 页，从 0 数起：",
	none: "没有找到", nothing: "没有调用函数", stop: "已中止：%s",
	kinds: map[Kind]string{Message: "消息", Login: "登录", Timer: "定时", Warning: "警告"},
	purposes: map[string]string{
		"memory": "写记忆", "search": "检索", "answer": "回答", "reply": "回复",
	},
	stops: map[string]string{
		StoppedBySteps: "这个事件的推理步数已到上限", StoppedByWindow: "窗口放不下下一次调用",
	},
	leaving: "移出队列",
}

// Render is the trace for reading, in "en" or "zh"; in English for any other
// language. What the model wrote and was told stays as it was.
func (t Trace) Render(language string) string {
	w := &english
	if language == "zh" {
		w = &chinese
	}
	var b strings.Builder
	t.write(&b, w, "")
	return b.String()
}

func (t *Trace) write(b *strings.Builder, w *words, indent string) {
	line := func(format string, args ...any) {
		fmt.Fprintf(b, indent+format+"\n", args...)
	}
	event := w.kinds[t.Kind]
	if t.About != "" {
		event += " " + t.About
	}
	line(w.turn, t.Turn, event)
	line("  “%s”", t.Text)
	if t.Leaving != "" {
		line("  %s: “%s”", w.leaving, t.Leaving)
	}
	for i, s := range t.Steps {
		purpose := s.Purpose
		if p, ok := w.purposes[purpose]; ok {
			purpose = p
		}
		line("  "+w.step, i+1, purpose, s.Prompt, s.Output)
		if len(s.Calls) == 0 {
			line("    %s", w.nothing)
		}
		for j := range s.Calls {
			s.Calls[j].write(line, w)
		}
	}
	if t.Stopped != "" {
		line("  "+w.stop, w.stops[t.Stopped])
	}
	for i := range t.Raised {
		t.Raised[i].write(b, w, indent+"  ")
	}
}

func (r *Result) write(line func(format string, args ...any), w *words) {
	if r.Function == "" {
		line("    %s", w.nothing)
	} else {
		line("    → %s %s", r.Function, r.Arguments)
	}
	switch {
	case r.Pages == 0:
		if r.sent == "" {
			line("    ← %s", r.Text)
		}
		return
	case len(r.Found) == 0:
		line("    ← %s", w.none)
		return
	}
	line("    ← "+w.page, r.Page, r.Pages)
	for i := range r.Found {
		line("      %s %s", r.Found[i].ID, r.Found[i].Text)
	}
}
