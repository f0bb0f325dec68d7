package playbook

import (
	"context"
	"fmt"
	"math"
	"slices"

	"memlab/pkg/retrieve"
)

// Pair is a bullet that was joined with one that says nearly the same.
type Pair struct {
	Kept   string  `json:"kept"`
	Gone   Bullet  `json:"gone"` // as it was
	Cosine float64 `json:"cosine"`
}

// Deduper finds bullets that say nearly the same. It remembers the bullets that
// it has seen, so that only new texts are embedded and compared; it goes with one
// playbook.
type Deduper struct {
	embedder  retrieve.Embedder
	threshold float64
	every     int // bullets up to which every pair is compared
	known     map[string]known
	index     index
	hashed    bool
}

type known struct {
	text   string
	vector []float32 // nil: it cannot be embedded
}

// index finds the most similar of the vectors that it holds.
type index interface {
	add(id string, v []float32) error
	remove(id string)
	// best is the most similar one, if it reaches the threshold.
	best(v []float32) (id string, cosine float64, err error)
}

// EveryPair is how many bullets a Deduper compares pair by pair. Beyond it looks
// only at bullets that fall into one bucket; see NewDeduper.
const EveryPair = 10_000

// NewDeduper joins bullets whose embeddings have a cosine of at least threshold;
// ACE takes 0.9. Up to EveryPair bullets no pair is missed. With more of them the
// signs of random projections sort the bullets into buckets (Charikar 2002), so
// that a bullet is compared with few others and not with all: equal embeddings are
// always found, a pair just at the threshold in 98 of 100 cases, closer ones more
// often.
func NewDeduper(e retrieve.Embedder, threshold float64) (*Deduper, error) {
	if e == nil {
		return nil, fail(ErrOption, "no embedder")
	}
	if !(threshold > 0 && threshold <= 1) {
		return nil, fail(ErrOption, "threshold %g: want more than 0 and at most 1", threshold)
	}
	return &Deduper{embedder: e, threshold: threshold, every: EveryPair, known: map[string]known{}}, nil
}

// Dedup joins near duplicates: the bullet that stands first stays, with its text
// and the counts of both. It returns what went, and the identities of bullets
// that no embedding can be made of, such as a row of dashes: these stay. On an
// error of the embedder nothing has changed.
func (p *Playbook) Dedup(ctx context.Context, d *Deduper) (gone []Pair, skipped []string, err error) {
	fresh, err := d.look(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	for b := range p.All() {
		if d.known[b.ID].vector == nil {
			skipped = append(skipped, b.ID)
		}
	}
	for _, id := range fresh {
		for {
			v := d.known[id].vector
			other, cosine, err := d.index.best(v)
			if err != nil {
				return gone, skipped, err
			}
			if other == "" {
				if err := d.index.add(id, v); err != nil {
					return gone, skipped, err
				}
				break
			}
			kept, lost := other, id
			if p.at[id] < p.at[other] {
				kept, lost = id, other
				d.index.remove(other)
			}
			gone = append(gone, Pair{kept, p.join(kept, lost), cosine})
			if lost == id {
				break
			}
		}
	}
	return gone, skipped, nil
}

// join adds one bullet's counts and times to another and takes it out.
func (p *Playbook) join(kept, lost string) Bullet {
	g := p.remove(lost)
	p.edit(kept, func(b *Bullet) {
		b.Helpful = min(maxCount, b.Helpful+g.Helpful)
		b.Harmful = min(maxCount, b.Harmful+g.Harmful)
		b.Used = max(b.Used, g.Used, g.Updated)
	})
	return g
}

// look forgets what has left the playbook or changed, embeds what is new, and
// returns the identities of the new ones in the playbook's order.
func (d *Deduper) look(ctx context.Context, p *Playbook) ([]string, error) {
	var passages []retrieve.Passage
	for b := range p.All() {
		if k, ok := d.known[b.ID]; !ok || k.text != b.Text {
			passages = append(passages, retrieve.Passage{ID: b.ID, Role: retrieve.Memory, Text: b.Text})
		}
	}
	vectors, err := d.embed(ctx, passages)
	if err != nil {
		return nil, err
	}
	for id, k := range d.known {
		if b, ok := p.Get(id); !ok || b.Text != k.text {
			if d.index != nil && k.vector != nil {
				d.index.remove(id)
			}
			delete(d.known, id)
		}
	}
	var fresh []string
	for i, passage := range passages {
		d.known[passage.ID] = known{passage.Text, vectors[i]}
		if vectors[i] != nil {
			fresh = append(fresh, passage.ID)
		}
	}
	return fresh, d.choose(p, fresh)
}

// choose makes the index that fits the number of bullets.
func (d *Deduper) choose(p *Playbook, fresh []string) error {
	hashed := p.Len() > d.every
	if d.index != nil && hashed == d.hashed {
		return nil
	}
	var err error
	d.hashed = hashed
	if hashed {
		d.index = newBuckets(d.embedder.Dim(), p.Len(), d.threshold)
	} else if d.index, err = newPairs(d.embedder.Dim(), d.threshold); err != nil {
		return err
	}
	isNew := make(map[string]bool, len(fresh))
	for _, id := range fresh {
		isNew[id] = true
	}
	for b := range p.All() {
		if k := d.known[b.ID]; k.vector != nil && !isNew[b.ID] {
			if err := d.index.add(b.ID, k.vector); err != nil {
				return err
			}
		}
	}
	return nil
}

// embed asks for all texts at once and, if that fails, one by one, so that a text
// without a vector does not take the others' away.
func (d *Deduper) embed(ctx context.Context, passages []retrieve.Passage) ([][]float32, error) {
	if len(passages) == 0 {
		return nil, nil
	}
	vectors, err := d.embedder.Embed(ctx, passages...)
	if err != nil {
		vectors = make([][]float32, len(passages))
		for i, p := range passages {
			v, err := d.embedder.Embed(ctx, p)
			switch {
			case noVector(err):
			case err != nil:
				return nil, fmt.Errorf("playbook: %s: %w", p.ID, err)
			case len(v) == 1:
				vectors[i] = v[0]
			}
		}
	}
	if len(vectors) != len(passages) {
		return nil, fail(ErrOption, "the embedder returned %d vectors for %d texts", len(vectors), len(passages))
	}
	for i, v := range vectors {
		if v != nil && (len(v) != d.embedder.Dim() || slices.ContainsFunc(v, func(x float32) bool { return math.IsNaN(float64(x)) })) {
			return nil, fail(ErrOption, "%s: the embedder returned %d numbers, or some that are none: want %d", passages[i].ID, len(v), d.embedder.Dim())
		}
	}
	return vectors, nil
}
