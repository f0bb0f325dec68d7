package memory_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"memlab/pkg/dialogue"
	"memlab/pkg/memory"
	"memlab/pkg/serving"
)

// scripted is a system whose material and fates are given.
type scripted struct {
	material memory.Material
	fates    map[string]memory.Fate // by message
	written  []string
	failAt   string
}

var errScripted = errors.New("no space left")

func (s *scripted) Write(_ context.Context, m *dialogue.Message) error {
	if m.ID == s.failAt {
		return errScripted
	}
	s.written = append(s.written, m.ID)
	return nil
}
func (s *scripted) Finish(context.Context) error { s.written = append(s.written, "end"); return nil }
func (s *scripted) Read(context.Context, dialogue.Query) (memory.Material, error) {
	return s.material, nil
}
func (s *scripted) Fate(message string, _ dialogue.Fact) memory.Fate { return s.fates[message] }

// moved is a dialogue in which the user moves from Oslo (m1) to Lyon (m2, again
// in m3), and says that Kim is the partner (m4) and a baker (m5).
func moved(questions ...dialogue.Question) *dialogue.Dialogue {
	d := &dialogue.Dialogue{Name: "moved", Language: "en", Questions: questions}
	for i, f := range []dialogue.Fact{oslo, lyon, lyon, kim, baker} {
		d.Messages = append(d.Messages, dialogue.Message{
			ID: fmt.Sprintf("m%d", i+1), Time: day(i + 1), Role: dialogue.User, Tokens: 10, Facts: []dialogue.Fact{f},
		})
	}
	return d
}

var (
	oslo  = dialogue.Fact{Subject: dialogue.Me, Relation: "city", Object: "Oslo"}
	lyon  = dialogue.Fact{Subject: dialogue.Me, Relation: "city", Object: "Lyon"}
	kim   = dialogue.Fact{Subject: dialogue.Me, Relation: "partner", Object: "Kim"}
	baker = dialogue.Fact{Subject: "Kim", Relation: "job", Object: "baker"}

	now = dialogue.Question{
		Query: dialogue.Query{ID: "now", Subject: dialogue.Me, Path: []string{"city"}}, Kind: dialogue.Current, Answer: "Lyon",
		Needs: []dialogue.Need{{Fact: lyon, Messages: []string{"m2", "m3"}}},
	}
	before = dialogue.Question{
		Query: dialogue.Query{ID: "before", Subject: dialogue.Me, Path: []string{"city"}, Past: true}, Kind: dialogue.Previous, Answer: "Oslo",
		Needs: []dialogue.Need{{Fact: oslo, Messages: []string{"m1"}}, {Fact: lyon, Messages: []string{"m2", "m3"}}},
	}
	hops = dialogue.Question{
		Query: dialogue.Query{ID: "hops", Subject: dialogue.Me, Path: []string{"partner", "job"}}, Kind: dialogue.TwoHop, Answer: "baker",
		Needs: []dialogue.Need{{Fact: kim, Messages: []string{"m4"}}, {Fact: baker, Messages: []string{"m5"}}},
	}
	never = dialogue.Question{
		Query: dialogue.Query{ID: "never", Subject: dialogue.Me, Path: []string{"shoe size"}}, Kind: dialogue.Never,
	}
)

func at(d int, f dialogue.Fact) memory.Memory { return memory.Memory{Fact: f, Time: day(d)} }

func TestEveryWrongAnswerIsLostInOneStage(t *testing.T) {
	extract, merge, keep := memory.Fate{Lost: memory.Extract}, memory.Fate{Lost: memory.Merge}, memory.Fate{Lost: memory.Keep}
	for _, c := range []struct {
		name     string
		question dialogue.Question
		read     []memory.Memory
		fates    map[string]memory.Fate
		want     memory.Stage // Held: the answer is right
	}{
		{"what is there is answered", now, []memory.Memory{at(3, lyon)}, nil, memory.Held},
		{"held and not found", now, nil, nil, memory.RetrieveAbsent},
		{"held, and an older value found", now, []memory.Memory{at(1, oslo)}, nil, memory.RetrieveStale},
		{"another subject's value is not stale", hops, []memory.Memory{at(4, kim)}, nil, memory.RetrieveAbsent},
		{"one statement held is enough", now, nil, map[string]memory.Fate{"m2": extract}, memory.RetrieveAbsent},
		{"no statement was extracted", now, nil, map[string]memory.Fate{"m2": extract, "m3": extract}, memory.Extract},
		{"the statement that came furthest counts", now, nil, map[string]memory.Fate{"m2": merge, "m3": extract}, memory.Merge},
		{"pushed out", now, nil, map[string]memory.Fate{"m2": keep, "m3": keep}, memory.Keep},
		{"the previous value was deleted", before, []memory.Memory{at(3, lyon)}, map[string]memory.Fate{"m1": merge}, memory.Merge},
		{"a newer value is not stale", before, []memory.Memory{at(3, lyon)}, nil, memory.RetrieveAbsent},
		{
			"of two missing facts the one lost earliest counts", hops, nil,
			map[string]memory.Fate{"m4": merge, "m5": extract}, memory.Extract,
		},
		{"a second hop without its fact", hops, []memory.Memory{at(4, kim)}, map[string]memory.Fate{"m5": extract}, memory.Extract},
		{"both hops", hops, []memory.Memory{at(5, baker), at(4, kim)}, nil, memory.Held},
		{"nobody said it, and the reader does not claim so", never, []memory.Memory{at(3, lyon)}, nil, memory.Held},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &scripted{material: memory.Material{Memories: c.read, Tokens: 20, Calls: 1}, fates: c.fates}
			run, err := memory.Evaluate(t.Context(), moved(c.question), s, &memory.Account{}, memory.Strict{})
			if err != nil {
				t.Fatal(err)
			}
			o := run.Outcomes[0]
			if o.Fate.Lost != c.want || o.Right != (c.want == memory.Held) {
				t.Errorf("right %v, lost at %q, want %q", o.Right, o.Fate.Lost, c.want)
			}
			score := run.Score(dialogue.Kinds()...)
			lost := 0
			for _, n := range score.Lost {
				lost += n
			}
			if lost != score.Asked-score.Right {
				t.Errorf("%d errors, but %d attributed", score.Asked-score.Right, lost)
			}
		})
	}
}

// overlooker sees nothing, whatever is before it.
type overlooker struct{}

func (overlooker) Answer(*dialogue.Question, *memory.Material) memory.Answer { return memory.Answer{} }

func TestWhatWasReadAndNotAnsweredIsTheReadersFault(t *testing.T) {
	s := &scripted{material: memory.Material{Memories: []memory.Memory{at(3, lyon)}}}
	run, err := memory.Evaluate(t.Context(), moved(now), s, &memory.Account{}, overlooker{})
	if err != nil {
		t.Fatal(err)
	}
	if got := run.Outcomes[0].Fate.Lost; got != memory.ReadOver {
		t.Errorf("lost at %q", got)
	}
	if run.Score().Silent != 1 {
		t.Error("the reader said that it does not know")
	}
}

func TestEvaluateRefusesWhatCannotBe(t *testing.T) {
	broken := now
	broken.Needs = []dialogue.Need{{Fact: lyon, Messages: []string{"m77"}}}
	for name, d := range map[string]*dialogue.Dialogue{
		"empty":              {Name: "empty"},
		"evidence not there": moved(broken),
		"asked twice":        moved(now, now),
	} {
		if _, err := memory.Evaluate(t.Context(), d, &scripted{}, &memory.Account{}, memory.Strict{}); !errors.Is(err, dialogue.ErrDialogue) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := memory.Evaluate(t.Context(), moved(now), &scripted{failAt: "m2"}, &memory.Account{}, memory.Strict{}); !errors.Is(err, errScripted) {
		t.Errorf("a failing write: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := memory.Evaluate(ctx, moved(now), &scripted{}, &memory.Account{}, memory.Strict{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestAccountCountsWithAndWithoutALedger(t *testing.T) {
	for _, ledger := range []*serving.Ledger{nil, {}} {
		a := &memory.Account{Ledger: ledger}
		call := serving.Call{Stream: "extract", Phase: serving.Write, Purpose: "extract"}
		for range 2 {
			err := a.Call(call, 12, 3, func() (serving.Prompt, []serving.Item) {
				if ledger == nil {
					t.Error("a prompt was built that nobody wants")
				}
				return serving.Prompt{{Name: "all", Items: []serving.Item{{Kind: "x", Name: "y", Tokens: 12}}}},
					[]serving.Item{{Kind: "x", Name: "z", Tokens: 3}}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Embed(serving.Embedding{Phase: serving.Read, Purpose: "question", Texts: 1}); err != nil {
			t.Fatal(err)
		}
		if got, want := a.Phase(serving.Write), (memory.Usage{Calls: 2, Prompt: 24, Output: 6}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		if got := a.Phase(serving.Write, "update"); got != (memory.Usage{}) {
			t.Errorf("another purpose: %+v", got)
		}
		if got := a.Spent(); len(got) != 2 || got[0].Phase != serving.Write || got[1].Embedded != 1 {
			t.Errorf("%+v", got)
		}
		if ledger != nil && ledger.Len() != 2 {
			t.Errorf("%d calls in the ledger", ledger.Len())
		}
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	d, s, a, r := moved(now), &scripted{}, &memory.Account{}, memory.Strict{}
	for want, evaluate := range map[string]func() (memory.Run, error){
		"memory: dialogue is nil": func() (memory.Run, error) { return memory.Evaluate(t.Context(), nil, s, a, r) },
		"memory: system is nil":   func() (memory.Run, error) { return memory.Evaluate(t.Context(), d, nil, a, r) },
		"memory: account is nil: want the one that the system records in": func() (memory.Run, error) {
			return memory.Evaluate(t.Context(), d, s, nil, r)
		},
		"memory: reader is nil: want who answers, for example Strict": func() (memory.Run, error) { return memory.Ask(t.Context(), d, s, nil) },
	} {
		if _, err := evaluate(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
