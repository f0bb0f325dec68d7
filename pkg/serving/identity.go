package serving

// A made-up token id has this bit set, so that it meets no real one.
const madeUp = 1 << 62

// AppendIDs appends the item's token ids. Made-up ids are a hash of kind, name,
// version, length and position: equal content has equal ids, and two different
// tokens get the same id once in 10^18 pairs.
func (it Item) AppendIDs(ids []int) []int {
	if it.IDs != nil {
		return append(ids, it.IDs...)
	}
	h := it.hash()
	for i := range it.Tokens {
		ids = append(ids, int(mix(h, uint64(i))&(madeUp-1)|madeUp))
	}
	return ids
}

// IDs are the token ids of a prompt that Check accepts.
func (p Prompt) IDs() []int {
	ids := make([]int, 0, max(0, p.Tokens()))
	for _, s := range p {
		for _, it := range s.Items {
			ids = it.AppendIDs(ids)
		}
	}
	return ids
}

// hash stands for the item's content.
func (it *Item) hash() uint64 {
	h := text(text(1, it.Kind), it.Name)
	h = mix(mix(h, uint64(it.Version)), uint64(it.Tokens))
	if it.IDs != nil {
		h = mix(h, it.idsHash())
	}
	return h
}

func (it *Item) idsHash() uint64 {
	h := uint64(len(it.IDs))
	for _, id := range it.IDs {
		h = mix(h, uint64(id))
	}
	return h
}

// text takes in a string with its length (FNV-1a, then mixed).
func text(h uint64, s string) uint64 {
	f := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		f = (f ^ uint64(s[i])) * 0x100000001b3
	}
	return mix(mix(h, uint64(len(s))), f)
}

// mix is one step of splitmix64 on both arguments.
func mix(h, x uint64) uint64 {
	z := (h ^ x*0x9e3779b97f4a7c15) + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
