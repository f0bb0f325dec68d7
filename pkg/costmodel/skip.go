package costmodel

import (
	"fmt"
	"regexp"
	"strings"
)

// skipList is which modules a quantized model keeps in full precision. The
// entries are module names, parts of them, globs or (after "re:") regular
// expressions, with or without a layer number.
type skipList struct {
	exact    map[string]bool // "layers.3.self_attn", "self_attn"
	patterns []*regexp.Regexp
}

// The parts of a layer that are quantized or not as a whole, by the names that
// Hugging Face modules have.
var (
	attnModules   = []string{"self_attn", "self_attn.q_proj", "self_attn.o_proj", "linear_attn", "linear_attn.out_proj", "attn"}
	denseModules  = []string{"mlp", "mlp.up_proj", "mlp.down_proj"}
	sharedModules = []string{"mlp", "mlp.shared_experts", "mlp.shared_expert", "mlp.shared_experts.up_proj", "mlp.shared_expert.up_proj"}
	expertModules = []string{"mlp", "mlp.experts", "mlp.experts.0.up_proj", "block_sparse_moe", "block_sparse_moe.experts"}
)

// maxPatterns bounds the work of matching; real lists have a handful.
const maxPatterns = 64

func newSkipList(f *fields, names ...string) skipList {
	s := skipList{exact: map[string]bool{}}
	for _, entry := range f.texts(names...) {
		expression, isRegexp := strings.CutPrefix(entry, "re:")
		if !isRegexp && !strings.Contains(entry, "*") {
			if _, after, ok := strings.Cut(entry, "layers."); ok {
				entry = "layers." + after
			}
			s.exact[strings.TrimSuffix(strings.TrimPrefix(entry, "model."), ".")] = true
			continue
		}
		if !isRegexp {
			expression = "(^|\\.)" + strings.ReplaceAll(regexp.QuoteMeta(entry), `\*`, ".*") + "$"
		}
		if len(s.patterns) == maxPatterns {
			f.problem(ErrBadField, names[0], "has too many patterns", fmt.Sprintf("at most %d with * or re:", maxPatterns))
			return s
		}
		compiled, err := regexp.Compile(expression)
		if err != nil {
			f.problem(ErrBadField, names[0], fmt.Sprintf("%q", clip([]byte(entry))), "module names, globs or re: with a regular expression")
			continue
		}
		s.patterns = append(s.patterns, compiled)
	}
	return s
}

// has says whether the list names one of the modules in that layer or in all.
func (s skipList) has(layer int, modules []string) bool {
	if len(s.exact) == 0 && len(s.patterns) == 0 {
		return false
	}
	inLayer := fmt.Sprintf("layers.%d", layer)
	if s.exact[inLayer] {
		return true
	}
	for _, m := range modules {
		if s.exact[m] || s.exact[inLayer+"."+m] {
			return true
		}
		for _, p := range s.patterns {
			if p.MatchString("model." + inLayer + "." + m) {
				return true
			}
		}
	}
	return false
}
