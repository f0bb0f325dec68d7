package costmodel

import (
	"encoding/json"
	"fmt"
	"slices"
)

// layer is one decoder layer while its config.json is read: the shape of its
// memory, and its parameters by how they are stored and used.
type layer struct {
	shape LayerGroup

	attn   float64 // matrices of the attention (or linear-attention) part
	dense  float64 // matrices of a dense MLP
	expert float64 // matrices and biases of one routed expert
	shared float64 // matrices of the experts that every token visits
	router float64
	rest   float64 // biases, norms, convolutions, sinks: never quantized

	experts, perToken int
}

// layers reads all layers: kind, attention, MLP or experts, norms.
func (f *fields) layers(a arch, m *Model) []layer {
	kinds, windows := f.kinds(a, m.Layers)
	ls := make([]layer, m.Layers)
	if f.err() != nil {
		return ls
	}
	for i := range ls {
		ls[i].shape = LayerGroup{Kind: kinds[i], Window: windows[i], Layers: 1}
	}
	f.attention(a, m, ls)
	if slices.Contains(kinds, LinearAttention) {
		f.linearAttention(a, m, ls)
	}
	f.mlp(a, m, ls)
	for i := range ls {
		norm := float64(m.Hidden)
		if a.normBias {
			norm *= 2
		}
		ls[i].rest += float64(a.norms) * norm
	}
	return ls
}

// kinds says for each layer whether its attention is full, sliding or linear,
// and its window. The fields that may say so, in order of precedence:
// layer_types; use_sliding_window false; full_attention_interval; a pattern;
// max_window_layers; a sliding_window alone. A field that the architecture's
// class does not have says nothing.
func (f *fields) kinds(a arch, n int) ([]LayerKind, []int) {
	kinds, windows := make([]LayerKind, n), make([]int, n)
	window, hasWindow := f.intAtLeast(1, "sliding_window", "attention_chunk_size")
	if f.has("attention_chunk_size") {
		f.note("attention_chunk_size: counted as a sliding window of that size, its upper bound")
	}
	if a.slide == slideNever {
		window, hasWindow = f.noWindow(window, hasWindow)
	}
	used := f.windowUsed(a, hasWindow)
	asked := used && (a.slide == slideIfUsed || a.slide == slideNoRope)
	slides := func(int) bool { return false }

	switch {
	case f.has("layer_types"):
		return f.layerTypes(n, window, hasWindow)
	case a.slide == slideNever || !used:
	case a.slide == slideNoRope:
		slides = f.noRope(n)
	case f.has("no_rope_layers"):
		// Llama 4: 1 marks the chunked (rotary) layers, 0 the full ones.
		list := f.ints("no_rope_layers")
		if len(list) != n && len(list) != 0 {
			f.problem(ErrBadField, "no_rope_layers", fmt.Sprintf("has %d entries", len(list)), fmt.Sprintf("%d, one per layer", n))
			return kinds, windows
		}
		slides = func(i int) bool { return len(list) == 0 && (i+1)%4 != 0 || len(list) == n && list[i] != 0 }
		asked = true
	case a.linear == lightning:
		return f.listedLayers(n)
	case a.linear == mamba1:
		every, from := f.need("every which layer has attention", "attn_layer_period"), f.periodOffset("attn_layer_offset")
		for i := range kinds {
			kinds[i] = LinearAttention
			if i%every == from {
				kinds[i] = FullAttention
			}
		}
		return kinds, windows
	case a.linear == mamba2:
		f.problem(ErrMissingField, "layer_types", "is missing", "a list of mamba and attention, one per layer")
		return kinds, windows
	case a.linear == deltaNet:
		every, ok := f.intAtLeast(1, "full_attention_interval")
		if !ok && !f.has("full_attention_interval") {
			f.problem(ErrMissingField, "full_attention_interval", "is missing", "every which layer has full attention (or layer_types)")
		}
		for i := range kinds {
			kinds[i] = LinearAttention
			if (i+1)%max(every, 1) == 0 {
				kinds[i] = FullAttention
			}
		}
		return kinds, windows
	case a.slide == slidePatternIfWindow && !hasWindow && f.null("sliding_window"):
		f.note("sliding_window null: every layer has full attention")
	case a.pattern > 0 || f.has("sliding_window_pattern", "_sliding_window_pattern"):
		every, ok := f.intAtLeast(1, "sliding_window_pattern", "_sliding_window_pattern")
		if !ok && !f.has("sliding_window_pattern", "_sliding_window_pattern") {
			every = a.pattern
			f.note("sliding_window_pattern absent: %d, the default of this architecture: every %d. layer has full attention", every, every)
		}
		slides = func(i int) bool { return (i+1)%max(every, 1) != 0 }
		asked = true
	case a.slide == slideIfUsed:
		from, ok := f.intAtLeast(0, "max_window_layers")
		if !ok && !f.has("max_window_layers") {
			f.problem(ErrMissingField, "max_window_layers", "is missing", "the number of first layers with full attention, because use_sliding_window is true")
		}
		slides = func(i int) bool { return i >= from }
	case hasWindow:
		slides = func(int) bool { return true }
	}
	if asked && !hasWindow && !f.has("sliding_window", "attention_chunk_size") {
		f.problem(ErrMissingField, "sliding_window", "is missing", "the window in tokens, because the layers slide")
		return kinds, windows
	}
	for i := range kinds {
		kinds[i] = FullAttention
		if slides(i) {
			kinds[i], windows[i] = SlidingAttention, window
		}
	}
	return kinds, windows
}

// noWindow drops, with a note, a window that the architecture does not have,
// unless layer_types ask for it.
func (f *fields) noWindow(window int, has bool) (int, bool) {
	if !has || f.has("layer_types") {
		return window, has
	}
	f.note("sliding_window %d: not a field of this architecture, so every layer has full attention", window)
	return 0, false
}

// windowUsed reads use_sliding_window where the architecture has it.
func (f *fields) windowUsed(a arch, hasWindow bool) bool {
	if a.slide == slideIfUsed || a.slide == slideNoRope {
		used := f.truth(false, "use_sliding_window")
		if !f.has("use_sliding_window") && hasWindow && !f.has("layer_types") {
			f.note("use_sliding_window absent: false, the default of this architecture, so sliding_window is not used")
		}
		return used
	}
	for _, n := range []string{"use_sliding_window", "max_window_layers"} {
		if f.has(n) && (hasWindow || string(f.values[n]) == "true") {
			f.note("%s: not a field of this architecture, so it is not used", n)
		}
	}
	return true
}

// noRope reads which layers of SmolLM3 slide: those without rotary positions,
// marked 0 in no_rope_layers, else every no_rope_layer_interval-th.
func (f *fields) noRope(n int) func(int) bool {
	if !f.has("no_rope_layers") {
		every, ok := f.intAtLeast(1, "no_rope_layer_interval")
		if !ok {
			every = 4
			f.note("no_rope_layer_interval absent: 4, the default of this architecture: every 4. layer slides")
		}
		return func(i int) bool { return (i+1)%every == 0 }
	}
	list := f.ints("no_rope_layers")
	if len(list) != n {
		f.problem(ErrBadField, "no_rope_layers", fmt.Sprintf("has %d entries", len(list)), fmt.Sprintf("%d, one per layer", n))
		list = repeat(1, n)
	}
	return func(i int) bool { return list[i] == 0 }
}

// layerTypes reads the explicit list of newer files.
func (f *fields) layerTypes(n, window int, hasWindow bool) ([]LayerKind, []int) {
	kinds, windows := make([]LayerKind, n), make([]int, n)
	_, raw := f.raw("layer_types")
	var list []string
	if err := json.Unmarshal(raw, &list); err != nil || len(list) != n {
		f.problem(ErrBadField, "layer_types", fmt.Sprintf("has %d entries", len(list)), fmt.Sprintf("a list of %d strings, one per layer (num_hidden_layers)", n))
		return kinds, windows
	}
	for i, t := range list {
		switch t {
		case "full_attention", "attention":
			kinds[i] = FullAttention
		case "sliding_attention", "chunked_attention":
			kinds[i], windows[i] = SlidingAttention, window
			if !hasWindow {
				if !f.has("sliding_window", "attention_chunk_size") {
					f.problem(ErrMissingField, "sliding_window", "is missing", fmt.Sprintf("the window in tokens, because layer_types[%d] is %q", i, t))
				}
				return kinds, windows
			}
		case "linear_attention", "mamba":
			kinds[i] = LinearAttention
		default:
			f.problem(ErrBadField, fmt.Sprintf("layer_types[%d]", i), fmt.Sprintf("%q", clip([]byte(t))), "full_attention, sliding_attention, chunked_attention, linear_attention or mamba")
			return kinds, windows
		}
	}
	return kinds, windows
}

// listedLayers reads MiniMax's attn_type_list: 1 for full attention, 0 for linear.
func (f *fields) listedLayers(n int) ([]LayerKind, []int) {
	kinds := make([]LayerKind, n)
	list := f.ints("attn_type_list")
	if len(list) != n {
		f.problem(ErrMissingField, "attn_type_list", fmt.Sprintf("has %d entries", len(list)), fmt.Sprintf("a list of %d zeros (linear) and ones (full attention)", n))
		return kinds, make([]int, n)
	}
	for i, v := range list {
		switch v {
		case 0:
			kinds[i] = LinearAttention
		case 1:
			kinds[i] = FullAttention
		default:
			f.problem(ErrBadField, fmt.Sprintf("attn_type_list[%d]", i), fmt.Sprint(v), "0 (linear) or 1 (full attention)")
			return kinds, make([]int, n)
		}
	}
	return kinds, make([]int, n)
}

// periodOffset reads the place within a period; Jamba's files always have it.
func (f *fields) periodOffset(name string) int {
	v, ok := f.intAtLeast(0, name)
	if !ok && !f.has(name) {
		f.problem(ErrMissingField, name, "is missing", "the place within a period, from 0")
	}
	return v
}

// group merges layers of equal shape, so that an evaluation costs the number
// of different shapes (one to three) and not the number of layers.
func group(ls []layer) []LayerGroup {
	var groups []LayerGroup
next:
	for i := range ls {
		g := ls[i].shape
		for j := range groups {
			h := groups[j]
			h.Layers = 1
			if g == h {
				groups[j].Layers++
				continue next
			}
		}
		groups = append(groups, g)
	}
	return groups
}
