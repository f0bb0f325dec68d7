package calibration

import (
	"memlab/pkg/claims"
	"memlab/pkg/costmodel"
	"memlab/pkg/experiments/calibration/stored"
	"memlab/pkg/experiments/cartridge"
	"memlab/pkg/experiments/cost"
	"memlab/pkg/experiments/playbook"
	"memlab/pkg/experiments/session"
	"memlab/pkg/experiments/world"
)

// Subject is an experiment whose parameters can be moved.
type Subject struct {
	Name string
	// Ranges are its free parameters, with their defaults.
	Ranges []stored.Range
	// New is the experiment under other values, one for each range in order.
	New func(values []float64) claims.Experiment
	// Seeds to fit on and to predict under, and those of a sensitivity: fewer
	// where a seed is dear.
	FitSeeds, Seeds, SensitivitySeeds int
	// Draws are random values, which are the null too; Steps are the evaluations of
	// the search that starts from the best of them.
	Draws, Steps int
}

// subject hides the type of the parameters. fix is what follows from a parameter
// that was set.
func subject[P any](s Subject, standard P, experiment func(P) claims.Experiment, fix func(*P), knobs ...knob[P]) Subject {
	for _, k := range knobs {
		k.Default = k.get(standard)
		s.Ranges = append(s.Ranges, k.Range)
	}
	s.New = func(values []float64) claims.Experiment {
		p := standard
		for i, k := range knobs {
			k.set(&p, values[i])
		}
		if fix != nil {
			fix(&p)
		}
		return experiment(p)
	}
	return s
}

// Subjects are the experiments that can be fitted again within minutes.
func Subjects() []Subject {
	return []Subject{costs(), sessions(), worlds(), playbooks(), baselines()}
}

// NotFitted says of the other experiments with fitted rows why they are not among
// the subjects.
func NotFitted() []stored.NotFitted {
	return []stored.NotFitted{
		{Experiment: "cartridge-training", Why: "a seed takes six trainings, 23,000 steps; the searches here run hundreds of seeds"},
		{Experiment: "cartridge-composition", Why: "a seed takes three trainings; runs under the parameters of cartridge-training"},
		{Experiment: "cartridge-long-document", Why: "a seed takes two trainings on the long document; runs under the parameters of cartridge-training"},
		{Experiment: "world-long", Why: "one fitted row cannot be split; runs under the parameters of world"},
	}
}

func costs() Subject {
	type P = cost.Parameters
	return subject(
		Subject{Name: "cost", FitSeeds: 1, Seeds: 1, SensitivitySeeds: 1, Draws: 400, Steps: 600},
		cost.DefaultParameters(), cost.New, nil,
		linear("compute_share", 0.3, 1, "of the FLOP/s on the data sheet: reports of prefill lie between a third and nearly all",
			func(p *P) *float64 { return &p.Params.ComputeShare }),
		linear("bandwidth_share", 0.3, 1, "of the bytes/s on the data sheet, for a decode step",
			func(p *P) *float64 { return &p.Params.BandwidthShare }),
		linear("memory_share", 0.7, 0.98, "of the memory that a server fills; vLLM's default is .9",
			func(p *P) *float64 { return &p.Params.MemoryShare }),
		logarithmic("step_overhead_seconds", 1e-6, 1e-3, "launching the kernels of one step: microseconds with CUDA graphs, a millisecond without",
			func(p *P) *costmodel.Seconds { return &p.Params.StepOverhead }),
		whole("question_tokens", 10, 200, "a line to a paragraph", func(p *P) *int { return &p.Params.Question }),
	)
}

func sessions() Subject {
	type P = session.Parameters
	return subject(
		Subject{Name: "session", FitSeeds: 4, Seeds: 20, SensitivitySeeds: 20, Draws: 80, Steps: 120},
		session.DefaultParameters(), session.New, nil,
		whole("system_tokens", 300, 2500, "instructions: a few functions, or MemGPT's with all of them", func(p *P) *int { return &p.System }),
		whole("working_fixed_tokens", 50, 400, "persona and headings", func(p *P) *int { return &p.WorkingFixed }),
		whole("entry_tokens", 10, 60, "a fact in a line or two", func(p *P) *int { return &p.Entry }),
		whole("working_cap_tokens", 500, 1500, "a working context of up to a fifth of the window", func(p *P) *int { return &p.WorkingCap }),
		whole("summary_tokens", 50, 800, "a paragraph to a page", func(p *P) *int { return &p.Summary }),
		logarithmic("user_tokens", 15, 150, "messages of people in a chat", func(p *P) *float64 { return &p.User }),
		logarithmic("reply_tokens", 20, 300, "replies in a chat", func(p *P) *float64 { return &p.Reply }),
		linear("spread", 0.1, 1.5, "all alike, to a few that are very long", func(p *P) *float64 { return &p.Spread }),
		whole("min_message_tokens", 1, 20, "the shortest message", func(p *P) *int { return &p.MinMessage }),
		logarithmic("p_search", 0.01, 0.5, "a search in a hundred turns, or in every other", func(p *P) *float64 { return &p.Search }),
		whole("page_tokens", 50, 600, "a page of search results: one message or ten", func(p *P) *int { return &p.Page }),
		whole("call_tokens", 10, 100, "a function call as JSON", func(p *P) *int { return &p.Call }),
		whole("warning_tokens", 5, 100, "a sentence or three", func(p *P) *int { return &p.Warning }),
		logarithmic("p_fact", 0.02, 0.5, "a fact in fifty messages, or in every other", func(p *P) *float64 { return &p.Fact }),
		linear("p_store_now", 0, 1, "stored when it is heard, or when memory gets tight", func(p *P) *float64 { return &p.StoreNow }),
		whole("edits_per_warning", 1, 6, "one edit, or several", func(p *P) *int { return &p.EditsPerWarning }),
		whole("block_tokens", 1, 64, "blocks of prefix caches", func(p *P) *int { return &p.Block }),
	)
}

func worlds() Subject {
	type P = world.Parameters
	return subject(
		Subject{Name: "world", FitSeeds: 2, Seeds: 20, SensitivitySeeds: 6, Draws: 50, Steps: 80},
		world.DefaultParameters(), world.New,
		// MemGPT's rates of noticing are taken over from mem0's.
		func(p *P) { p.Notice, p.MissChange = p.Recall, p.NoopError },
		whole("world.min_changes", 0, 1, "whether a changing attribute may stay as it is", func(p *P) *int { return &p.World.MinChanges }),
		whole("world.max_changes", 1, 4, "the most changes of an attribute", func(p *P) *int { return &p.World.MaxChanges }),
		whole("world.min_replaced", 0, 1, "whether a role may keep its person", func(p *P) *int { return &p.World.MinReplaced }),
		whole("world.max_replaced", 1, 5, "the most persons after each other in a role", func(p *P) *int { return &p.World.MaxReplaced }),
		linear("world.restated", 0, 2, "never said again, or twice on average", func(p *P) *float64 { return &p.World.Restated }),
		linear("world.p_topic", 0, 0.8, "mentions without an answer, of messages that state nothing", func(p *P) *float64 { return &p.World.Topics }),
		linear("world.message_noise", 0.3, 2, "a random part of a third to twice the meaning", func(p *P) *float64 { return &p.World.MessageNoise }),
		linear("world.chunk_noise", 0, 1.5, "none, to more than the meaning", func(p *P) *float64 { return &p.World.ChunkNoise }),
		linear("world.memory_noise", 0.3, 3, "a third of the meaning to three times", func(p *P) *float64 { return &p.World.MemoryNoise }),
		linear("world.query_noise", 0.2, 1.5, "a clear question, or an odd one", func(p *P) *float64 { return &p.World.QueryNoise }),
		linear("world.type_weight", 0.2, 1.2, "'hometown' beside the name: a little, or more than it", func(p *P) *float64 { return &p.World.TypeWeight }),
		linear("world.name_weight", 0.2, 0.9, "the name beside the role", func(p *P) *float64 { return &p.World.NameWeight }),
		logarithmic("alpha_half_tokens", 4000, 120_000, "readers that lose track early, or at the window's end", func(p *P) *float64 { return &p.HalfLength }),
		linear("extract_recall", 0.6, 1, "facts that an extraction finds", func(p *P) *float64 { return &p.Recall }),
		linear("noop_error", 0, 0.4, "changes taken for known facts", func(p *P) *float64 { return &p.NoopError }),
		linear("add_error", 0, 0.3, "changes added beside the old value", func(p *P) *float64 { return &p.AddError }),
		whole("working_entries", 5, 40, "of about 28 facts in a conversation", func(p *P) *int { return &p.Entries }),
		whole("page_messages", 1, 20, "messages on a page of search results", func(p *P) *int { return &p.Page }),
	)
}

func playbooks() Subject {
	type P = playbook.Parameters
	return subject(
		Subject{Name: "playbook", FitSeeds: 8, Seeds: 20, SensitivitySeeds: 10, Draws: 8, Steps: 4},
		playbook.DefaultParameters(), playbook.New, nil,
		whole("dedup_every", 5, 150, "tasks between two deduplications", func(p *P) *int { return &p.DedupEvery }),
		linear("dedup_share", 0, 0.5, "of the bullets that go: none to half", func(p *P) *float64 { return &p.DedupShare }),
		whole("block_tokens", 1, 64, "blocks of prefix caches", func(p *P) *int { return &p.Block }),
	)
}

// baselines are the rows on cartridges that need no training. That keys and values
// have length 1, the other choice behind them, is no number.
func baselines() Subject {
	type P = cartridge.Parameters
	return subject(
		Subject{Name: "cartridge-baselines", FitSeeds: 2, Seeds: 20, SensitivitySeeds: 10, Draws: 20, Steps: 12},
		cartridge.DefaultParameters(), func(p P) claims.Experiment { return cartridge.New(p)[0] }, nil,
		logarithmic("distance", 0.05, 1.5, "questions nearly in the words of the text, or hardly like them", func(p *P) *float64 { return &p.Distance }),
	)
}
