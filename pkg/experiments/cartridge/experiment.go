package cartridge

import (
	"fmt"

	"memlab/pkg/claims"
)

// Experiments are all of them under the default parameters.
func Experiments() []claims.Experiment { return New(DefaultParameters()) }

// New are the experiments under other parameters: one that trains nothing, the
// trainings on one document, composition of two, and the document longer than the
// window, in order of what a seed costs.
func New(p Parameters) []claims.Experiment {
	var truncated []string
	for _, slots := range p.TruncatedSlots {
		truncated = append(truncated, fmt.Sprintf("p = %d", slots))
	}
	experiment := func(name string, seeds int, free []string, run func(Parameters, int) (claims.Values, error), yields ...claims.Yield) claims.Experiment {
		return claims.Experiment{
			Name: name, Version: 1, Seeds: seeds, Yields: yields, Parameters: p, Free: free,
			Run: func(seed int) (claims.Values, error) { return run(p, seed) },
		}
	}
	return []claims.Experiment{
		experiment("cartridge-baselines", 100, freeInBaselines, baselines,
			claims.Yield{ID: "icl-accuracy", Parts: []string{"original", "rephrased"}},
			claims.Yield{ID: "truncation-p-over-n", Parts: truncated},
			claims.Yield{ID: "linear-sum", Beside: []string{"in the words of the text"}},
			claims.Yield{ID: "linear-lstsq", Beside: []string{"in the words of the text"}},
			claims.Yield{ID: "linear-memory-tokens"},
			claims.Yield{ID: "rephrase-cosine", Beside: []string{"standard deviation over questions"}},
			claims.Yield{ID: "logit-own"}, claims.Yield{ID: "logit-other"}, claims.Yield{ID: "logit-random-init"},
			claims.Yield{ID: "chunked-icl"}, claims.Yield{ID: "compose-icl-truncated"},
		),
		experiment("cartridge-training", 5, freeInTraining, trainings,
			claims.Yield{ID: "selfstudy-steps-1000"}, claims.Yield{ID: "selfstudy-rephrased-8x"},
			claims.Yield{ID: "selfstudy-steps-8000"},
			claims.Yield{ID: "distill-vs-hard", Parts: []string{
				fmt.Sprintf("p = %d", p.Slots), fmt.Sprintf("p = %d", p.FewSlots),
			}},
			claims.Yield{ID: "memorize-original-16x"}, claims.Yield{ID: "memorize-rephrased-16x"},
			claims.Yield{ID: "init-random"},
		),
		experiment("cartridge-composition", 5, nil, composition,
			claims.Yield{ID: "compose-concat"}, claims.Yield{ID: "compose-only-a"},
			claims.Yield{ID: "compose-joint"}, claims.Yield{ID: "compose-leak"},
		),
		experiment("cartridge-long-document", 3, nil, chunked,
			claims.Yield{ID: "chunked-p256-3000"}, claims.Yield{ID: "chunked-p256-6000"},
			claims.Yield{ID: "chunked-whole-teacher-3000"},
		),
	}
}
