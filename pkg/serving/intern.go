package serving

import "slices"

// ref is an item of a ledger: equal refs are equal content.
type ref int32

type interned struct {
	item Item
	name ref // the first item of the same kind and name, whatever the version
}

// intern finds the item or enters it. Should two contents have one hash, the
// second takes the next that is free.
func (l *Ledger) intern(it *Item) ref {
	h := it.hash()
	for {
		r, ok := l.byHash[h]
		if !ok {
			break
		}
		if l.items[r].item.equal(it) {
			return r
		}
		h = mix(h, 1)
	}
	r := ref(len(l.items))
	l.byHash[h] = r
	l.real = l.real || it.IDs != nil
	own := *it
	own.IDs = slices.Clone(it.IDs)
	l.items = append(l.items, interned{own, l.named(it, r)})
	return r
}

// named finds the first item of the same kind and name, which may be r itself.
func (l *Ledger) named(it *Item, r ref) ref {
	h := text(text(2, it.Kind), it.Name)
	for {
		first, ok := l.names[h]
		if !ok {
			l.names[h] = r
			return r
		}
		if o := &l.items[first].item; o.Kind == it.Kind && o.Name == it.Name {
			return first
		}
		h = mix(h, 1)
	}
}
