package claims

import (
	"cmp"
	"math"
)

// Edge says how far a row is from the other verdict. Of a row with several
// numbers it is the one nearest to its edge, which Part names.
type Edge struct {
	ID         string `json:"id"`
	Section    string `json:"section"`
	Experiment string `json:"experiment"`
	Basis      Basis  `json:"basis"`
	Part       string `json:"part,omitempty"`
	// Mean, Low and High are in the row's unit; of an order they are the margin by
	// which it holds.
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// BandLow and BandHigh are nil where the band is open.
	BandLow  *float64 `json:"band_low"`
	BandHigh *float64 `json:"band_high"`
	// Margin is the way from the mean to the nearest edge in half widths of the
	// band: 1 in its middle, 0 on the edge, less outside; nil if a side is open.
	Margin *float64 `json:"margin"`
	// Intervals is the same way in half widths of the 95% interval: below 1 the
	// interval crosses the edge; nil without an interval of some width.
	Intervals *float64 `json:"intervals"`
}

// edges is the row's edge, or none where only one value passes.
func (s *seen) edges() []Edge {
	nearest, found := Edge{}, false
	for i, p := range s.parts {
		b := s.row.Judge.band(i)
		if b.High-b.Low <= slack(b.High)+slack(b.Low) {
			continue
		}
		e := Edge{
			ID: s.row.ID, Section: s.row.Section, Experiment: s.stored.Experiment, Basis: s.row.Basis, Part: p.name,
			Mean: p.mean, Low: p.low, High: p.high,
		}
		way := math.Inf(1)
		if !math.IsInf(b.Low, 0) {
			e.BandLow, way = &b.Low, p.mean-b.Low
		}
		if !math.IsInf(b.High, 0) {
			e.BandHigh, way = &b.High, min(way, b.High-p.mean)
		}
		if e.BandLow != nil && e.BandHigh != nil {
			margin := way / ((b.High - b.Low) / 2)
			e.Margin = &margin
		}
		if half := (p.high - p.low) / 2; half > 0 {
			intervals := way / half
			e.Intervals = &intervals
		}
		if !found || e.compare(nearest) < 0 {
			nearest, found = e, true
		}
	}
	if !found {
		return nil
	}
	return []Edge{nearest}
}

func (e Edge) compare(other Edge) int {
	return cmp.Or(compareNilLast(e.Margin, other.Margin), compareNilLast(e.Intervals, other.Intervals))
}

func compareNilLast(a, b *float64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Compare(*a, *b)
}
