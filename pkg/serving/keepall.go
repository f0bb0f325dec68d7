package serving

// DefaultBlock is the block size of vLLM, in tokens.
const DefaultBlock = 16

// keepAll answers what vLLM's cache would hold if it never evicted: the longest
// prefix shared with any earlier prompt, at most all but the last token, in
// whole blocks. It is a tree of items and not of tokens, so it is for made-up ids.
type keepAll struct {
	block int
	nodes []node
	roots map[string]int32 // by tenant
	edges map[edge]int32   // of nodes with several children
	paths map[streamKey][]int32
}

// node is a prefix: the items on the way to it.
type node struct {
	item   ref
	held   int32 // tokens kept of it, all but one if it ends with an output
	recent int32 // the child used last, 0 for none
	many   bool  // has several children: they are in edges
}

type edge struct {
	parent int32
	item   ref
}

func newKeepAll(l *Ledger, block int) *keepAll {
	most := 1 + len(l.streams)
	for _, r := range l.calls {
		most += len(r.classes) + len(r.output)
	}
	return &keepAll{
		block: block, nodes: make([]node, 1, most),
		roots: map[string]int32{}, edges: map[edge]int32{}, paths: map[streamKey][]int32{},
	}
}

func (k *keepAll) serve(l *Ledger, r *record, outputs bool) (int, error) {
	at, ok := k.roots[r.call.Tenant]
	if !ok {
		at = k.add(node{})
		k.roots[r.call.Tenant] = at
	}
	// What the stream's last prompt begins with is held already.
	stream := streamKey{r.call.Tenant, r.call.Stream}
	path := k.paths[stream][:r.change.item]
	if n := len(path); n > 0 {
		at = path[n-1]
	}
	end := int(k.nodes[at].held)
	common, inside := end, true
	for _, it := range r.items[r.change.item:] {
		end += l.items[it].item.Tokens
		next := k.child(at, it)
		if inside = inside && next != 0; inside {
			common = int(k.nodes[next].held)
		}
		at = k.keep(at, next, it, end)
		path = append(path, at)
	}
	k.paths[stream] = path
	if outputs {
		for i, it := range r.output {
			end += l.items[it].item.Tokens
			held := end
			if i == len(r.output)-1 {
				held-- // sampled, but not run through the model
			}
			at = k.keep(at, k.child(at, it), it, held)
		}
	}
	return wholeBlocks(min(common, r.tokens-1), k.block), nil
}

func (k *keepAll) child(at int32, it ref) int32 {
	n := &k.nodes[at]
	if n.recent == 0 || k.nodes[n.recent].item == it {
		return n.recent
	}
	if !n.many {
		return 0
	}
	next := k.edges[edge{at, it}]
	if next != 0 {
		n.recent = next
	}
	return next
}

// keep notes that so many tokens are held up to the end of a child, which is
// made if it is 0.
func (k *keepAll) keep(at, child int32, it ref, held int) int32 {
	if child != 0 {
		n := &k.nodes[child]
		n.held = max(n.held, int32(held))
		return child
	}
	child = k.add(node{item: it, held: int32(held)})
	n := &k.nodes[at]
	if n.recent != 0 {
		n.many = true
		k.edges[edge{at, k.nodes[n.recent].item}] = n.recent
		k.edges[edge{at, it}] = child
	}
	n.recent = child
	return child
}

func (k *keepAll) add(n node) int32 {
	k.nodes = append(k.nodes, n)
	return int32(len(k.nodes) - 1)
}

func wholeBlocks(tokens, block int) int { return tokens / block * block }
