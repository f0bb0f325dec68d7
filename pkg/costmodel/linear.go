package costmodel

import "fmt"

// linearAttention fills in the layers that keep a state of fixed size instead
// of a growing KV cache.
func (f *fields) linearAttention(a arch, m *Model, ls []layer) {
	var fill func(*layer)
	switch a.linear {
	case mamba1:
		fill = f.mambaChannels(m)
	case mamba2:
		fill = f.mambaHeads(m)
	case lightning:
		fill = f.lightning(m)
	default:
		fill = f.deltaNet(m)
	}
	if f.err() != nil {
		return
	}
	for i := range ls {
		if ls[i].shape.Kind == LinearAttention {
			fill(&ls[i])
		}
	}
}

// state is a layer's fixed memory: numbers of recurrent state in the state's
// format, and inputs of a short convolution in the model's.
func (f *fields) state(m *Model, numbers, convolution float64) Bytes {
	d := m.DType
	if s := f.text("mamba_ssm_dtype"); s != "" {
		var err error
		if d, err = ParseDType(s); err != nil {
			f.problem(ErrBadField, "mamba_ssm_dtype", fmt.Sprintf("%q", clip([]byte(s))), "float32, bfloat16 or float16")
		}
	} else {
		f.note("mamba_ssm_dtype absent: the state of linear layers is stored in %s, as the weights", m.DType)
	}
	return Bytes(numbers*d.Bytes() + convolution*m.DType.Bytes())
}

// deltaNet is the gated delta rule of Qwen3-Next (Gated DeltaNet, arXiv
// 2412.06464): value heads x key dimension x value dimension of state, and the
// last inputs of a convolution over queries, keys and values.
func (f *fields) deltaNet(m *Model) func(*layer) {
	kHeads := f.need("key heads of a linear layer", "linear_num_key_heads")
	vHeads := f.need("value heads of a linear layer", "linear_num_value_heads")
	kDim := f.need("key dimension of a linear layer", "linear_key_head_dim")
	vDim := f.need("value dimension of a linear layer", "linear_value_head_dim")
	kernel := f.need("width of the convolution of a linear layer", "linear_conv_kernel_dim")
	if vHeads%kHeads != 0 {
		f.problem(ErrBadField, "linear_num_value_heads", fmt.Sprint(vHeads), fmt.Sprintf("a multiple of linear_num_key_heads %d", kHeads))
	}
	h := float64(m.Hidden)
	keys, values := float64(kHeads)*float64(kDim), float64(vHeads)*float64(vDim)
	channels, numbers := 2*keys+values, values*float64(kDim)
	size := f.state(m, numbers, channels*float64(kernel-1))
	return func(l *layer) {
		l.shape.QueryHeads, l.shape.StateHeads, l.shape.StateBytes = vHeads, kHeads, size
		// Correct the state, add the outer product of key and value, read it
		// with the query: a multiply and an add each per number.
		l.shape.StateFLOPPerToken = 6 * numbers
		l.attn = h*(2*keys+2*values) + h*2*float64(vHeads) + values*h
		l.rest += channels*float64(kernel) + 2*float64(vHeads) + float64(vDim)
	}
}

// lightning is the linear attention of MiniMax-Text-01 (arXiv 2501.08313):
// per query head a state of head dimension squared, and an output gate.
func (f *fields) lightning(m *Model) func(*layer) {
	heads := f.need("the number of query heads", "num_attention_heads")
	dim := f.need("the head dimension", "head_dim")
	h, w := float64(m.Hidden), float64(heads)*float64(dim)
	size := f.state(m, w*float64(dim), 0)
	return func(l *layer) {
		l.shape.QueryHeads, l.shape.StateHeads, l.shape.StateBytes = heads, heads, size
		l.shape.StateFLOPPerToken = 4 * w * float64(dim)
		l.attn = 5 * h * w // query, key, value, gate, output
		l.rest += w
	}
}

// mambaHeads is Mamba-2 (arXiv 2405.21060): heads x head dimension x state
// size, and a convolution over inputs and the groups' B and C.
func (f *fields) mambaHeads(m *Model) func(*layer) {
	heads := f.need("heads of a Mamba layer", "mamba_n_heads")
	dim := f.need("head dimension of a Mamba layer", "mamba_d_head")
	size := f.need("state size of a Mamba layer", "mamba_d_state")
	groups := f.need("groups of a Mamba layer", "mamba_n_groups")
	kernel := f.need("width of the convolution of a Mamba layer", "mamba_d_conv")
	h, inner := float64(m.Hidden), float64(heads)*float64(dim)
	channels := inner + 2*float64(groups)*float64(size)
	numbers := inner * float64(size)
	bytes := f.state(m, numbers, channels*float64(kernel-1))
	bias := f.truth(true, "mamba_conv_bias")
	return func(l *layer) {
		l.shape.QueryHeads, l.shape.StateHeads, l.shape.StateBytes = heads, heads, bytes
		l.shape.StateFLOPPerToken = 4 * numbers
		l.attn = h*(inner+channels+float64(heads)) + inner*h
		l.rest += channels*float64(kernel) + 3*float64(heads) + inner
		if bias {
			l.rest += channels
		}
	}
}

// mambaChannels is Mamba (arXiv 2312.00752) as in Jamba: a state of mamba_d_state
// per channel, with norms on the step size and on B and C.
func (f *fields) mambaChannels(m *Model) func(*layer) {
	size := f.need("state size of a Mamba layer", "mamba_d_state")
	kernel := f.need("width of the convolution of a Mamba layer", "mamba_d_conv")
	expand := f.need("expansion of a Mamba layer", "mamba_expand")
	rank := f.need("rank of the step size of a Mamba layer", "mamba_dt_rank")
	h, n, r := float64(m.Hidden), float64(size), float64(rank)
	channels := m.Hidden * expand
	inner := float64(channels)
	bytes := f.state(m, inner*n, inner*float64(kernel-1))
	bias := f.truth(true, "mamba_conv_bias")
	return func(l *layer) {
		l.shape.QueryHeads, l.shape.StateHeads, l.shape.StateBytes = channels, channels, bytes
		l.shape.StateFLOPPerToken = 4 * inner * n
		l.attn = h*2*inner + inner*(r+2*n) + r*inner + inner*h
		l.rest += inner*float64(kernel) + inner + inner*n + inner + r + 2*n
		if bias {
			l.rest += inner
		}
	}
}
