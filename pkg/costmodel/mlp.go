package costmodel

import (
	"fmt"
	"slices"
)

// mlp fills in the dense MLPs and the experts.
func (f *fields) mlp(a arch, m *Model, ls []layer) {
	experts, hasExperts := f.intAtLeast(0, "n_routed_experts", "num_local_experts", "num_experts")
	switch {
	case a.moe != noMoE && hasExperts && experts > 0:
		f.experts(a, m, ls, experts)
		return
	case a.moe == noMoE && hasExperts && experts > 0:
		f.problem(ErrBadField, "num_experts", fmt.Sprint(experts), fmt.Sprintf("none, because %q has no experts as far as is known here", m.ModelType))
		return
	case a.moe != noMoE && !f.has("n_routed_experts", "num_local_experts", "num_experts"):
		f.problem(ErrMissingField, expertsField(a.moe), "is missing", "the number of routed experts of a layer")
		return
	}
	if a.moe != noMoE && hasExperts && !f.mayBeDense(a.moe) {
		return
	}
	inter := f.width(a, m, len(ls))
	if a.moe == graniteMoE {
		inter = f.perLayer(len(ls), "the width of the MLP that every token visits", "shared_intermediate_size")
	}
	for i := range ls {
		f.denseMLP(a, m, &ls[i], inter[i])
	}
}

// mayBeDense says whether no experts at all is a model of that style, and
// notes it; for the other styles 0 is an error.
func (f *fields) mayBeDense(style moe) bool {
	name, _ := f.raw("n_routed_experts", "num_local_experts", "num_experts")
	if style != qwenMoE && style != graniteMoE && style != jambaMoE {
		f.problem(ErrBadField, name, "0", "the number of routed experts of a layer, 1 or more")
		return false
	}
	f.note("%s 0: every layer has a dense MLP", name)
	return true
}

func expertsField(style moe) string {
	switch style {
	case deepseekMoE:
		return "n_routed_experts"
	case qwenMoE:
		return "num_experts"
	}
	return "num_local_experts"
}

// width reads intermediate_size, which three old architectures leave at four
// times the hidden size.
func (f *fields) width(a arch, m *Model, n int) []int {
	names := []string{"intermediate_size", "ffn_hidden_size"}
	if !f.has(names...) && (a.rename != nil || a.parallel) {
		f.note("%s absent: 4 x hidden size", f.shown(names[0]))
		return repeat(4*m.Hidden, n)
	}
	return f.perLayer(n, "the width of the MLP", names...)
}

func (f *fields) denseMLP(a arch, m *Model, l *layer, inter int) {
	h, w := float64(m.Hidden), float64(inter)
	l.dense = float64(a.matrices) * h * w
	if f.truth(a.mlpBias, "mlp_bias", "use_bias", "bias") {
		l.rest += float64(a.matrices-1)*w + h
	}
}

// experts fills in a mixture of experts: which layers have one, how wide an
// expert is, how many every token visits.
func (f *fields) experts(a arch, m *Model, ls []layer, experts int) {
	perToken := f.need("how many experts a token visits", "num_experts_per_tok", "experts_per_token")
	if perToken > experts {
		f.problem(ErrBadField, "num_experts_per_tok", fmt.Sprint(perToken), fmt.Sprintf("at most the number of experts, %d", experts))
		return
	}
	m.Experts, m.ExpertsPerToken = experts, perToken
	width, shared := f.expertWidths(a)
	sparse := f.sparseLayers(a, len(ls))
	if f.err() != nil {
		return
	}
	dense := repeat(1, len(ls))
	if slices.Contains(sparse, false) {
		name := "intermediate_size"
		if a.moe == llama4MoE {
			name = "intermediate_size_mlp"
		}
		dense = f.perLayer(len(ls), "the width of the dense layers' MLP", name)
	}
	h, w := float64(m.Hidden), float64(width)
	for i := range ls {
		l := &ls[i]
		if !sparse[i] {
			f.denseMLP(a, m, l, dense[i])
			continue
		}
		l.experts, l.perToken = experts, perToken
		l.expert = float64(a.matrices) * h * w
		l.router = h * float64(experts)
		l.shared = float64(a.matrices) * h * float64(shared)
		switch {
		case a.moe == gptOSSMoE:
			l.expert += 2*w + h
			l.router += float64(experts)
		case a.routerBias:
			l.router += float64(experts)
		case a.moe == qwenMoE && shared > 0:
			l.router += h // the gate of the shared expert
		}
	}
	if n, ok := f.intAtLeast(0, "num_nextn_predict_layers"); ok && n > 0 {
		f.note("num_nextn_predict_layers %d: layers for multi-token prediction are not counted", n)
	}
}

// expertWidths gives the width of one routed expert and of all shared experts
// of a layer together.
func (f *fields) expertWidths(a arch) (routed, shared int) {
	switch a.moe {
	case deepseekMoE:
		routed = f.need("the width of one expert", "moe_intermediate_size")
		n, ok := f.intAtLeast(0, "n_shared_experts")
		if !ok && !f.has("n_shared_experts") {
			f.note("n_shared_experts absent: no expert is shared")
			n = 0
		}
		return routed, n * routed
	case qwenMoE:
		routed = f.need("the width of one expert", "moe_intermediate_size")
		shared, _ = f.intAtLeast(0, "shared_expert_intermediate_size")
		return routed, shared
	case llama4MoE:
		routed = f.need("the width of one expert", "intermediate_size")
		return routed, routed
	case graniteMoE:
		return f.need("the width of one expert", "intermediate_size"), f.need("the width of the shared expert", "shared_intermediate_size")
	}
	return f.need("the width of one expert", "intermediate_size"), 0
}

// sparseLayers says which layers have experts.
func (f *fields) sparseLayers(a arch, n int) []bool {
	sparse := make([]bool, n)
	first, every := 0, 1
	var denseLayers []int
	switch a.moe {
	case deepseekMoE:
		v, ok := f.intAtLeast(0, "first_k_dense_replace")
		if !ok && !f.has("first_k_dense_replace") {
			f.problem(ErrMissingField, "first_k_dense_replace", "is missing", "the number of first layers without experts (may be 0)")
		}
		first = v
		if v, ok := f.intAtLeast(1, "moe_layer_freq"); ok {
			every = v
		}
	case qwenMoE:
		v, ok := f.intAtLeast(1, "decoder_sparse_step")
		if !ok && !f.has("decoder_sparse_step") {
			f.problem(ErrMissingField, "decoder_sparse_step", "is missing", "every which layer has experts (1: all)")
		}
		every = max(v, 1)
		denseLayers = f.ints("mlp_only_layers")
	case llama4MoE:
		if v, ok := f.intAtLeast(1, "interleave_moe_layer_step"); ok {
			every = v
		} else if !f.has("interleave_moe_layer_step") {
			f.problem(ErrMissingField, "interleave_moe_layer_step", "is missing", "every which layer has experts (1: all)")
		}
	}
	dense := make([]bool, n)
	if a.moe == jambaMoE {
		every, from := f.need("every which layer has experts", "expert_layer_period"), f.periodOffset("expert_layer_offset")
		for i := range sparse {
			sparse[i] = i%every == from
		}
		return sparse
	}
	for _, d := range denseLayers {
		if d < 0 || d >= n {
			f.problem(ErrBadField, "mlp_only_layers", fmt.Sprint(d), fmt.Sprintf("layer numbers from 0 to %d", n-1))
			return sparse
		}
		dense[d] = true
	}
	if first > n {
		f.problem(ErrBadField, "first_k_dense_replace", fmt.Sprint(first), fmt.Sprintf("at most num_hidden_layers %d", n))
	}
	for i := range sparse {
		on := (i+1)%every == 0
		if a.moe == deepseekMoE {
			on = i%every == 0
		}
		sparse[i] = i >= first && on && !dense[i]
	}
	return sparse
}
